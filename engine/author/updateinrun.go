package author

import (
	"context"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/work"
	"chant/markdown"
)

// updateInRun writes the run's copy of its own spec, without a commit: the run makes
// that when the agent has ended.
func updateInRun(ctx context.Context, p *engine.Project, id string, in UpdateInput) (engine.StateResult, error) {
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return engine.StateResult{}, err
	}
	if in.Status == string(spec.Pending) {
		return engine.StateResult{}, engine.Fail(engine.State, next.Show.On(id), "spec %q is being worked; its run cannot make it pending", id)
	}
	edits, err := frontMatterEdits(ctx, p, in)
	if err != nil {
		return engine.StateResult{}, err
	}
	if in.Status == string(spec.Failed) {
		edits = append(edits, markdown.Set("status", in.Status))
	}
	edit := func(doc *markdown.Document) (*markdown.Document, error) {
		updated, err := in.body(s, doc)
		if err != nil {
			return nil, err
		}
		return updated.Apply(edits...)
	}
	if in.completes() {
		if _, err := edit(s.Doc); err != nil {
			return engine.StateResult{}, err
		}
		if _, err := work.WouldComplete(ctx, p, s); err != nil {
			return engine.StateResult{}, err
		}
	}
	_, err = engine.Rewrite(ctx, p, id, edit)
	return engine.StateResult{ID: id, Status: s.Status}, err
}
