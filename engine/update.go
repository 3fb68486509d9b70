package engine

import (
	"context"
	"strings"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// OutputHeading is the heading under which output is appended.
const OutputHeading = "Output"

// UpdateInput says what to change in a spec. Nil lists stay as they are, empty
// ones are cleared.
type UpdateInput struct {
	ID          string   `json:"id" jsonschema:"Spec ID (full or partial)"`
	Status      string   `json:"status,omitempty" jsonschema:"New status (pending, in_progress, completed, failed)"`
	Output      string   `json:"output,omitempty" jsonschema:"Output text to append to spec body"`
	ReplaceBody bool     `json:"replace_body,omitempty" jsonschema:"Replace the body with output instead of appending"`
	DependsOn   []string `json:"depends_on,omitempty" jsonschema:"New dependencies (full or partial IDs)"`
	Labels      []string `json:"labels,omitempty" jsonschema:"New labels"`
	TargetFiles []string `json:"target_files,omitempty" jsonschema:"New target files"`
	Model       string   `json:"model,omitempty" jsonschema:"New model"`
}

// Update changes status and fields of a spec, or adds to its body. Inside the
// spec's own run it writes the run's copy, and a status is a request: completed
// is answered by running the criteria, and chant itself completes the spec when
// the agent has ended. Elsewhere it makes one commit, and completed goes through
// the gates of Finalize. Errors: Usage for no update or an unknown status, State,
// Unverified, Conflict while a process is at work on the spec.
func (e *Engine) Update(ctx context.Context, in UpdateInput) (StateResult, error) {
	if err := in.check(); err != nil {
		return StateResult{}, err
	}
	id, err := e.find(ctx, in.ID)
	if err != nil {
		return StateResult{}, wrap(err, in.ID)
	}
	if e.store.RunOf() == id {
		result, err := e.updateInRun(ctx, id, in)
		return done(result, err, id)
	}
	result, err := withHold(ctx, e, id, "update", func(h *held) (StateResult, error) { return e.updateHeld(ctx, in, h) })
	if err != nil || in.Status != string(spec.Completed) {
		return result, err
	}
	final, err := e.Finalize(ctx, FinalizeInput{ID: id})
	return StateResult{ID: id, Status: final.Status, Commit: final.Commit}, err
}

func (in UpdateInput) check() error {
	switch in.Status {
	case "", string(spec.Pending), string(spec.InProgress), string(spec.Completed), string(spec.Failed):
	default:
		return fail(Usage, "chant update --help", "Invalid status %q (one of pending, in_progress, completed, failed)", in.Status)
	}
	if in.ReplaceBody && in.Output == "" {
		return fail(Usage, "chant update --help", "there is no output to replace the body with")
	}
	if in.Status == "" && in.Output == "" && in.DependsOn == nil && in.Labels == nil && in.TargetFiles == nil && in.Model == "" {
		return fail(Usage, "chant update --help", "No updates specified")
	}
	return nil
}

// edits turns the fields into edits of the front matter.
func (e *Engine) edits(ctx context.Context, id string, in UpdateInput) ([]markdown.Edit, error) {
	var edits []markdown.Edit
	if in.DependsOn != nil {
		deps, err := e.resolveDeps(ctx, in.DependsOn)
		if err != nil {
			return nil, err
		}
		edits = append(edits, markdown.Set("depends_on", deps))
	}
	if in.Labels != nil {
		edits = append(edits, markdown.Set("labels", in.Labels))
	}
	if in.TargetFiles != nil {
		edits = append(edits, markdown.Set("target_files", in.TargetFiles))
	}
	if in.Model != "" {
		edits = append(edits, markdown.Set("model", in.Model))
	}
	return edits, ctx.Err()
}

// body appends output under its heading, or puts it in place of the body; the
// title stays when the new text has none.
func (in UpdateInput) body(doc *markdown.Document) (*markdown.Document, error) {
	switch {
	case in.Output == "":
		return doc, nil
	case !in.ReplaceBody:
		return doc.AppendToSection(OutputHeading, []byte(in.Output)), nil
	}
	title := doc.Title()
	next := doc.WithBody([]byte(strings.TrimRight(in.Output, "\n") + "\n"))
	if next.Title() == "" && title != "" {
		next = doc.WithBody([]byte("# " + title + "\n\n" + string(next.Body())))
	}
	return next, nil
}

func (e *Engine) updateHeld(ctx context.Context, in UpdateInput, h *held) (StateResult, error) {
	edits, err := e.edits(ctx, h.id, in)
	if err != nil {
		return StateResult{}, err
	}
	s, err := e.store.Get(ctx, h.id)
	if err != nil {
		return StateResult{}, err
	}
	change := store.Change{ID: h.id, Word: "update", Edits: edits, Edit: func(doc *markdown.Document) (*markdown.Document, error) {
		next, err := in.body(doc)
		if err == nil {
			err = e.noCircle(ctx, h.id, next)
		}
		return next, err
	}}
	want := spec.Status(in.Status)
	switch {
	case want == "" || want == s.Status:
	case want == spec.Completed:
		if _, err := spec.Next(s.Status, spec.Complete); err != nil {
			return StateResult{}, err
		}
	default:
		if change.Event, err = spec.EventTo(s.Status, want); err != nil {
			return StateResult{}, err
		}
	}
	out, err := e.store.Transition(ctx, change)
	if err != nil {
		return StateResult{}, err
	}
	return StateResult{ID: h.id, Status: out.Spec.Status, Commit: out.Commit}, nil
}

// updateInRun writes the run's copy of its own spec. No commit is made: the run
// does that when the agent has ended.
func (e *Engine) updateInRun(ctx context.Context, id string, in UpdateInput) (StateResult, error) {
	s, err := e.store.Get(ctx, id)
	if err != nil {
		return StateResult{}, err
	}
	if in.Status == string(spec.Pending) {
		return StateResult{}, fail(State, "chant show "+id, "spec %q is being worked; its run cannot make it pending", id)
	}
	if in.Status == string(spec.Completed) {
		if err := e.wouldComplete(ctx, s); err != nil {
			return StateResult{}, err
		}
	}
	edits, err := e.edits(ctx, id, in)
	if err != nil {
		return StateResult{}, err
	}
	if in.Status == string(spec.Failed) {
		edits = append(edits, markdown.Set("status", in.Status))
	}
	_, err = e.rewrite(ctx, id, func(doc *markdown.Document) (*markdown.Document, error) {
		next, err := doc.Apply(edits...)
		if err != nil {
			return nil, err
		}
		return in.body(next)
	})
	return StateResult{ID: id, Status: s.Status}, err
}

// wouldComplete runs the criteria in the run's tree as it stands.
func (e *Engine) wouldComplete(ctx context.Context, s *spec.Spec) error {
	result, err := e.verifyByRunning(ctx, s)
	if err != nil {
		return err
	}
	for _, v := range result.Verdicts {
		if !v.Holds {
			return run.Unmet(result.Verdicts)
		}
	}
	return nil
}
