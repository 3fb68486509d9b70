package gitexec

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/gitops/layout"
)

const (
	// ShortLimit bounds most commands.
	ShortLimit = time.Minute
	// LongLimit bounds those that write whole working trees or run hooks.
	LongLimit = 10 * time.Minute
	// MaxStdout bounds what a command may print, in bytes.
	MaxStdout = 512 << 20

	lockLimit = 10 * time.Second // of waiting for another process's lock
	killDelay = 3 * time.Second  // between asking git to end and ending it
	maxStderr = 64 << 10
	minGit    = "2.38" // merge-tree --write-tree
)

// Runner runs the git binary; its zero value is ready for use. Only this file starts processes.
type Runner struct {
	mu       sync.Mutex
	checked  bool   // the version was found new enough
	version  string // it, then
	find     sync.Mutex
	program  string        // the path of git, found at the first call
	Patience time.Duration // of Retry, 0 for ten seconds
	Silence  time.Duration // of commands that talk to a remote, at first; 0 for 15 seconds
	silence  silence
	Env      []string // of every call, before that of the call; nil = git finds the repository by the folder
	// Places returns how git starts in a folder. nil is a place to which only the person writes: git starts as it is.
	// Anywhere else files, settings and programs may be others' (hostile), git may write only there, and only where it is
	// called to write. Places itself is nil where all are the person's.
	Places func(dir string, writes bool) Starter
	// Programs returns settings with which git starts the programs that a person has configured for a trusted folder; nil =
	// as they are.
	Programs func(ctx context.Context, dir string) ([][2]string, error)
	// HookFailed is called for a hook that failed after git had done its work, with the last line that it printed; nil for
	// nothing.
	HookFailed func(hook, said string)
}

// Starter starts git in a place of others, and returns a function that ends what it leaves behind there.
type Starter func(cmd *exec.Cmd) (end func() error, err error)

// hostileSettings are settings with which git runs no program that the place could name, beside filters of content, and asks no
// other repository. Filters stay, since without them files would be read and written as others than they are.
func hostileSettings(hooks string) (settings, env []string) {
	return []string{
		"core.hooksPath=" + hooks, "core.fsmonitor=false", "protocol.allow=never", "diff.external=", "core.pager=cat", "core.sshCommand=false",
		"core.askPass=", "credential.helper=", "submodule.recurse=false", "core.alternateRefsCommand=",
		"core.bigFileThreshold=512m", // of a smaller one git would make packs, which no place of others can
	}, []string{"GIT_NO_LAZY_FETCH=1", "GIT_ASKPASS=true"}
}

// Call is one command. Settings are "key=value" for this run alone; the zero limit means
// ShortLimit; Write allows locks that a mere reader should not take. Remote is set for commands that talk to a remote and
// print their progress: they are ended when they make none.
type Call struct {
	Dir      string
	Settings []string
	Args     []string
	Stdin    []byte
	Env      []string
	Config   [][2]string // settings whose names "-c" could not carry, such as those of branches with "=" in theirs
	Limit    time.Duration
	Write    bool
	Remote   bool
	Hooks    string // the folder of the hooks that run although the place is others'; "" = none run there
}

// Run returns the standard output, or an *Error, a *VersionError or the context's error.
func (g *Runner) Run(ctx context.Context, c Call) ([]byte, error) {
	if c.Write {
		if err := g.check(ctx); err != nil {
			return nil, err
		}
		return g.exec(ctx, c)
	}
	// A command that writes nothing need not wait for the version.
	verdict := make(chan error, 1)
	// A command that writes nothing need not wait for the version, which costs a process of its own.
	go func() { verdict <- g.check(ctx) }()
	out, err := g.exec(ctx, c)
	if old := <-verdict; old != nil {
		return nil, old
	}
	return out, err
}

// Retry is Run for commands that take locks: while another process holds one, it waits
// and tries again up to lockLimit. The lock itself is never touched. Where ctx ends the
// waiting, the error is both its cause and what git said.
func (g *Runner) Retry(ctx context.Context, c Call) ([]byte, error) {
	c.Write = true
	began := time.Now()
	wait := NewBackoff(cmp.Or(g.Patience, lockLimit))
	for {
		out, err := g.Run(ctx, c)
		if err == nil || !Contended(err) {
			return out, err
		}
		// The lock of another process is never removed: only its owner, or a person, knows whether it is at work.
		if !wait.Sleep(ctx) {
			if failed, ok := errors.AsType[*Error](err); ok {
				failed.Waited = time.Since(began)
			}
			// The cause alone would hide which lock was waited for.
			if ctx.Err() != nil {
				err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
			}
			return out, err
		}
	}
}

// After runs a hook that git would run after its work, by a call with the hook's arguments. As for git, a failure changes
// nothing about that work: it is passed to HookFailed.
func (g *Runner) After(ctx context.Context, hook string, c Call) error {
	c.Write, c.Limit = true, LongLimit
	c.Args = append([]string{"hook", "run", "--ignore-missing", hook, "--"}, c.Args...)
	_, err := g.Run(ctx, c)
	// As for git, such a hook cannot undo the work, so its failure is reported and not returned.
	failed, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	if g.HookFailed != nil {
		g.HookFailed(hook, cmp.Or(reason(failed.Stderr), fmt.Sprintf("exit status %d", failed.ExitCode)))
	}
	return nil
}

