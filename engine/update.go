package engine

import (
	"context"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

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
// the gates of Finalize before anything is written. Errors: Usage for no update or
// an unknown status, Invalid for a text that cannot stand in a spec, State,
// Unverified, Conflict while a process is at work on the spec.
func (e *Engine) Update(ctx context.Context, in UpdateInput) (StateResult, error) {
	if err := in.check(); err != nil {
		return StateResult{}, err
	}
	id, err := e.find(ctx, in.ID)
	if err != nil {
		return StateResult{}, wrap(err, in.ID)
	}
	if e.inOwnCopy("update", id) {
		result, err := e.updateInRun(ctx, id, in)
		return done(result, err, id)
	}
	what := "update"
	if in.completes() {
		what = "finalize" // it may take long, and nobody waits for it
	}
	if in.Status != "" { // what becomes of other specs
		if err := e.mayInside("status", id); err != nil {
			return StateResult{}, err
		}
	}
	return withHold(ctx, e, id, what, func(h *held) (StateResult, error) { return e.updateHeld(ctx, in, h) })
}

func (in UpdateInput) completes() bool { return in.Status == string(spec.Completed) }

func (in *UpdateInput) check() error {
	switch in.Status {
	case "", string(spec.Pending), string(spec.InProgress), string(spec.Completed), string(spec.Failed):
	default:
		return fail(Usage, "chant update --help", "Invalid status %q (one of pending, in_progress, completed, failed)", spec.Echo(in.Status))
	}
	if in.ReplaceBody && in.Output == "" {
		return fail(Usage, "chant update --help", "there is no output to replace the body with")
	}
	if in.Status == "" && in.Output == "" && in.DependsOn == nil && in.Labels == nil && in.TargetFiles == nil && in.Model == "" {
		return fail(Usage, "chant update --help", "No updates specified")
	}
	for _, text := range []struct{ name, value string }{{"output", in.Output}, {"model", in.Model}} {
		if err := plainText(text.name, text.value); err != nil {
			return err
		}
	}
	return plainLists(list{name: "depends_on", items: &in.DependsOn}, list{name: "labels", items: &in.Labels}, list{name: "target_files", items: &in.TargetFiles})
}

// edits turns the fields into edits of the front matter.
func (e *Engine) edits(ctx context.Context, in UpdateInput) ([]markdown.Edit, error) {
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

func (e *Engine) updateHeld(ctx context.Context, in UpdateInput, h *held) (StateResult, error) {
	s, err := e.store.Get(ctx, h.id)
	if err == nil {
		s, err = e.takeHomeEdit(ctx, s, h)
	}
	if err != nil {
		return StateResult{}, err
	}
	edits, err := e.edits(ctx, in)
	if err != nil {
		return StateResult{}, err
	}
	edit := func(doc *markdown.Document) (*markdown.Document, error) {
		next, err := in.body(s, doc)
		if err == nil {
			next, err = next.Apply(edits...)
		}
		if err == nil {
			err = e.noCircle(ctx, h.id, next)
		}
		if err == nil {
			err = e.mayUpdate(s, next)
		}
		return next, err
	}
	if in.completes() {
		return e.completeHeld(ctx, h, s, edit)
	}
	change := store.Change{ID: h.id, Word: "update", Edit: edit}
	if want := spec.Status(in.Status); want != "" && want != s.Status {
		if change.Event, err = spec.EventTo(s.Status, want); err != nil {
			return StateResult{}, err
		}
		if hold := s.ApprovalBlock(); hold.Exists() && change.Event == spec.Start {
			return StateResult{}, notApproved(s, hold)
		}
	}
	out, err := e.store.Transition(ctx, change)
	if err != nil {
		return StateResult{}, err
	}
	result := StateResult{ID: h.id, Status: out.Spec.Status, Commit: out.Commit}
	if out.Spec.Branch != "" && out.Commit != "" {
		err = run.NoteEdit(e.store, h.id, out.Commit, e.Now())
	}
	return result, err
}

// mayUpdate is mayLoosen for a document that an update makes.
func (e *Engine) mayUpdate(s *spec.Spec, next *markdown.Document) error {
	now, err := spec.FromDocument(s.ID, next)
	if err != nil {
		return err
	}
	return e.mayLoosen(s.ID, s, now)
}

// completeHeld finalizes a spec and makes the edit in the same commit. What the
// edit itself would refuse is found before any criterion runs.
func (e *Engine) completeHeld(ctx context.Context, h *held, s *spec.Spec, edit docEdit) (StateResult, error) {
	if _, err := edit(s.Doc); err != nil {
		return StateResult{}, err
	}
	final, err := e.finalizeHeld(ctx, FinalizeInput{ID: h.id}, h, edit)
	return StateResult{ID: h.id, Status: final.Status, Commit: final.Commit}, err
}
