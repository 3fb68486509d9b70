package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// drainFor is how long the end of a command's output is waited for when everything of
// its group has been ended: only who left the group can still hold it open.
const drainFor = time.Second

// shell runs commands in the worktree.
type shell struct {
	dir     string
	environ []string
	limit   time.Duration
	said    int
}

type commandInput struct {
	Command string `json:"command"`
	Timeout number `json:"timeout"`
}

func (s shell) tool() Tool {
	return Tool{
		Name: "run_command", Description: "Run a shell command at the top of the worktree; what it leaves running is ended",
		Schema: json.RawMessage(`{"type":"object","properties":{"command":{"type":"string"},"timeout":{"type":"integer","description":"seconds"}},"required":["command"]}`),
		Call: func(ctx context.Context, input json.RawMessage) (string, error) {
			in, err := arguments[commandInput](input)
			if err != nil {
				return "", err
			}
			if strings.TrimSpace(in.Command) == "" || strings.ContainsRune(in.Command, 0) {
				return "", errors.New("the command is empty or has a NUL in it")
			}
			limit := s.limit
			if own := time.Duration(in.Timeout) * time.Second; own > 0 && own < limit {
				limit = own
			}
			return s.run(ctx, in.Command, limit)
		},
	}
}

// run carries out a command line and ends everything of its group, however it went.
func (s shell) run(ctx context.Context, line string, limit time.Duration) (string, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return "", err
	}
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = s.dir, s.environ, ownGroup()
	cmd.Stdout, cmd.Stderr = in, in // files, so that Wait waits for the shell alone
	err = cmd.Start()
	err = errors.Join(err, in.Close())
	if err != nil {
		return "", errors.Join(err, out.Close())
	}
	kept, drained := &keeper{limit: s.said - 100}, make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(kept, out) // it ends with the output, or when that is closed
	}()
	late, waited := s.wait(ctx, cmd, limit)
	drain(out, drained)
	return told(kept.String(), limit, late, waited)
}

// wait returns when the shell has ended, whether it had to be ended for its time, and
// what became of it.
func (s shell) wait(ctx context.Context, cmd *exec.Cmd, limit time.Duration) (late bool, err error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		endGroup(cmd.Process)
		<-ended // which says that it was killed
		return false, ctx.Err()
	case <-timer.C:
		late = true
		endGroup(cmd.Process)
		err = <-ended
	}
	endGroup(cmd.Process) // what it left in the background
	return late, err
}

// drain waits for the rest of the output.
func drain(out *os.File, drained <-chan struct{}) {
	timer := time.NewTimer(drainFor)
	defer timer.Stop()
	select {
	case <-drained:
	case <-timer.C:
	}
	_ = out.Close() // which ends a reader that is still there; nothing is lost by an error
	<-drained
}

// told is a command's answer: its output, and how it ended if not well.
func told(output string, limit time.Duration, late bool, err error) (string, error) {
	output = strings.TrimSuffix(output, "\n")
	if output == "" {
		output = "[no output]"
	}
	var exit *exec.ExitError
	switch {
	case late:
		return "", fmt.Errorf("%s\n[stopped: it took longer than %s]", output, limit)
	case errors.As(err, &exit):
		return "", fmt.Errorf("%s\n[%s]", output, exit)
	case err != nil:
		return "", err
	}
	return output, nil
}
