package mcp

import (
	"context"
	"slices"
	"strings"

	"chant/engine/author"
	"chant/engine/view"

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

// CompletePromptArgument is CompleteResourceArgument for prompts that there are.
func (c completer) CompletePromptArgument(ctx context.Context, name string, a mcpgo.CompleteArgument, _ mcpgo.CompleteContext) (*mcpgo.Completion, error) {
	known, err := c.srv.prompts(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(known, func(p author.PromptInfo) bool { return p.Name == name }) {
		return &mcpgo.Completion{Values: []string{}}, nil
	}
	return c.complete(ctx, a)
}

func (c completer) complete(ctx context.Context, a mcpgo.CompleteArgument) (*mcpgo.Completion, error) {
	out := &mcpgo.Completion{Values: []string{}}
	if a.Name != idArgument {
		return out, nil
	}
	p, err := c.srv.project(ctx)
	if err != nil {
		return nil, err
	}
	ids, err := view.IDs(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if !strings.Contains(id, a.Value) {
			continue
		}
		if out.Total++; len(out.Values) < mostGuess {
			out.Values = append(out.Values, id)
		}
	}
	out.HasMore = out.Total > len(out.Values)
	return out, nil
}
