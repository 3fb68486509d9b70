package mcp

import (
	"context"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/author"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// prompting is the one prompt that the library knows. It represents those of the
// project, which come and go while the server runs.
const prompting = "prompt"

// Arguments of a prompt: the spec it is filled in for and, between us and the
// library, the name that was asked for, which no client can spell.
const (
	idArgument    = "id"
	namedArgument = "\x00name"
)

// addPrompts shows the prompts that specs are worked with.
func (s *server) addPrompts() {
	s.core.AddPrompt(mcpgo.Prompt{Name: prompting}, s.getPrompt)
}

// listPrompts fills in one page of the list in place of the library's.
func (s *server) listPrompts(ctx context.Context, _ any, m *mcpgo.ListPromptsRequest, r *mcpgo.ListPromptsResult) {
	r.Prompts = r.Prompts[:0]
	known, err := s.prompts(ctx)
	if err != nil {
		s.log.Printf("prompts/list: %v", err)
		return
	}
	known, r.NextCursor = page(known, m.Params.Cursor, func(p author.PromptInfo) string { return p.Name }, strings.Compare)
	for _, p := range known {
		r.Prompts = append(r.Prompts, mcpgo.Prompt{
			Name: p.Name, Description: p.Purpose,
			Arguments: []mcpgo.PromptArgument{{Name: idArgument, Description: "Spec ID (full or partial) to fill it in for"}},
		})
	}
}

func (s *server) prompts(ctx context.Context) ([]author.PromptInfo, error) {
	p, err := s.project(ctx)
	if err != nil {
		return nil, err
	}
	r, err := author.Prompts(ctx, p, author.PromptsInput{})
	return r.Prompts, err
}

// leadPrompt leads a request to the prompt that represents all, and passes on the
// name.
func leadPrompt(_ context.Context, _ any, m *mcpgo.GetPromptRequest) {
	args := map[string]string{namedArgument: m.Params.Name}
	for k, v := range m.Params.Arguments {
		if k != namedArgument {
			args[k] = v
		}
	}
	m.Params.Name, m.Params.Arguments = prompting, args
}

// getPrompt returns a prompt, filled in if a spec is named.
func (s *server) getPrompt(ctx context.Context, r mcpgo.GetPromptRequest) (*mcpgo.GetPromptResult, error) {
	var in author.RenderPromptInput
	for name, value := range r.Params.Arguments {
		switch name {
		case namedArgument:
			in.Prompt = value
		case idArgument:
			in.ID = value
		default:
			return nil, &engine.Error{Code: engine.Usage, Message: fmt.Sprintf("prompts take no argument %q", name)}
		}
	}
	p, err := s.project(ctx)
	if err != nil {
		return nil, err
	}
	got, err := author.Prompt(ctx, p, author.PromptInput{Name: in.Prompt})
	if err != nil {
		return nil, err
	}
	text := got.Text
	if in.ID != "" {
		filled, err := author.RenderPrompt(ctx, p, in)
		if err != nil {
			return nil, err
		}
		text = filled.Text
	}
	return mcpgo.NewGetPromptResult(got.Purpose, []mcpgo.PromptMessage{
		mcpgo.NewPromptMessage(mcpgo.RoleUser, mcpgo.NewTextContent(text)),
	}), nil
}
