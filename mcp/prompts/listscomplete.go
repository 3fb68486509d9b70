package prompts

import (
	"context"
	"strings"

	"chant/engine"
	"chant/engine/view"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// maxGuesses is how many completions one reply has, as the protocol says.
const maxGuesses = 100

// Complete returns those values that contain what was typed.
func Complete(values []string, typed string) *mcpgo.Completion {
	out := &mcpgo.Completion{Values: []string{}}
	for _, value := range values {
		if !strings.Contains(value, typed) {
			continue
		}
		if out.Total++; len(out.Values) < maxGuesses {
			out.Values = append(out.Values, value)
		}
	}
	out.HasMore = out.Total > len(out.Values)
	return out
}

// CompleteID returns the ids of specs that contain what was typed. Errors: those of view.IDs.
func CompleteID(ctx context.Context, p *engine.Project, typed string) (*mcpgo.Completion, error) {
	ids, err := view.IDs(ctx, p)
	if err != nil {
		return nil, err
	}
	return Complete(ids, typed), nil
}
