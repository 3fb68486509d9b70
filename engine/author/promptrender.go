package author

import (
	"context"

	"chant/engine"
	"chant/engine/agent"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/spec"
)

// RenderPromptInput names the spec and, optionally, another prompt than the one with which the
// spec would be worked.
type RenderPromptInput struct {
	ID     string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Prompt string `json:"prompt,omitempty" jsonschema:"Prompt to use instead of the spec's or the project's"`
}

// RenderPromptResult is the prompt that an agent would get.
type RenderPromptResult struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Text string `json:"text"`
}

// RenderPrompt fills in a prompt for the next attempt at a spec, without starting
// anything. Errors: NotFound for spec or prompt, Invalid for a prompt or an output schema
// that cannot be used.
func RenderPrompt(ctx context.Context, p *engine.Project, in RenderPromptInput) (RenderPromptResult, error) {
	s, err := engine.FindAny(ctx, p, in.ID)
	if err != nil {
		return RenderPromptResult{}, engine.Wrap(err, in.ID)
	}
	r := RenderPromptResult{ID: s.ID, Name: agent.PromptName(p, in.Prompt, &s.Spec)}
	r.Text, err = renderFor(ctx, p, s, in.Prompt)
	return engine.Done(r, err, s.ID)
}

// renderFor renders the prompt as a dry run of work does.
func renderFor(ctx context.Context, p *engine.Project, s *spec.File, asked string) (string, error) {
	h, err := journal.ReadHistory(p.Store, s.ID)
	if err != nil {
		return "", err
	}
	facts, err := run.ReadFacts(ctx, p, &s.Spec, h)
	if err != nil {
		return "", err
	}
	set := facts.Settings
	if set.Prompt, err = agent.WorkPrompt(p, asked, &s.Spec); err != nil {
		return "", err
	}
	return run.NewRun(p, facts.Start(journal.Job{Model: agent.ModelOf(p, &s.Spec)}, set), h).Launcher.PromptText(ctx, s)
}
