package providers

import (
	"fmt"
	"os"
	"strings"
)

// Detach starts a program that continues when this process ends: in a session of
// its own, with its output appended to a file and none of the marks by which an
// enclosing run would stop it. The channel is closed at its end.
// The error is a *MissingError, or that of the system.
func Detach(l Launch, output string) (Process, <-chan Exit, error) {
	file, err := os.OpenFile(output, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return Process{}, nil, fmt.Errorf("output of %q: %w", l.Path, err)
	}
	defer file.Close()
	cmd, err := detachedCommand(l, file)
	if err != nil {
		return Process{}, nil, err
	}
	p := Process{PID: cmd.Process.Pid, Started: identity(cmd.Process.Pid)}
	exited := make(chan Exit, 1)
	go func() {
		// The error repeats the exit status.
		_ = cmd.Wait()
		exited <- exitOf(cmd.ProcessState)
	}()
	return p, exited, nil
}

// withoutMarks is the environment without the marks of a run.
func withoutMarks(env []string) []string {
	var out []string
	// With these marks, an enclosing run would find and stop the process.
	for _, kv := range env {
		if !strings.HasPrefix(kv, RunIDKey+"=") && !strings.HasPrefix(kv, LineageKey+"=") {
			out = append(out, kv)
		}
	}
	return out
}
