package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"chant/cmd/console"
	"chant/providers/relay"
)

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
		_, _ = send.Write(append(request, '\n')) // a server that has ended says why below
		_ = send.Close()
	}()
	var answer []byte
	read := make(chan error, 1)
	go func() {
		var err error
		answer, err = io.ReadAll(receive)
		read <- err
	}()
	_, err = relay.Call(ctx, socket, relay.Request{Args: []string{"mcp", "--tools", name}, Dir: a.Dir}, a.Environ, in, out, os.Stderr)
	if err = errors.Join(err, out.Close(), <-read); err != nil {
		return "", err
	}
	return textOf(answer)
}

// textOf returns the text of the first reply among the messages of a server.
func textOf(answer []byte) (string, error) {
	for line := range strings.Lines(string(answer)) {
		var r toolReply
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
