package launch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine/evidence/sandbox"
	"chant/engine/store/disk"
	"chant/gitops/rootdir"
	"chant/providers"
	"chant/providers/relay"
)

// broker runs the commands of chant that an agent asks for, outside of its wall. Which they are, Launcher.Commands says;
// what they may do is decided by the command itself, which finds that it is inside the run.
type broker struct {
	l      *Launcher
	bounds *sandbox.Bounds
	env    []string
	tree   string

	known  chan struct{}      // closed when owns is set
	owns   func(pid int) bool // whether a process is the agent or came of it
	once   sync.Once
	server *relay.Server
}

// openBroker starts to listen for the agent of a launch, whose environment names the socket. Without a wall there is no broker: chant
// inside the run does its work itself.
func (l *Launcher) openBroker(ctx context.Context, bounds *sandbox.Bounds, launch *providers.Launch) (*broker, error) {
	if bounds.Wall == nil || l.Chant == "" {
		return nil, nil
	}
	b := &broker{l: l, bounds: bounds, tree: disk.RealPath(l.Trees.Tree), known: make(chan struct{})}
	// The last value of a variable counts, so the agent's own cannot name another run.
	b.env = append(append(envOutside(launch.Env, bounds.Env, l.Environ), bounds.NetworkEnv()...), sandbox.HomeKey+"="+l.Store.Home(), sandbox.TreeKey+"="+b.tree, sandbox.SpecKey+"="+l.Job.ID)
	b.server = &relay.Server{Launch: b.launch, Limit: commandLimit}
	return b, b.server.Listen(ctx, l.Sandbox().Socket(l.Trees.Tree))
}

// setOwner makes known what the agent's processes are, from which alone requests are accepted.
func (b *broker) setOwner(owns func(pid int) bool) {
	if b != nil {
		b.owns = owns
		b.once.Do(func() { close(b.known) })
	}
}

// close ends the commands that still run.
func (b *broker) close() error {
	if b == nil {
		return nil
	}
	// The agent never started, and a request that waits must end.
	b.once.Do(func() { close(b.known) })
	return b.server.Close()
}

// launch decides about a request.
func (b *broker) launch(pid int, req relay.Request) (providers.Launch, error) {
	// The socket is there before the agent, so a request may come too early.
	<-b.known
	// The socket lies in a folder that other processes of the same user reach.
	if b.owns == nil || !b.owns(pid) {
		return providers.Launch{}, errors.New("only the agent of the run may ask")
	}
	if len(req.Args) == 0 || !slices.Contains(b.l.Commands, req.Args[0]) {
		return providers.Launch{}, fmt.Errorf("you are inside the run of %q, and %q is for a person: end your turn", b.l.Job.ID, strings.Join(append([]string{"chant"}, req.Args[:min(1, len(req.Args))]...), " "))
	}
	// A server of HTTP would outlive the agent's turn and serve others outside of the wall.
	if slices.ContainsFunc(req.Args, func(arg string) bool { return arg == "--http" || strings.HasPrefix(arg, "--http=") }) {
		return providers.Launch{}, errors.New("inside a run chant serves its agent alone, not by HTTP")
	}
	// Real paths, since a link in the worktree could lead anywhere.
	dir := disk.RealPath(req.Dir)
	if !filepath.IsAbs(req.Dir) || !disk.Within(b.tree, dir) && !disk.Within(b.l.Store.Home(), dir) {
		dir = b.tree
	}
	policy, err := b.l.Sandbox().ForBroker(b.bounds, b.l.Job.ID)
	if err != nil {
		return providers.Launch{}, err
	}
	return providers.Launch{Path: b.l.Chant, Args: req.Args, Dir: dir, Env: slices.Concat(b.env, req.Terminal), Wall: policy}, nil
}

// commandLimit is how long a command may take: a server lives as long as its client, and nothing else needs an hour.
func commandLimit(req relay.Request) time.Duration {
	if len(req.Args) > 0 && req.Args[0] == "mcp" {
		return 0
	}
	return time.Hour
}

// envOutside is the environment of an agent without the variables that its bounds have added; where those replaced some of
// this process, its own count again.
func envOutside(env, added, own []string) []string {
	names := []string{relay.SocketKey, relay.RepoKey}
	for _, entry := range added {
		name, _, _ := strings.Cut(entry, "=")
		names = append(names, name)
	}
	among := func(entry string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(entry, name+"=") })
	}
	out := slices.DeleteFunc(slices.Clone(env), among)
	for _, entry := range own {
		if name, _, _ := strings.Cut(entry, "="); among(entry) && providers.NameAmong(name, providers.Everyday()) {
			out = append(out, entry)
		}
	}
	return out
}

// buildBounds creates what the bounds of the agent need, and logs whether it runs behind a wall.
func (l *Launcher) buildBounds(bounds *sandbox.Bounds, launch providers.Launch) error {
	if err := errors.Join(bounds.Prepare(), l.Sandbox().Admit(bounds, launch)); err != nil {
		return err
	}
	bounds.OnRefused(func(text string) {
		l.turn.Lock()
		defer l.turn.Unlock()
		l.logErr = errors.Join(l.logErr, l.Log.Line("sandbox: "+text))
	})
	return l.Log.Line("sandbox: " + l.Sandbox().State().String())
}

// maxRefused limits the paths that are kept of what the wall has refused.
const maxRefused = 20

// noteRefused logs each path, once, that the agent's output names as refused by the wall.
func (l *Launcher) noteRefused(bounds *sandbox.Bounds, ev providers.Event) error {
	if ev.Kind == providers.Spending || len(l.Refused) >= maxRefused {
		return nil
	}
	for _, path := range bounds.Refused(ev.Text) {
		if slices.Contains(l.Refused, path) {
			continue
		}
		l.Refused = append(l.Refused, path)
		if err := l.Log.Line("sandbox: " + l.Sandbox().Explain([]string{path}, "sandbox.write")); err != nil {
			return err
		}
	}
	return nil
}

// keepSettings reads git's settings of the worktree alone, which the agent can write, and returns a function that writes
// them back: chant's own git must not obey what an agent has set there.
func (l *Launcher) keepSettings() (restore func() error, err error) {
	own, err := l.Repo.GitDir(l.Trees.Tree)
	if err != nil {
		// Whatever needs the worktree reports it.
		return func() error { return nil }, nil //nolint:nilerr
	}
	const name = "config.worktree"
	var was []byte
	existed := false
	err = rootdir.In(own, func(root *os.Root) (err error) {
		was, err = rootdir.Read(root, name, maxSettingsSize)
		if existed = err == nil; errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return func() error {
		return rootdir.In(own, func(root *os.Root) error {
			_, err := root.Lstat(name)
			// Only what has changed is written, so that the file keeps its time.
			if existed && rootdir.Holds(root, name, was) || !existed && errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			err = l.Log.Line("sandbox: git's settings of the worktree were changed; they are as before the agent again")
			if existed {
				return errors.Join(err, rootdir.Write(root, name, was, 0o644))
			}
			return errors.Join(err, rootdir.RemoveAll(root, name))
		})
	}, nil
}

// maxSettingsSize is more than any file with settings of git has, in bytes.
const maxSettingsSize = 1 << 20
