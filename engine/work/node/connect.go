package node

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/spec/next"
	"chant/providers"
)

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

// Fetch fetches what the fleet has in the remote into this clone, and returns it: remote-tracking refs and claims only.
// It does not connect to the queue. Error: State where the clone takes part in no fleet.
func Fetch(ctx context.Context, p *engine.Project) (*fleet.Remote, *Membership, error) {
	m, err := membership(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	r, err := InRemote(ctx, p, *m)
	return r, m, err
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
		URL: strings.Join(c.Servers(), ","), Project: name, Credentials: belowHome(p, c.Credentials), CA: belowHome(p, c.CA), Remote: c.Remote, Node: hostNode(),
	}, err
}

// belowHome completes a path of the settings that begins with "~/".
func belowHome(p *engine.Project, path string) string {
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

// nodeOr returns a name for a node: the one that was asked for, else that of the machine.
func nodeOr(asked string) (string, error) {
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
