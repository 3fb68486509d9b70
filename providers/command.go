package providers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"time"

	"chant/providers/secret"
	"chant/providers/wall"
)

// Command is one shell line that is run for its exit code, such as the check
// of a criterion or a step of a worktree's set-up.
type Command struct {
	Line    string        // what sh -c gets
	Dir     string        // working directory
	Env     []string      // the whole environment, K=V; sh is found on its PATH
	Timeout time.Duration // 0 is none
	// Output gets a copy of what comes, as it comes; nil is none. After its
	// first error it gets no more, and the result is the same.
	Output io.Writer
	RunID  string // set as CHANT_RUN_ID, so that Stop finds the processes
	// Secrets are taken out of the output before it is copied, kept or hashed; nil:
	// none are known.
	Secrets *secret.Redactor
	Wall    *wall.Policy // limits what the command and its descendants may do; nil = nothing does
}

// CommandResult is the end of a command and its output.
type CommandResult struct {
	ExitCode int // 128 + the signal's number after a signal
	TimedOut bool
	Duration time.Duration
	Busy     time.Duration // processor time of the command and of those it has waited for
	Tail     string        // at most 4 KiB, valid UTF-8, from a line's start
	SHA256   string        // hex, of the whole output, both streams as they came, without secrets
	Bytes    int64         // length of the same
	// Unreached is set if it tried to reach what its network, if that is its own, does not have.
	Unreached bool
}

// RunCommand runs the line with sh, both output streams merged, nothing on
// stdin, and in a process group of its own. When it ends, by itself or at the
// limit, no descendant lives on. An error means that sh could not be started
// (*MissingError if it is not there), or that ctx ended, which it wraps; the
// exit code of the line is never one.
func RunCommand(ctx context.Context, c Command) (CommandResult, error) {
	if err := ctx.Err(); err != nil {
		return CommandResult{}, commandError(c, err)
	}
	began := time.Now()
	path, err := Find("sh", c.Dir, c.Env)
	if err != nil {
		return CommandResult{}, err
	}
	out, err := openPipe()
	if err != nil {
		return CommandResult{}, err
	}
	child, err := start(c.launch(path), out, out)
	if err != nil {
		return CommandResult{}, err
	}
	r := newRecorder(c.Output)
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		clean := c.Secrets.Writer(r)
		// A read that fails is the end of the output; the recorder never fails.
		_, _ = io.Copy(clean, out)
		_ = clean.Flush()
	}()
	// The group is ended also after a line that ended by itself: a process in the background must not outlive it.
	end := child.supervise(ctx, Limits{Timeout: c.Timeout}, nil)
	out.finish(drained)

	result := r.result()
	result.ExitCode = end.exit.Code
	result.TimedOut, result.Unreached = end.timedOut, child.wall.Unreached()
	result.Duration, result.Busy = time.Since(began), end.exit.Busy
	if end.canceled {
		return result, commandError(c, ctx.Err())
	}
	// What lives on could change what is judged next.
	if end.walled != nil {
		return result, commandError(c, fmt.Errorf("%w: %w", ErrStillAlive, end.walled))
	}
	return result, nil
}

func (c Command) launch(path string) Launch {
	// The caller's environment must not share its memory with this one.
	env := append([]string{}, c.Env...)
	if c.RunID != "" {
		env = append(env, RunIDKey+"="+c.RunID)
	}
	return Launch{Path: path, Args: []string{"-c", c.Line}, Dir: c.Dir, Env: env, Wall: c.Wall}
}

func commandError(c Command, err error) error {
	return fmt.Errorf("command %q: %w", c.Line, err)
}

// recorder takes a command's output: hashed and counted whole, kept at the
// end, copied on request.
type recorder struct {
	copy  io.Writer // nil: none, or none any more
	hash  hash.Hash
	bytes int64
	tail  tail
}

func newRecorder(output io.Writer) *recorder {
	return &recorder{copy: output, hash: sha256.New()}
}

// Write never fails: a broken copy must not block the command.
func (r *recorder) Write(p []byte) (int, error) {
	r.hash.Write(p)
	r.bytes += int64(len(p))
	r.tail.write(p)
	if r.copy != nil {
		if _, err := r.copy.Write(p); err != nil {
			// The first error ends the copy, not the command.
			r.copy = nil
		}
	}
	return len(p), nil
}

func (r *recorder) result() CommandResult {
	return CommandResult{
		Tail:   r.tail.text(),
		SHA256: hex.EncodeToString(r.hash.Sum(nil)),
		Bytes:  r.bytes,
	}
}
