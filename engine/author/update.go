package author

import (
	"context"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/fleet"
	"chant/engine/next"
	"chant/engine/run"
	"chant/engine/run/edits"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/work"
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
	RunsOn      []string `json:"runs_on,omitempty" jsonschema:"New labels that a machine of a fleet must have to work it"`
	Model       string   `json:"model,omitempty" jsonschema:"New model"`
}

// Update changes status and fields of a spec, or adds to its body. Inside the
// spec's own run it writes the run's copy, and a status is only a request: for
// completed it runs the criteria, and chant itself completes the spec when the
// agent has ended. Elsewhere it makes one commit, and completed is checked as by
// Finalize before anything is written. Errors: Usage for no update or an unknown
// status, Invalid for a text that a spec cannot contain, State, Unverified,
// Conflict while a process works on the spec.
func Update(ctx context.Context, p *engine.Project, in UpdateInput) (engine.StateResult, error) {
	if err := in.check(); err != nil {
		return engine.StateResult{}, err
	}
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return engine.StateResult{}, engine.Wrap(err, in.ID)
	}
	if engine.InOwnCopy(p, "update", id) {
		result, err := updateInRun(ctx, p, id, in)
		return engine.Done(result, err, id)
	}
	what := "update"
	if in.completes() {
		what = "finalize" // it may take long, so that others do not wait for its lock
	}
	if in.Status != "" { // a run may not change the status of other specs
		if err := engine.MayInside(p, "status", id); err != nil {
			return engine.StateResult{}, err
		}
	}
	return advice.WithHold(ctx, p, id, what, func(h *engine.Held) (engine.StateResult, error) { return updateHeld(ctx, p, in, h) })
}

func (in UpdateInput) completes() bool { return in.Status == string(spec.Completed) }

func (in *UpdateInput) check() error {
	switch in.Status {
	case "", string(spec.Pending), string(spec.InProgress), string(spec.Completed), string(spec.Failed):
	default:
		return engine.Fail(engine.Usage, next.Update.Help(), "Invalid status %q (one of pending, in_progress, completed, failed)", spec.Echo(in.Status))
	}
	if in.ReplaceBody && in.Output == "" {
		return engine.Fail(engine.Usage, next.Update.Help(), "there is no output to replace the body with")
	}
	if in.Status == "" && in.Output == "" && in.DependsOn == nil && in.Labels == nil && in.TargetFiles == nil && in.RunsOn == nil && in.Model == "" {
		return engine.Fail(engine.Usage, next.Update.Help(), "No updates specified")
	}
	for _, text := range []struct{ name, value string }{{"output", in.Output}, {"model", in.Model}} {
		if err := engine.PlainText(text.name, text.value); err != nil {
			return err
		}
	}
	if err := checkLabels(in.RunsOn); err != nil {
		return err
	}
	return engine.PlainLists(engine.List{Name: "depends_on", Items: &in.DependsOn}, engine.List{Name: "labels", Items: &in.Labels}, engine.List{Name: "target_files", Items: &in.TargetFiles}, engine.List{Name: "runs_on", Items: &in.RunsOn})
}

// checkLabels refuses labels that no machine can have.
func checkLabels(runsOn []string) error {
	for _, label := range runsOn {
		if err := fleet.CheckLabel(label); err != nil {
			return engine.Fail(engine.Invalid, next.Guide.On("specs"), "runs_on: %s", err)
		}
	}
	return nil
}

// frontMatterEdits returns the fields of the input as edits of the front matter.
func frontMatterEdits(ctx context.Context, p *engine.Project, in UpdateInput) ([]markdown.Edit, error) {
	var edits []markdown.Edit
	if in.DependsOn != nil {
		deps, err := resolveDeps(ctx, p, in.DependsOn)
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
	if in.RunsOn != nil {
		edits = append(edits, markdown.Set("runs_on", in.RunsOn))
	}
	if in.Model != "" {
		edits = append(edits, markdown.Set("model", in.Model))
	}
	return edits, ctx.Err()
}

func updateHeld(ctx context.Context, p *engine.Project, in UpdateInput, h *engine.Held) (engine.StateResult, error) {
	s, err := p.Store.Get(ctx, h.ID)
	if err == nil {
		s, err = run.TakeHomeEdit(ctx, p, s, h)
	}
	if err != nil {
		return engine.StateResult{}, err
	}
	changes, err := frontMatterEdits(ctx, p, in)
	if err != nil {
		return engine.StateResult{}, err
	}
	edit := func(doc *markdown.Document) (*markdown.Document, error) {
		updated, err := in.body(s, doc)
		if err == nil {
			updated, err = updated.Apply(changes...)
		}
		if err == nil {
			err = CheckNoCycle(ctx, p, h.ID, updated)
		}
		if err == nil {
			err = CheckLoosening(p, s, updated)
		}
		return updated, err
	}
	if in.completes() {
		return completeHeld(ctx, p, h, s, edit)
	}
	change := store.Change{ID: h.ID, Word: "update", Edit: edit}
	if want := spec.Status(in.Status); want != "" && want != s.Status {
		if change.Event, err = spec.EventTo(s.Status, want); err != nil {
			return engine.StateResult{}, err
		}
		if hold := s.ApprovalBlock(); hold.Exists() && change.Event == spec.Start {
			return engine.StateResult{}, advice.ApprovalError(&s.Spec, hold)
		}
	}
	out, err := p.Store.Transition(ctx, change)
	if err != nil {
		return engine.StateResult{}, err
	}
	result := engine.StateResult{ID: h.ID, Status: out.Spec.Status, Commit: out.Commit}
	if out.Spec.Branch != "" && out.Commit != "" {
		err = edits.NoteEdit(p.Store, h.ID, out.Commit, p.Now())
	}
	return result, err
}

// CheckLoosening calls engine.MayLoosen for the document that an update makes.
func CheckLoosening(p *engine.Project, s *spec.File, updated *markdown.Document) error {
	now, err := spec.FromDocument(s.ID, updated)
	if err != nil {
		return err
	}
	now.Adopt(s.Adopted())
	return engine.MayLoosen(p, s.ID, s, now)
}

// completeHeld finalizes a spec and makes the edit in the same commit. An edit that
// is refused is reported before any criterion runs.
func completeHeld(ctx context.Context, p *engine.Project, h *engine.Held, s *spec.File, edit work.DocEdit) (engine.StateResult, error) {
	if _, err := edit(s.Doc); err != nil {
		return engine.StateResult{}, err
	}
	final, err := work.FinalizeHeld(ctx, p, work.FinalizeInput{ID: h.ID}, h, edit)
	return engine.StateResult{ID: h.ID, Status: final.Status, Commit: final.Commit}, err
}