// check looks at the version once; what failed is looked at again the next time.
func (g *Runner) check(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.checked {
		return nil
	}
	out, err := g.exec(ctx, Call{Args: []string{"version"}})
	// Only a version that is new enough is remembered: git can be installed while a server runs.
	if errors.Is(err, exec.ErrNotFound) {
		return &VersionError{Want: minGit}
	}
	if err != nil {
		return err
	}
	have := strings.TrimPrefix(strings.TrimSpace(string(out)), "git version ")
	if !newEnough(have) {
		return &VersionError{Have: have, Want: minGit}
	}
	g.checked, g.version = true, have
	return nil
}

// Version returns the version of git, "" while no process of it has run.
func (g *Runner) Version() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.version
}

func newEnough(have string) bool {
	var major, minor int
	if _, err := fmt.Sscanf(have, "%d.%d", &major, &minor); err != nil {
		return false
	}
	return major > 2 || major == 2 && minor >= 38
}

// exec runs one process to its end, in a group of its own that dies with the context.
func (g *Runner) exec(ctx context.Context, c Call) ([]byte, error) {
	if !c.Remote {
		return g.execHeard(ctx, c, 0)
	}
	began, most := time.Now(), g.silence.limit(cmp.Or(g.Silence, firstSilence))
	out, err := g.execHeard(ctx, c, most)
	// A remote with slow hooks gets more time in the next call.
	g.silence.learn(most, time.Since(began), err)
	return out, err
}

// execHeard is exec for a process that may print no errors for so long; 0 means that it may be silent.
func (g *Runner) execHeard(ctx context.Context, c Call, silent time.Duration) ([]byte, error) {
	limit := cmp.Or(c.Limit, ShortLimit)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	limited, end := context.WithCancelCause(limited)
	defer end(nil)
	stdout, stderr := &capped{max: MaxStdout}, &capped{max: maxStderr}
	start := g.starter(c)
	// In a place of others, the whole of git is in the sandbox already; here only the programs that it starts go there.
	if start == nil && g.Programs != nil && c.Dir != "" && startsPrograms(c.Args) {
		further, err := g.Programs(limited, c.Dir)
		if err != nil {
			return nil, err
		}
		c.Config = slices.Concat(c.Config, further)
	}
	cmd := g.command(limited, c, start != nil)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if silent > 0 {
		l := newListener(stderr, silent, end)
		defer l.stop()
		cmd.Stderr = l
	}
	if c.Stdin != nil {
		cmd.Stdin = bytes.NewReader(c.Stdin)
	}
	endPlace, err := start.run(cmd)
	if err == nil {
		err = cmd.Wait()
		// Before anything is read that what git has left behind could still change.
		if ended := endPlace(); err == nil {
			err = ended
		}
	}
	if limited.Err() != nil && cmd.Process != nil {
		// What ignored the polite end would otherwise keep the pipes open, and its locks.
		endGroup(cmd.Process, true)
	}
	// The caller's own end counts more than silence, which it can have caused.
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(limited), ErrSilent) {
		return stdout.buf.Bytes(), fmt.Errorf("git %s: %w for %s", c.Args[0], ErrSilent, silent)
	}
	return stdout.buf.Bytes(), verdict(ctx, limited, c, limit, cmd, stdout, stderr, err)
}

// startsPrograms reports whether a command of git can start a filter, a driver, a monitor or a hook. Those that cannot only read
// settings and objects: each reader of the index asks the monitor.
func startsPrograms(args []string) bool {
	return !slices.Contains([]string{
		"config", "version", "var", "cat-file", "ls-tree", "for-each-ref", "show-ref", "merge-base", "check-ref-format", "mktree",
		"commit-tree", "ls-remote", "count-objects",
		// "rev-parse --git-path" only asks where the hooks are.
	}, args[0]) && !slices.Contains(args, "--git-path")
}

// starter returns how a call starts, nil for a trusted place.
func (g *Runner) starter(c Call) Starter {
	if g.Places == nil || c.Dir == "" {
		return nil
	}
	return g.Places(c.Dir, c.Write)
}

// run starts a command; without a starter, as it is.
func (s Starter) run(cmd *exec.Cmd) (end func() error, err error) {
	if s == nil {
		return func() error { return nil }, cmd.Start()
	}
	return s(cmd)
}

