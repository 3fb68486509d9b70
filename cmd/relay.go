package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/providers/relay"
)

// runThroughRelay has the process of the run carry out a command line of its agent, if this process is behind the agent's wall
// and in the repository of the run; done is false otherwise. What needs no repository is carried out here.
func runThroughRelay(ctx context.Context, args []string, s Env) (exit int, done bool) {
	socket, repo := variable(s.Environ, relay.SocketKey), variable(s.Environ, relay.RepoKey)
	// An agent may work in another repository too, in which the run has no part.
	if socket == "" || len(args) == 0 || isHere(args) || strings.HasPrefix(args[0], "-") || commonDirAbove(s.Dir) != repo {
		return 0, false
	}
	// Help needs no repository.
	if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		return 0, false
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	// A Ctrl-C has to end the command on the other side of the wall, too.
	if s.Interrupts != nil {
		go func() {
			select {
			case <-s.Interrupts:
				stop()
			case <-ctx.Done():
			}
		}()
	}
	exit, err := relay.Call(ctx, socket, relay.Request{Args: args, Dir: s.Dir}, s.Environ, os.Stdin, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintf(s.Err, "error: %s\n", err)
		return exitInside, true
	}
	return exit, true
}

// exitInside is the exit code of what an agent may not do, that of the state machine.
const exitInside = 5

// isHere reports whether a command line never goes through the run: the agent loop itself, the way into the network of an agent, what git calls with files and
// variables of the worktree, and what only prints text.
func isHere(args []string) bool {
	here := []string{"loop", "enter", "apart", "merge-driver", "version", "guide", "help", "completion", "__complete", "__completeNoDesc"}
	return slices.Contains(here, args[0]) || args[0] == "hooks" && len(args) > 1 && args[1] == "run"
}

// variable is the last value of a variable, "" without one.
func variable(environ []string, name string) string {
	// Backward, because the last value of a variable counts.
	for _, entry := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// commonDirAbove is the git folder that the worktrees of the repository around a folder share, "" for none.
func commonDirAbove(dir string) string {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return ""
	}
	for ; ; real = filepath.Dir(real) {
		dot := filepath.Join(real, ".git")
		info, err := os.Stat(dot)
		switch {
		case err == nil && info.IsDir():
			return dot
		case err == nil:
			text, err := os.ReadFile(dot)
			gitDir, leads := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
			if err != nil || !leads {
				return ""
			}
			if !filepath.IsAbs(gitDir) {
				gitDir = filepath.Join(real, gitDir)
			}
			// A worktree of its own names a folder below the shared one.
			if up := filepath.Dir(gitDir); filepath.Base(up) == "worktrees" {
				return filepath.Dir(up)
			}
			return gitDir
		case real == filepath.Dir(real):
			return ""
		}
	}
}

// toolReply is the answer of an MCP server to one call of a tool.
type toolReply struct {
	Result struct {
		Content []struct{ Text string } `json:"content"`
		IsError bool                    `json:"isError"`
	} `json:"result"`
	Error *struct{ Message string } `json:"error"`
}

// relayedTool calls a tool of chant through the process of the run: it starts an MCP server outside of the wall, which
// answers this one call.
func relayedTool(ctx context.Context, a *console.App, socket, name string, input json.RawMessage) (string, error) {
	request, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": name, "arguments": input},
	})
	if err != nil {
		return "", err
	}
	in, send, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer in.Close()
	receive, out, err := os.Pipe()
	if err != nil {
		return "", errors.Join(err, send.Close())
	}
	defer receive.Close()
	go func() {
		// A server that has ended says why below.
		_, _ = send.Write(append(request, '\n'))
		_ = send.Close()
	}()
	var answer []byte
	read := make(chan error, 1)
	// The pipe would fill up if nothing read it before the call returns.
	go func() {
		var err error
		answer, err = io.ReadAll(receive)
		read <- err
	}()
	_, err = relay.Call(ctx, socket, relay.Request{Args: []string{"mcp", "--tools", name}, Dir: a.Dir}, a.Environ, in, out, os.Stderr)
	// Only once this end is closed does the reader see the end.
	if err = errors.Join(err, out.Close(), <-read); err != nil {
		return "", err
	}
	return replyText(answer)
}

// replyText returns the text of the first reply among the messages of a server.
func replyText(answer []byte) (string, error) {
	for line := range strings.Lines(string(answer)) {
		var r toolReply
		// Notifications of the server come between the replies.
		if json.Unmarshal([]byte(line), &r) != nil {
			continue
		}
		if r.Error != nil {
			return "", errors.New(r.Error.Message)
		}
		var texts []string
		for _, c := range r.Result.Content {
			texts = append(texts, c.Text)
		}
		if text := strings.Join(texts, "\n"); r.Result.IsError {
			return "", errors.New(text)
		} else if len(texts) > 0 {
			return text, nil
		}
	}
	return "", fmt.Errorf("chant gave no answer: %q", answer[:min(len(answer), 200)])
}
