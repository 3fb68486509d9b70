package node

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/keyfile"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/spec/next"
	"chant/engine/store/config"
	"chant/engine/store/disk"
	"chant/gitops/lockfile"
)

// keys is the folder of the keys of one fleet on this machine. It is hidden from agents.
type keys struct{ dir string }

// keysOf returns the folder of keys. Error: State without a folder for the settings of a user.
func keysOf(environ []string, project string) (keys, error) {
	folder := keyfile.Folder(environ)
	if folder == "" {
		return keys{}, engine.Fail(engine.State, next.Shell("export HOME=..."), "keys need a folder of the user, and HOME is not set")
	}
	return keys{filepath.Join(folder, "fleet", project)}, nil
}

// seedPath is the file with the key of a node.
func (k keys) seedPath(node string) string { return filepath.Join(k.dir, node+".seed") }

// write writes a secret.
func (k keys) write(path string, content []byte) error {
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return err
	}
	return disk.Write(path, content, disk.Options{Mode: 0o600})
}

// users lists those that the embedded server accepts.
func (k keys) users() ([]jetstream.User, error) {
	text, err := os.ReadFile(filepath.Join(k.dir, "users.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var users []jetstream.User
	if err := json.Unmarshal(text, &users); err != nil {
		return nil, fmt.Errorf("%q is not a list of users: %w", filepath.Join(k.dir, "users.json"), err)
	}
	return users, nil
}

// user returns one of those that the embedded server accepts.
func (k keys) user(name string) (jetstream.User, bool, error) {
	users, err := k.users()
	at := slices.IndexFunc(users, func(u jetstream.User) bool { return u.Name == name })
	if err != nil || at < 0 {
		return jetstream.User{}, false, err
	}
	return users[at], true, nil
}

// addUser adds a user, or changes its role.
func (k keys) addUser(u jetstream.User) error {
	users, err := k.users()
	if err != nil {
		return err
	}
	users = slices.DeleteFunc(users, func(other jetstream.User) bool { return other.Name == u.Name })
	users = append(users, u)
	slices.SortFunc(users, func(a, b jetstream.User) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.MarshalIndent(users, "", "  ")
	if err != nil {
		return err
	}
	return k.write(filepath.Join(k.dir, "users.json"), append(text, '\n'))
}

// nodeName checks the name of a node: letters, digits and "-".
func nodeName(name string) error {
	if name == "" || len(name) > 60 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
		return engine.Fail(engine.Usage, next.Guide.On("fleet"), "invalid name of a node %q (use letters, digits and -)", name)
	}
	return nil
}

// hostNode derives the name of a node from that of its machine.
func hostNode() string {
	host, err := os.Hostname()
	if err != nil {
		return "node"
	}
	host, _, _ = strings.Cut(host, ".")
	if name, err := projectName(host); err == nil {
		return name
	}
	return "node"
}

// Invitation is what another machine needs to join: the content of a file that must be kept secret.
type Invitation struct {
	URL     string         `json:"url"`
	Project string         `json:"project"`
	Remote  string         `json:"remote"` // address of the git remote
	Node    string         `json:"node"`
	Role    jetstream.Role `json:"role"`
	Seed    string         `json:"seed"`
	CA      string         `json:"ca,omitempty"` // certificate that the server is checked with
}

// readInvitation reads the file of an invitation.
func readInvitation(path string) (Invitation, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Invitation{}, engine.Fail(engine.NotFound, next.Guide.On("fleet"), "there is no invitation %q (give its file, or the address of a server such as tls://host:4222)", path)
	}
	if err != nil {
		return Invitation{}, engine.Fail(engine.Invalid, next.Guide.On("fleet"), "the invitation cannot be read: %s", err)
	}
	in, err := parseInvitation(text)
	if err != nil {
		return in, engine.Fail(engine.Invalid, next.Guide.On("fleet"), "%q is not an invitation to a fleet: %s", path, err)
	}
	return in, nil
}

// parseInvitation reads the content of an invitation. What it names becomes addresses and names of files here, so none of
// it is used unchecked.
func parseInvitation(text []byte) (in Invitation, err error) {
	if json.Unmarshal(text, &in) != nil {
		return Invitation{}, errors.New("it is not JSON")
	}
	// An invitation comes from another machine, and its names become paths here.
	_, projectErr := jetstream.ParseProject(in.Project)
	switch {
	case in.URL == "" || in.Seed == "" || in.Remote == "":
		return Invitation{}, errors.New("it lacks an address or a key")
	case projectErr != nil:
		return Invitation{}, projectErr
	case strings.HasPrefix(in.Remote, "-"):
		return Invitation{}, fmt.Errorf("its remote is %q", in.Remote)
	}
	if err := config.CheckServers(in.URL); err != nil {
		return Invitation{}, err
	}
	return in, nodeName(in.Node)
}

// ListInvited lists the names of the machines that the hub of a clone accepts, without asking it; none elsewhere.
func ListInvited(p *engine.Project) []string {
	m, err := Member(p)
	if err != nil || m == nil || m.Listen == "" {
		return nil
	}
	k, err := keysOf(p.Environ, m.Project)
	if err != nil {
		return nil
	}
	users, err := k.users()
	if err != nil {
		return nil
	}
	var out []string
	for _, u := range users {
		out = append(out, u.Name)
	}
	return out
}

// InviteInput names the machine that is to join.
type InviteInput struct {
	Name string `json:"name" jsonschema:"Name of the machine in the fleet: letters, digits and -"`
	Land bool   `json:"land,omitempty" jsonschema:"It may also lead: offer what is ready, and land"`
	Out  string `json:"out,omitempty" jsonschema:"File to write the invitation to (default: NAME.fleet in chant's folder of keys)"`
	URL  string `json:"url,omitempty" jsonschema:"Address of the hub as that machine reaches it, if it differs"`
}

// InviteResult is an invitation that was written.
type InviteResult struct {
	Name string `json:"name"`
	File string `json:"file"`
	Join string `json:"join"` // the command line for the other machine
	// Local says that the hub listens on this machine only, so that no other one can use the invitation.
	Local bool        `json:"local,omitempty"`
	Next  next.Advice `json:"next,omitzero"` // what lets other machines reach the hub
}

// Invite makes the key of a machine that may join, and writes it with everything else that machine needs to a file, which
// only the user can read. A hub that runs accepts it within seconds. Errors: State where no hub with an embedded server is
// set up here; Usage for an invalid name.
func Invite(ctx context.Context, p *engine.Project, in InviteInput) (InviteResult, error) {
	result, err := invite(ctx, p, in)
	return engine.Done(result, err, "")
}

func invite(ctx context.Context, p *engine.Project, in InviteInput) (InviteResult, error) {
	if err := engine.MayInside(p, "fleet", ""); err != nil {
		return InviteResult{}, err
	}
	if err := nodeName(in.Name); err != nil {
		return InviteResult{}, err
	}
	m, err := Member(p)
	if err != nil {
		return InviteResult{}, err
	}
	if m != nil && m.Listen == "" {
		return InviteResult{}, engine.Fail(engine.State, next.FleetStatus.On(), "the hub of this fleet is not in this clone (invite in the clone of the hub; users of a server of your own are set up there)")
	}
	if m == nil {
		return InviteResult{}, engine.Fail(engine.State, next.FleetUp.On(), "no hub with its own server was started here; the users of another server are set up there")
	}
	if in.Name == m.Node {
		return InviteResult{}, engine.Fail(engine.Conflict, next.FleetInvite.On("NAME"), "%q is the hub itself (invite another name)", in.Name)
	}
	if in.URL != "" {
		if err := config.CheckServers(in.URL); err != nil {
			return InviteResult{}, engine.Fail(engine.Usage, next.FleetInvite.Help(), "%s", err)
		}
	}
	k, err := keysOf(p.Environ, m.Project)
	if err != nil {
		return InviteResult{}, err
	}
	role := jetstream.WorkerRole
	if in.Land {
		role = jetstream.HubRole
	}
	public, err := jetstream.Key(k.seedPath(in.Name))
	if err != nil {
		return InviteResult{}, err
	}
	// The server accepts the key before the invitation exists, so that it works wherever it is used first.
	if err := k.addUser(jetstream.User{Name: in.Name, PublicKey: public, Role: role}); err != nil {
		return InviteResult{}, err
	}
	path, err := k.writeInvitation(ctx, p, *m, role, in)
	if err != nil {
		return InviteResult{}, err
	}
	result := InviteResult{Name: in.Name, File: path, Join: joinLine(path), Local: isLocal(cmp.Or(in.URL, m.Public, m.URL))}
	if result.Local {
		// The server has listened there.
		_, port, _ := net.SplitHostPort(m.Listen)
		result.Next = next.FleetUp.On().Set("listen", net.JoinHostPort("0.0.0.0", port)).Because("other machines cannot reach an address of this one")
	}
	return result, awaitAccepted(ctx, p, *m, k, in.Name)
}

// awaitAccepted waits until the hub accepts the key of a machine, if the hub runs.
func awaitAccepted(ctx context.Context, p *engine.Project, m Membership, k keys, name string) error {
	if _, held := lockfile.HeldBy(p.Store.LockPath(lockName)); !held {
		// The hub reads the list when it starts.
		return nil
	}
	// Tried with the new key itself, which is what the other machine will do.
	m.Node, m.Credentials = name, k.seedPath(name)
	over := p.After(2 * fleet.HeartRate)
	for {
		b, err := jetstream.Connect(ctx, m.options())
		if err == nil {
			b.Close()
			return nil
		}
		if found, ok := errors.AsType[*fleet.Problem](err); !ok || found.Kind != fleet.Unauthorized {
			// Any other problem of the connection has nothing to do with the invitation.
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-over:
			return nil
		case <-p.After(fleet.HeartRate / 10):
		}
	}
}

// joinLine is the command that joins with an invitation.
func joinLine(path string) string { return next.FleetJoin.On(path).Set("slots", "4").String() }

func (k keys) writeInvitation(ctx context.Context, p *engine.Project, m Membership, role jetstream.Role, in InviteInput) (string, error) {
	seed, err := os.ReadFile(k.seedPath(in.Name))
	if err != nil {
		return "", err
	}
	remote, err := remoteURL(ctx, p, m.Remote)
	if err != nil {
		return "", err
	}
	inv := Invitation{URL: cmp.Or(in.URL, m.Public, m.URL), Project: m.Project, Remote: remote, Node: in.Name, Role: role, Seed: string(seed)}
	// With the certificate of an earlier start the client would insist on TLS.
	if m.CA != "" {
		ca, err := os.ReadFile(m.CA)
		if err != nil {
			return "", err
		}
		inv.CA = string(ca)
	}
	text, err := json.MarshalIndent(inv, "", "  ")
	if err != nil {
		return "", err
	}
	path := filepath.Join(k.dir, in.Name+".fleet")
	if in.Out != "" {
		if path, err = filepath.Abs(in.Out); err != nil {
			return "", err
		}
	}
	if err := k.write(path, append(text, '\n')); err != nil {
		return "", engine.Fail(engine.Conflict, next.FleetInvite.Help(), "the invitation cannot be written: %s", err)
	}
	return path, nil
}

// firstName is the name of the machine that is invited by the start of a hub, so that the hub can print how to join.
func (h *hubProcess) firstName() string {
	if h.member.Node == "worker-1" {
		return "worker-2"
	}
	return "worker-1"
}

// acceptFirst has the server accept the first machine from its start. An invitation of that name stays as it is.
func (h *hubProcess) acceptFirst() error {
	// The file of that invitation may be on its way already, so its key must stay.
	if _, known, err := h.keys.user(h.firstName()); err != nil || known {
		return err
	}
	public, err := jetstream.Key(h.keys.seedPath(h.firstName()))
	if err != nil {
		return err
	}
	return h.keys.addUser(jetstream.User{Name: h.firstName(), PublicKey: public, Role: jetstream.WorkerRole})
}

// firstInvitation writes the invitation of the first machine.
func (h *hubProcess) firstInvitation(ctx context.Context) (string, error) {
	u, _, err := h.keys.user(h.firstName())
	if err != nil {
		return "", err
	}
	r, err := invite(ctx, h.p, InviteInput{Name: u.Name, Land: u.Role == jetstream.HubRole})
	return r.Join, err
}