// command prepares a process: arguments only, no shell, no terminal, no prompt. apart is for a place of others.
func (g *Runner) command(ctx context.Context, c Call, apart bool) *exec.Cmd {
	// Texts that pass between this process and git are UTF-8, whatever a person reads and writes.
	args := []string{"-c", "advice.detachedHead=false", "-c", "i18n.commitEncoding=UTF-8", "-c", "i18n.logOutputEncoding=UTF-8"}
	// A background gc would outlive the command and pack objects under a run; "gc" itself obeys the person's settings.
	if c.Args[0] != "gc" {
		args = append(args, "-c", "gc.auto=0", "-c", "maintenance.auto=false")
	}
	for _, setting := range c.Settings {
		args = append(args, "-c", setting)
	}
	env := environment(os.Environ(), g.Env, c)
	// These come last, so that no setting of a caller counts more.
	if apart {
		settings, variables := hostileSettings(cmp.Or(c.Hooks, os.DevNull))
		for _, setting := range settings {
			args = append(args, "-c", setting)
		}
		env = append(env, variables...)
	}
	cmd := exec.CommandContext(ctx, g.path(), append(args, c.Args...)...)
	cmd.Dir = c.Dir
	cmd.Env = env
	// In a group of its own, what git starts, such as a filter, ends with it.
	cmd.SysProcAttr = ownGroup()
	// Asked to end, git removes its lock files; killed, it leaves them behind.
	cmd.Cancel = func() error { return endGroup(cmd.Process, false) }
	cmd.WaitDelay = killDelay
	return cmd
}

// path returns the git that was found first: one that something puts on PATH later is not run. If that is gone, as after
// an upgrade that moved it, git is looked for again.
func (g *Runner) path() string {
	g.find.Lock()
	defer g.find.Unlock()
	// The path is kept, so that a git that is put on PATH later is not run; one that an upgrade has removed is looked for
	// again.
	if _, err := os.Stat(g.program); g.program != "" && err == nil {
		return g.program
	}
	path, err := exec.LookPath("git")
	if err != nil {
		// Starting it reports why there is none.
		return "git"
	}
	// Git runs in other folders, where a relative path from PATH would lead elsewhere.
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	g.program = path
	return path
}

// Paths returns the path of git, and what it leads to if it is a link.
func (g *Runner) Paths() []string {
	path := g.path()
	real, err := filepath.EvalSymlinks(path)
	if err != nil || real == path {
		return []string{path}
	}
	return []string{path, real}
}

// verdict turns the end of a process into an error that says what happened.
func verdict(ctx, limited context.Context, c Call, limit time.Duration, cmd *exec.Cmd, stdout, stderr *capped, err error) error {
	name := "git " + c.Args[0]
	var exit *exec.ExitError
	switch {
	// Output that was cut off must not be taken for all of it.
	case err == nil && stdout.over:
		return fmt.Errorf("%s: more than %d MiB of output", name, MaxStdout>>20)
	case err == nil:
		return nil
	// The context is asked before the exit code: a command that was ended also has one.
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", name, context.Cause(ctx))
	case limited.Err() != nil:
		return fmt.Errorf("%s: no end after %s: %w", name, limit, context.DeadlineExceeded)
	case errors.Is(err, exec.ErrWaitDelay):
		// Git ended well; something that it started, such as a monitor, keeps its pipes open.
		return nil
	case errors.As(err, &exit):
		return &Error{Args: c.Args, Dir: c.Dir, ExitCode: cmd.ProcessState.ExitCode(), Stderr: stderr.buf.String(), DiskFull: layout.Full(c.Dir)}
	default:
		return fmt.Errorf("%s: %w", name, err)
	}
}

// capped keeps the first max bytes and forgets the rest, so that the writer never blocks.
type capped struct {
	buf  bytes.Buffer
	max  int
	over bool
}

func (b *capped) Write(p []byte) (int, error) {
	room := min(len(p), b.max-b.buf.Len())
	b.over = b.over || room < len(p)
	// The whole length is reported although the rest is dropped: a short write would end git with a broken pipe.
	b.buf.Write(p[:room])
	return len(p), nil
}

// Conversation is a git process that answers line by line until Stop is called.
type Conversation struct {
	In   io.WriteCloser
	Out  io.ReadCloser
	Stop func()
	Said func() string // what git has said on its standard error, after Stop
}

// Converse starts a process that lives until Stop.
func (g *Runner) Converse(ctx context.Context, c Call) (*Conversation, error) {
	if err := g.check(ctx); err != nil {
		return nil, err
	}
	start := g.starter(c)
	// The process outlives the call that needed it first, so only Stop ends it and not ctx.
	cmd := g.command(context.Background(), c, start != nil)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", c.Args[0], err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", c.Args[0], err)
	}
	stderr := &capped{max: maxStderr}
	cmd.Stderr = stderr
	end, err := start.run(cmd)
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", c.Args[0], err)
	}
	stop := sync.OnceFunc(func() {
		// An error would only say that the process ended before.
		_ = in.Close()
		endGroup(cmd.Process, true)
		_ = cmd.Wait()
		// As for the wait, an error says nothing new: the process was ended, and its answers were read.
		_ = end()
	})
	return &Conversation{In: in, Out: out, Stop: stop, Said: stderr.buf.String}, nil
}

// Records splits NUL-terminated output.
func Records(out []byte) []string {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

// NewSide returns the mode and the content to which a line of "git diff --raw" leads:
// ":oldmode newmode oldhash newhash status".
func NewSide(info string) (mode, hash string, ok bool) {
	parts := strings.Fields(info)
	if len(parts) != 5 {
		return "", "", false
	}
	return parts[1], parts[3], true
}
