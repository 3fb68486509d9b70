package mcp

import (
	"context"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// mostGuess is how many completions one reply holds, as the protocol has it.
const mostGuess = 100

// completer completes the ids of specs, in resource templates and in arguments
// of prompts.
type completer struct{ srv *server }

var (
	_ mcpserver.ResourceCompletionProvider = completer{}
	_ mcpserver.PromptCompletionProvider   = completer{}
)

// CompleteResourceArgument lists the ids of specs that hold what was typed.
func (c completer) CompleteResourceArgument(ctx context.Context, _ string, a mcpgo.CompleteArgument, _ mcpgo.CompleteContext) (*mcpgo.Completion, error) {
	return c.complete(ctx, a)
}

// CompletePromptArgument is CompleteResourceArgument for prompts.
func (c completer) CompletePromptArgument(ctx context.Context, _ string, a mcpgo.CompleteArgument, _ mcpgo.CompleteContext) (*mcpgo.Completion, error) {
	return c.complete(ctx, a)
}

func (c completer) complete(ctx context.Context, a mcpgo.CompleteArgument) (*mcpgo.Completion, error) {
	out := &mcpgo.Completion{Values: []string{}}
	if a.Name != idArgument {
		return out, nil
	}
	rows, err := c.srv.rows(ctx)
	if err != nil {
		return nil, noProject(err)
	}
	for _, row := range rows {
		if !strings.Contains(row.ID, a.Value) {
			continue
		}
		if out.Total++; len(out.Values) < mostGuess {
			out.Values = append(out.Values, row.ID)
		}
	}
	out.HasMore = out.Total > len(out.Values)
	return out, nil
}
