package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/mcp"
	"chant/providers/loop"
	"chant/providers/relay"

	"github.com/spf13/cobra"
)

// maxPrompt bounds the prompt, in bytes.
const maxPrompt = 16 << 20

// newLoop is the agent loop as a process of its own; runs start it.
func newLoop(a *console.App) *cobra.Command {
	var tools []string
	c := &cobra.Command{
		Use:     "loop CONFIG",
		Short:   "Run chant's own agent with a prompt from stdin",
		Long:    "Run chant's own agent with a prompt from stdin: it asks a model over HTTP. Runs with the providers openai, ollama and anthropic start it. Prints one JSON object per line.",
		Example: "chant loop loop.json < prompt.md",
		Hidden:  true,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			config, err := loop.ReadConfig(args[0])
			if err != nil {
				return &engine.Error{Code: engine.Invalid, Message: err.Error(), Err: err}
			}
			agent := loop.Agent{Config: config, Environ: a.Environ, Out: a.Screen.Out, Hide: engine.Redact(a.Environ, config.KeyEnv)}
			if agent.Tools, err = loopTools(a, tools); err != nil {
				return err
			}
			prompt, err := io.ReadAll(io.LimitReader(a.In, maxPrompt+1))
			if err != nil || len(prompt) > maxPrompt {
				return &engine.Error{Code: engine.Usage, Message: fmt.Sprintf("cannot read the prompt from stdin, or it has more than %d bytes", maxPrompt), Err: err}
			}
			return loopFailure(agent.Run(c.Context(), string(prompt)))
		},
	}
	c.Flags().StringSliceVar(&tools, "tools", nil, "tools of chant to offer to the model")
	return c
}

// loopTools are tools of chant as the loop takes them, none when none is named. The
// project is that around the folder, as with `chant mcp`.
func loopTools(a *console.App, names []string) ([]loop.Tool, error) {
	if len(names) == 0 {
		return nil, nil
	}
	open := func() (*engine.Project, error) { return engine.Open(a.Dir, a.Options(nil)) }
	callables, err := mcp.Tools(a.Err, open, mcp.Options{Tools: names})
	if err != nil {
		return nil, err
	}
	var tools []loop.Tool
	for _, t := range callables {
		call := t.Call
		// Behind the wall of the run the loop cannot write where tools do, so that the run answers its calls.
		if socket := variable(a.Environ, relay.SocketKey); socket != "" {
			call = func(ctx context.Context, input json.RawMessage) (string, error) {
				return relayedTool(ctx, a, socket, t.Name, input)
			}
		}
		tools = append(tools, loop.Tool{Name: t.Name, Description: t.Text, Schema: t.Schema, Call: call})
	}
	return tools, nil
}

// loopFailure maps the end of a session to an error code. The last line printed has the reason.
func loopFailure(err error) error {
	var failed *loop.FailedError
	if errors.As(err, &failed) {
		return &engine.Error{Code: engine.Agent, Message: failed.Reason, Err: err}
	}
	return err
}
