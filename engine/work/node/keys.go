package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/keyfile"
	"chant/engine/fleet/jetstream"
	"chant/engine/spec/next"
	"chant/engine/store/config"
	"chant/engine/store/disk"
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

// accept adds a user, or changes its role.
func (k keys) accept(u jetstream.User) error {
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

// Invited lists the names of the machines that the hub of a clone accepts, without asking it; none elsewhere.
func Invited(p *engine.Project) []string {
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
