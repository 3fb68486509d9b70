package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"chant/providers"
	"chant/text"
)

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
		Call:   typedCall(s.run),
	}
}

// run carries out a command line and ends everything that it has started, however it went.
func (s shell) run(ctx context.Context, in commandInput) (string, error) {
	if strings.TrimSpace(in.Command) == "" || strings.ContainsRune(in.Command, 0) {
		return "", errors.New("the command is empty or contains a NUL byte")
	}
	limit := s.limit
	if own := time.Duration(in.Timeout) * time.Second; own > 0 && own < limit {
		limit = own
	}
	// The note about what is left out needs room, too.
	kept := text.NewEndsWriter(s.said - 100)
	res, err := providers.RunCommand(ctx, providers.Command{Line: in.Command, Dir: s.dir, Env: s.environ, Timeout: limit, Output: kept})
	if err != nil {
		return "", err
	}
	output := strings.TrimSuffix(kept.String(), "\n")
	if output == "" {
		output = "[no output]"
	}
	switch {
	case res.TimedOut:
		return "", fmt.Errorf("%s\n[stopped: it took longer than %s]", output, limit)
	case res.ExitCode != 0:
		return "", fmt.Errorf("%s\n[exit code %d]", output, res.ExitCode)
	}
	return output, nil
}
