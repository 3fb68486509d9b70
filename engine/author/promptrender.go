package author

import (
	"context"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/usage"
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
	r := RenderPromptResult{ID: s.ID, Name: usage.PromptName(p, in.Prompt, &s.Spec)}
	r.Text, err = renderPrompt(ctx, p, s, in.Prompt)
	return engine.Done(r, err, s.ID)
}

// renderPrompt renders the prompt as a dry run of work does.
func renderPrompt(ctx context.Context, p *engine.Project, s *spec.File, asked string) (string, error) {
	w, err := usage.WorkPrompt(ctx, p, asked, "", &s.Spec)
	if err != nil {
		return "", err
	}
	r, err := nextAttempt(ctx, p, s, w.Text)
	if err != nil {
		return "", err
	}
	return r.Launcher.PromptText(ctx, s)
}

// FillIn returns a text with the values that it would have as the prompt of the next attempt at a spec. Values that are
// given count before those of the spec. Errors: NotFound for the spec, Invalid for one whose context leaves the
// repository.
func FillIn(ctx context.Context, p *engine.Project, id, text string, given map[string]string) (string, error) {
	s, err := engine.FindAny(ctx, p, id)
	if err != nil {
		return "", engine.Wrap(err, id)
	}
	r, err := nextAttempt(ctx, p, s, text)
	if err != nil {
		return "", engine.Wrap(err, s.ID)
	}
	filled, err := r.Launcher.Fill(ctx, s, text, given)
	return engine.Done(filled, err, s.ID)
}

// nextAttempt is the run that the next attempt at a spec would be, with a prompt.
func nextAttempt(ctx context.Context, p *engine.Project, s *spec.File, text string) (*run.Run, error) {
	// It says which attempt is next, and what the last one has left.
	h, err := journal.ReadHistory(p.Store, s.ID)
	if err != nil {
		return nil, err
	}
	facts, err := run.ReadFacts(ctx, p, &s.Spec, h)
	if err != nil {
		return nil, err
	}
	set := facts.Settings
	set.Prompt = text
	return run.NewRun(p, facts.Start(journal.Job{Model: usage.ModelOf(p, &s.Spec)}, set), h), nil
}
