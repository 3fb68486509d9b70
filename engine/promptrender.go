package engine

import (
	"context"

	"chant/engine/run"
	"chant/engine/spec"
)

// RenderPromptInput says for which spec, and which prompt where it is not the one that
// the spec would be worked with.
type RenderPromptInput struct {
	ID     string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Prompt string `json:"prompt,omitempty" jsonschema:"Prompt to use instead of the spec's or the project's"`
}

// RenderPromptResult is what an agent would be told.
type RenderPromptResult struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Text string `json:"text"`
}

// RenderPrompt fills in a prompt for the next attempt at a spec, without starting
// anything. Errors: NotFound for spec or prompt, Invalid for a prompt or an output schema
// that cannot be used.
func (e *Engine) RenderPrompt(ctx context.Context, in RenderPromptInput) (RenderPromptResult, error) {
	s, err := e.findAny(ctx, in.ID)
	if err != nil {
		return RenderPromptResult{}, wrap(err, in.ID)
	}
	r := RenderPromptResult{ID: s.ID, Name: e.promptName(in.Prompt, s)}
	r.Text, err = e.renderFor(ctx, s, in.Prompt)
	return done(r, err, s.ID)
}

// renderFor renders as a dry run of work does.
func (e *Engine) renderFor(ctx context.Context, s *spec.Spec, asked string) (string, error) {
	h, err := run.ReadHistory(e.store, s.ID)
	if err != nil {
		return "", err
	}
	job, err := e.job(ctx, s, &held{history: h}, run.Job{Model: e.modelOf(s)})
	if err != nil {
		return "", err
	}
	job.Attempt++
	if job.Base, err = e.repo.Resolve(ctx, "refs/heads/"+job.Target); err != nil {
		return "", err
	}
	set := e.settings()
	if set.Prompt, err = e.workPrompt(asked, s); err != nil {
		return "", err
	}
	return e.newRun(job, &held{history: h}, set).Told(ctx, s)
}
