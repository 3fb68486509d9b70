package gitops

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	shortLimit = time.Minute      // most commands
	longLimit  = 10 * time.Minute // those that write whole working trees or run hooks
	lockLimit  = 10 * time.Second // of waiting for another process's lock
	killDelay  = 3 * time.Second  // between asking git to end and ending it
	maxStdout  = 512 << 20
	maxStderr  = 64 << 10
	oldestGit  = "2.38" // merge-tree --write-tree
)

// git runs the git binary. Only this file starts processes.
type git struct {
	mu       sync.Mutex
	checked  bool          // the version was found new enough
	patience time.Duration // of retry, 0 for lockLimit
}

// call is one command. Settings are "key=value" for this run alone; the zero limit means
// shortLimit; write allows locks that a mere reader should not take.
type call struct {
	dir      string
	settings []string
	args     []string
	stdin    []byte
	env      []string
	limit    time.Duration
	write    bool
}

// run returns the standard output, or a *GitError, *VersionError or the context's error.
func (g *git) run(ctx context.Context, c call) ([]byte, error) {
	if err := g.check(ctx); err != nil {
		return nil, err
	}
	return g.exec(ctx, c)
}

// retry is run for commands that take locks: while another process holds one, it waits
// and tries again up to lockLimit. The lock itself is never touched. Where ctx ends the
// waiting, the error is both its cause and what git said.
func (g *git) retry(ctx context.Context, c call) ([]byte, error) {
	c.write = true
	wait := newBackoff(cmp.Or(g.patience, lockLimit))
	for {
		out, err := g.run(ctx, c)
		if err == nil || !contended(err) {
			return out, err
		}
		if !wait.sleep(ctx) {
			if ctx.Err() != nil {
				err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
			}
			return out, err
		}
	}
}

// check looks at the version once; what failed is looked at again the next time.
func (g *git) check(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.checked {
		return nil
	}
	out, err := g.exec(ctx, call{args: []string{"version"}})
	if errors.Is(err, exec.ErrNotFound) {
		return &VersionError{Want: oldestGit}
	}
	if err != nil {
		return err
	}
	have := strings.TrimPrefix(strings.TrimSpace(string(out)), "git version ")
	if !newEnough(have) {
		return &VersionError{Have: have, Want: oldestGit}
	}
	g.checked = true
	return nil
}

func newEnough(have string) bool {
	var major, minor int
	if _, err := fmt.Sscanf(have, "%d.%d", &major, &minor); err != nil {
		return false
	}
	return major > 2 || major == 2 && minor >= 38
}

// exec runs one process to its end, in a group of its own that dies with the context.
func (g *git) exec(ctx context.Context, c call) ([]byte, error) {
	limit := c.limit
	if limit == 0 {
		limit = shortLimit
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stdout, stderr := &capped{max: maxStdout}, &capped{max: maxStderr}
	cmd := command(limited, c)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if c.stdin != nil {
		cmd.Stdin = bytes.NewReader(c.stdin)
	}
	err := cmd.Run()
	if limited.Err() != nil && cmd.Process != nil {
		endGroup(cmd.Process, true) // what ignored the polite end
	}
	return stdout.buf.Bytes(), verdict(ctx, limited, c, limit, cmd, stdout, stderr, err)
}

// command prepares a process: arguments only, no shell, no terminal, no prompt.
func command(ctx context.Context, c call) *exec.Cmd {
	args := []string{"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "advice.detachedHead=false"}
	for _, setting := range c.settings {
		args = append(args, "-c", setting)
	}
	cmd := exec.CommandContext(ctx, "git", append(args, c.args...)...)
	cmd.Dir = c.dir
	cmd.Env = environment(os.Environ(), c)
	cmd.SysProcAttr = ownGroup()
	// Asked to end, git removes its lock files; killed, it leaves them behind.
	cmd.Cancel = func() error { return endGroup(cmd.Process, false) }
	cmd.WaitDelay = killDelay
	return cmd
}

// verdict turns the end of a process into an error that says what happened.
func verdict(ctx, limited context.Context, c call, limit time.Duration, cmd *exec.Cmd, stdout, stderr *capped, err error) error {
	name := "git " + c.args[0]
	var exit *exec.ExitError
	switch {
	case err == nil && stdout.over:
		return fmt.Errorf("%s: more than %d MiB of output", name, maxStdout>>20)
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", name, context.Cause(ctx))
	case limited.Err() != nil:
		return fmt.Errorf("%s: no end after %s: %w", name, limit, context.DeadlineExceeded)
	case errors.Is(err, exec.ErrWaitDelay):
		return nil // git ended well; something it started keeps its pipes open
	case errors.As(err, &exit):
		return &GitError{Args: c.args, ExitCode: cmd.ProcessState.ExitCode(), Stderr: stderr.buf.String()}
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
	b.buf.Write(p[:room])
	return len(p), nil
}

// conversation is a git process that answers line by line until stop is called.
type conversation struct {
	in   io.WriteCloser
	out  io.ReadCloser
	stop func()
}

// converse starts a process that lives until stop; it needs no goroutine of its own.
func (g *git) converse(ctx context.Context, c call) (*conversation, error) {
	if err := g.check(ctx); err != nil {
		return nil, err
	}
	cmd := command(context.Background(), c)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", c.args[0], err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", c.args[0], err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("git %s: %w", c.args[0], err)
	}
	stop := sync.OnceFunc(func() {
		_ = in.Close() // its end is all that is wanted; an error would say it ended before
		endGroup(cmd.Process, true)
		_ = cmd.Wait()
	})
	return &conversation{in: in, out: out, stop: stop}, nil
}
