package prompts

import (
	"context"
	"slices"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// CompletePromptArgument returns the values of an argument that contain what was typed: ids of specs, editions and
// adaptations; none for an unknown prompt and for other arguments.
func (s *Server) CompletePromptArgument(ctx context.Context, name string, a mcpgo.CompleteArgument, _ mcpgo.CompleteContext) (*mcpgo.Completion, error) {
	p, err := s.Project(ctx)
	if err != nil {
		return nil, err
	}
	known, err := s.all(ctx, p)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(known, func(e entry) bool { return e.name == name })
	if i < 0 || !slices.ContainsFunc(known[i].arguments(), func(each argument) bool { return each.Name == a.Name }) {
		return Complete(nil, ""), nil
	}
	switch a.Name {
	case idArgument:
		return CompleteID(ctx, p, a.Value)
	case editionArgument:
		return Complete(known[i].command.Editions(), a.Value), nil
	case adaptationArgument:
		return Complete(known[i].command.Adaptations(), a.Value), nil
	}
	return Complete(nil, ""), nil
}
