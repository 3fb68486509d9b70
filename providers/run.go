package providers

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"time"

	"chant/providers/wall"
)

// defaultGrace is the time between the polite signal and the final one.
const defaultGrace = 5 * time.Second

// Limits of one run. A zero Timeout, Silence or Answer is none; a zero Grace is 5 s.
type Limits struct {
	Timeout time.Duration // the whole run
	Silence time.Duration // without a byte on stdout or stderr
	Grace   time.Duration // to end by itself after the polite signal
	// Answer is how long a CLI may ask the model's API again and again without an answer: from the first event Retry to the
	// next of its work.
	Answer time.Duration
	// Spend is called whenever the CLI reports usage; it returns the reason why the run must
	// end, "" to continue. It must not block for long.
	Spend func(Spent) string
	// Left is called at the start and repeatedly while the CLI runs, since other runs may use
	// up a shared limit. It returns how long the run may continue at most, and the reason when
	// that is nothing. An empty reason means no limit. It must not block for long.
	Left func() (time.Duration, string)
}

// Watch observes a run. Both functions may be nil. They are never called at
// the same time, nor after Run has returned. While Event works, the agent's
// pipes are not read: it must not wait for long.
type Watch struct {
	// Started gets the process, and a function that reports whether another process came of it, as long as it runs.
	Started func(p Process, owns func(pid int) bool)
	Event   func(Event)
}

// Run starts the launch, drains both pipes, enforces the limits, and returns
// when the process and all its descendants are gone, those included that a
// normal end left behind. The end of ctx stops it like a limit does. The error
// is set only if the process could not be started: a *MissingError, or what
// the system said.
func Run(ctx context.Context, l Launch, lim Limits, w Watch) (Outcome, error) {
	if ctx.Err() != nil {
		return ending{canceled: true}.outcome(Verdict{}, lim), nil
	}
	began := time.Now()
	out, err := openPipe()
	if err != nil {
		return Outcome{}, err
	}
	errs, err := openPipe()
	if err != nil {
		out.close()
		return Outcome{}, err
	}
	c, err := start(l, out, errs)
	if err != nil {
		return Outcome{}, err
	}
	if w.Started != nil {
		w.Started(c.process, c.isAncestorOf)
	}
	s := newStream(l, lim, w.Event)
	s.read(out, errs)

	end := c.supervise(ctx, lim, s)
	s.finish(end)

	o := end.outcome(s.verdict(end.exit), lim)
	o.StderrTail = s.stderr.text()
	o.Output = s.hasOutput()
	o.Duration = time.Since(began)
	return o.withHint(), nil
}

// child is a started process that has not been waited for.
type child struct {
	process Process
	family  *family
	exited  <-chan Exit
	wall    *wall.Wall // nil without one
}

// start is the only place that executes anything. It owns the write ends of
// the pipes: afterwards only the child has them. On an error it closes the
// read ends as well.
func start(l Launch, out, errs *pipe) (*child, error) {
	lineage := newLineage(l)
	cmd, around, err := launch(l, lineage, out, errs)
	// While this process has the write ends open, a reader never sees the end.
	out.w.Close()
	errs.w.Close()
	if err != nil {
		out.close()
		errs.close()
		return nil, err
	}
	return newChild(cmd, around, l, lineage), nil
}

// newLineage is the mark of the processes below a new one.
func newLineage(l Launch) string {
	lineage := rand.Text()
	if outer := Variable(l.Env, LineageKey); outer != "" {
		lineage = outer + lineageMark + lineage
	}
	return lineage
}

// newChild is the child that a command has become.
func newChild(cmd *exec.Cmd, around *wall.Wall, l Launch, lineage string) *child {
	process := Process{
		PID:     cmd.Process.Pid,
		Started: identity(cmd.Process.Pid),
		RunID:   Variable(l.Env, RunIDKey),
	}
	exited := make(chan Exit, 1)
	// Not before the identity is read: a process that ended keeps its number
	// until it is waited for.
	go func() {
		// The error repeats the exit status; no copying can fail here.
		_ = cmd.Wait()
		exited <- exitOf(cmd.ProcessState)
	}()
	return &child{process: process, family: newFamily(process, lineage, around.Kills()), exited: exited, wall: around}
}

// launch starts the command, several times while the file is busy: between
// writing a program and running it, a fork elsewhere in this process may still
// hold it open.
func launch(l Launch, lineage string, out, errs *pipe) (*exec.Cmd, *wall.Wall, error) {
	stdin, err := os.Open(stdinPath(l))
	if err != nil {
		return nil, nil, fmt.Errorf("stdin of %q: %w", l.Path, err)
	}
	defer stdin.Close()
	return launchWith(l, lineage, stdin, out.w, errs.w)
}

// launchWith is launch with any three streams.
func launchWith(l Launch, lineage string, stdin, out, errs *os.File) (*exec.Cmd, *wall.Wall, error) {
	for pause := time.Millisecond; ; pause *= 2 {
		cmd := exec.Command(l.Path, l.Args...)
		cmd.Dir = l.Dir
		// The mark comes last, so that a variable of the agent does not hide it.
		cmd.Env = keepLastOfEachKey(append(append([]string{}, l.Env...), LineageKey+"="+lineage))
		cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, out, errs
		cmd.SysProcAttr = ownGroup()
		around, err := begin(cmd, l.Wall)
		if err == nil {
			return cmd, around, nil
		}
		if !errors.Is(err, syscall.ETXTBSY) || pause > time.Second {
			return nil, nil, startError(l, err)
		}
		time.Sleep(pause)
	}
}

// begin starts a command, behind a wall if it has one.
func begin(cmd *exec.Cmd, policy *wall.Policy) (*wall.Wall, error) {
	if policy == nil {
		return nil, cmd.Start()
	}
	return wall.Start(cmd, *policy)
}

func stdinPath(l Launch) string {
	if l.Stdin == "" {
		return os.DevNull
	}
	return l.Stdin
}

// startError distinguishes a missing program from a missing folder, which the system
// reports with the same error, and recognises a file that is no program.
func startError(l Launch, err error) error {
	// The system reports a missing folder with the same error.
	if _, statErr := os.Stat(l.Path); errors.Is(statErr, fs.ErrNotExist) {
		return &MissingError{Binary: l.Path}
	}
	if errors.Is(err, syscall.ENOEXEC) {
		return &FormatError{Binary: l.Path}
	}
	return fmt.Errorf("program %q in %q: %w", l.Path, l.Dir, err)
}

// Attach starts the launch with the given streams, which stay the caller's, and returns when the process and all its
// descendants are gone. The end of ctx stops it. The error is set only if the process could not be started.
func Attach(ctx context.Context, l Launch, streams [3]*os.File) (Exit, error) {
	lineage := newLineage(l)
	cmd, around, err := launchWith(l, lineage, streams[0], streams[1], streams[2])
	if err != nil {
		return Exit{}, err
	}
	return newChild(cmd, around, l, lineage).supervise(ctx, Limits{}, nil).exit, nil
}

// detachedCommand starts the command of Detach: nothing of this process is its own but
// the file it writes to.
func detachedCommand(l Launch, output *os.File) (*exec.Cmd, error) {
	cmd := exec.Command(l.Path, l.Args...)
	cmd.Dir = l.Dir
	cmd.Env = keepLastOfEachKey(withoutMarks(l.Env))
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = ownGroup()
	if err := cmd.Start(); err != nil {
		return nil, startError(l, err)
	}
	return cmd, nil
}
