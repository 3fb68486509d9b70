package providers

import (
	"context"
	"fmt"
	"io"
	"time"

	"chant/text"
)

// ApartResult is the end of a command whose output streams are kept apart, and its output.
type ApartResult struct {
	ExitCode       int // 128 + the signal's number after a signal
	TimedOut       bool
	Duration       time.Duration
	Stdout, Stderr string // valid UTF-8; of a long output the beginning and the end
}

// RunApart is RunCommand with the two output streams kept apart and each of them up to keep bytes. Arguments are the
// positional parameters of the line: "$1" and so on, or all of them as "$@"; name is its "$0". Output gets nothing.
func RunApart(ctx context.Context, c Command, keep int, name string, args ...string) (ApartResult, error) {
	if err := ctx.Err(); err != nil {
		return ApartResult{}, commandError(c, err)
	}
	began := time.Now()
	path, err := Find("sh", c.Dir, c.Env)
	if err != nil {
		return ApartResult{}, err
	}
	out, err := openPipe()
	if err != nil {
		return ApartResult{}, err
	}
	errs, err := openPipe()
	if err != nil {
		out.close()
		return ApartResult{}, err
	}
	l := c.launch(path)
	l.Args = append(append(l.Args, name), args...)
	child, err := start(l, out, errs)
	if err != nil {
		return ApartResult{}, err
	}
	stdout, drainedOut := c.drain(out, keep)
	stderr, drainedErr := c.drain(errs, keep)
	end := child.supervise(ctx, Limits{Timeout: c.Timeout}, nil)
	// The pipes are waited for only now: while something that inherited them lives, they do not end.
	out.finish(drainedOut)
	errs.finish(drainedErr)
	result := ApartResult{
		ExitCode: end.exit.Code, TimedOut: end.timedOut, Duration: time.Since(began), Stdout: stdout.String(), Stderr: stderr.String(),
	}
	if end.canceled {
		return result, commandError(c, ctx.Err())
	}
	// A process that lives on could change what is judged next.
	if end.walled != nil {
		return result, commandError(c, fmt.Errorf("%w: %w", ErrStillAlive, end.walled))
	}
	return result, nil
}

// drain reads a pipe to its end, without secrets.
func (c Command) drain(from *pipe, keep int) (*text.EndsWriter, <-chan struct{}) {
	ends, drained := text.NewEndsWriter(keep), make(chan struct{})
	go func() {
		defer close(drained)
		clean := c.Secrets.Writer(ends)
		// A read that fails is the end of the output; the writer never fails.
		_, _ = io.Copy(clean, from)
		_ = clean.Flush()
	}()
	return ends, drained
}
