package node

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/providers"
)

// Membership says how a clone takes part in a fleet.
type Membership struct {
	URL         string `json:"url"`                   // of the server: nats:// or tls://, several with commas
	Project     string `json:"project"`               // under which the server has its queue
	Credentials string `json:"credentials,omitempty"` // path of the file with the seed of an nkey, or of a .creds file
	CA          string `json:"ca,omitempty"`          // path of the certificate that the server is checked with
	Remote      string `json:"remote"`                // name of the git remote
	Node        string `json:"node"`                  // name of this clone in the fleet
	Listen      string `json:"listen,omitempty"`      // host and port of the server that is embedded in the hub here; "" = there is none
	Public      string `json:"public,omitempty"`      // of that server as other machines reach it, if it differs from URL
}

// memberPath is the file of a clone's membership.
func memberPath(p *engine.Project) string {
	return fleet.MembershipPath(p.Repo)
}

// Member returns the membership of the project's clone, nil if it takes part in no fleet.
func Member(p *engine.Project) (*Membership, error) {
	text, err := os.ReadFile(memberPath(p))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var m Membership
	if err := json.Unmarshal(text, &m); err != nil || m.URL == "" || m.Project == "" {
		return nil, engine.Fail(engine.Invalid, next.Status.On(), "%q does not say how this clone takes part in a fleet", memberPath(p))
	}
	return &m, nil
}

// write writes the membership of a clone.
func (m Membership) write(p *engine.Project) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(memberPath(p)), 0o755); err != nil {
		return err
	}
	return disk.Write(memberPath(p), append(text, '\n'), disk.Options{Mode: 0o644})
}

// leave removes the membership of a clone.
func leave(p *engine.Project) error {
	err := os.Remove(memberPath(p))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// remoteURL returns the address of a git remote. A path that is relative to the repository becomes absolute.
func remoteURL(ctx context.Context, p *engine.Project, name string) (string, error) {
	url, err := p.Repo.Config(ctx, "remote."+name+".url")
	if err != nil {
		return "", err
	}
	if url == "" {
		return "", engine.Fail(engine.State, next.Shell("git remote add %s URL", name), "the machines of a fleet meet in a git remote, and this repository has no remote %q", name)
	}
	// The clones of chant are elsewhere, where a relative path would lead to another folder.
	if plain := !strings.Contains(url, ":") && !filepath.IsAbs(url); plain {
		url = filepath.Join(p.Repo.Home(), filepath.FromSlash(url))
	}
	return url, nil
}

// projectName derives the name under which a server has the queue of a project from the address of its remote: the last
// part without ".git".
func projectName(url string) (string, error) {
	url = strings.TrimRight(strings.ReplaceAll(url, `\`, "/"), "/")
	last := strings.TrimSuffix(path.Base(url), ".git")
	if at := strings.LastIndexByte(last, ':'); at >= 0 {
		last = last[at+1:]
	}
	name := strings.Map(func(c rune) rune {
		switch {
		case c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			return c
		}
		return '-'
	}, last)
	if name = strings.Trim(name, "-"); name == "" {
		return "", fmt.Errorf("no name of a project follows from the remote %q", url)
	}
	return name, nil
}

// TakesPart reports whether the clone takes part in a fleet, by its membership or the settings.
func TakesPart(p *engine.Project) (bool, error) {
	if p.Config.Fleet.URL != "" {
		return true, nil
	}
	m, err := Member(p)
	return m != nil, err
}

// Connect connects to the queue of the fleet in which the clone takes part. Errors: State where it takes part in none;
// else as the connection says, with a hint.
func Connect(ctx context.Context, p *engine.Project) (*jetstream.Broker, *Membership, error) {
	m, err := membership(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	b, err := m.connect(ctx)
	return b, m, err
}

// membership returns the membership of the clone, or the one that the settings describe.
func membership(ctx context.Context, p *engine.Project) (*Membership, error) {
	m, err := Member(p)
	if err == nil && m == nil {
		m, err = fromSettings(ctx, p)
	}
	if err == nil && m == nil {
		err = engine.Fail(engine.State, next.Guide.On("fleet"), "this clone takes part in no fleet")
	}
	return m, err
}

// fromSettings returns the membership that the settings describe, nil if they name no server.
func fromSettings(ctx context.Context, p *engine.Project) (*Membership, error) {
	c := p.Config.Fleet
	if c.URL == "" {
		return nil, nil
	}
	url, err := remoteURL(ctx, p, c.Remote)
	if err != nil {
		return nil, err
	}
	name, err := projectName(url)
	return &Membership{
		URL: strings.Join(c.Servers(), ","), Project: name, Credentials: expandHome(p, c.Credentials), CA: expandHome(p, c.CA), Remote: c.Remote, Node: hostNode(),
	}, err
}

// expandHome completes a path of the settings that begins with "~/".
func expandHome(p *engine.Project, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(providers.Variable(p.Environ, "HOME"), filepath.FromSlash(rest))
	}
	return path
}

// options are those of a connection to the server of a membership.
func (m Membership) options() jetstream.Options {
	o := jetstream.Options{URL: m.URL, Project: m.Project, Name: m.Node, CAFile: m.CA}
	if strings.HasSuffix(m.Credentials, ".creds") {
		o.Creds = m.Credentials
	} else {
		o.SeedFile = m.Credentials
	}
	return o
}

// connect connects to the server of a membership.
func (m Membership) connect(ctx context.Context) (*jetstream.Broker, error) {
	b, err := jetstream.Connect(ctx, m.options())
	if err != nil {
		return nil, m.problem(err)
	}
	return b, nil
}

// problem is the error of an entry point for a problem of the queue of a membership. Only the clone of the hub is asked to
// start it: a worker that did so would be a second hub.
func (m Membership) problem(err error) error {
	found, ok := errors.AsType[*fleet.Problem](err)
	if !ok {
		return err
	}
	code, way := engine.Conflict, next.Guide.On("fleet")
	switch found.Kind {
	case fleet.Unreachable, fleet.NoQueue:
		if code = engine.NotFound; m.Listen != "" {
			way = next.FleetUp.On()
		}
	case fleet.Unauthorized:
		way = next.FleetInvite.On("NAME")
	case fleet.Misused:
		code = engine.Usage
	case fleet.Unexpected:
		code = engine.Internal
	}
	return engine.Fail(code, way, "%s", found)
}

// chooseNodeName returns a name for a node: the one that was asked for, else that of the machine.
func chooseNodeName(asked string) (string, error) {
	name := cmp.Or(asked, hostNode())
	return name, nodeName(name)
}

// hostName is the name of this machine, for people.
func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}

// remoteOf returns a git remote of a clone as that of its fleet.
func remoteOf(ctx context.Context, p *engine.Project, name string) (*fleet.Remote, error) {
	target, err := engine.Target(ctx, p)
	return &fleet.Remote{Repo: p.Repo, Name: name, Target: target, Prefix: p.Store.Branch("")}, err
}

// fetchRemote fetches what the fleet has in the remote, into this clone: remote-tracking refs and claims only.
func fetchRemote(ctx context.Context, p *engine.Project, m Membership) (*fleet.Remote, error) {
	r, err := remoteOf(ctx, p, m.Remote)
	if err == nil {
		err = r.Fetch(ctx)
	}
	return r, err
}
