package author

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/edits"
	"chant/engine/spec"
	"chant/engine/spec/next"
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
	// Inside its own run, the run commits what changes.
	if engine.AppliesToOwnCopy(p, "update", id) {
		result, err := updateInRun(ctx, p, id, in)
		return engine.Done(result, err, id)
	}
	what := "update"
	if in.completes() {
		// It may take long, so that others do not wait for its lock.
		what = "finalize"
	}
	// A run may not change the status of other specs.
	if in.Status != "" {
		if err := engine.MayInside(p, "status", id); err != nil {
			return engine.StateResult{}, err
		}
	}
	result, err := advice.WithHold(ctx, p, id, what, func(h *engine.Held) (engine.StateResult, error) { return updateHeld(ctx, p, in, h) })
	if err == nil {
		result.Next = advice.After(ctx, p, id)
	}
	return result, err
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
		if err := spec.CheckLabel(label); err != nil {
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
		// An edit of a person at home comes first.
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
		// After the edits, since they can change dependencies.
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
		// A new status must not get around an approval.
		if hold := s.ApprovalBlock(); hold.Exists() && change.Event == spec.Start {
			return engine.StateResult{}, advice.ApprovalError(&s.Spec, hold)
		}
	}
	out, err := p.Store.Transition(ctx, change)
	if err != nil {
		return engine.StateResult{}, err
	}
	result := engine.StateResult{ID: h.ID, Status: out.Spec.Status, Commit: out.Commit}
	// It is not an edit of the agent.
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
	// Criteria of an adopted folder count, too.
	now.Adopt(s.Adopted())
	return engine.MayLoosen(p, s.ID, s, now)
}

// completeHeld finalizes a spec and makes the edit in the same commit. An edit that
// is refused is reported before any criterion runs.
func completeHeld(ctx context.Context, p *engine.Project, h *engine.Held, s *spec.File, edit work.DocEdit) (engine.StateResult, error) {
	// Before any criterion runs, which can take long.
	if _, err := edit(s.Doc); err != nil {
		return engine.StateResult{}, err
	}
	final, err := work.FinalizeHeld(ctx, p, work.FinalizeInput{ID: h.ID}, h, edit)
	return engine.StateResult{ID: h.ID, Status: final.Status, Commit: final.Commit}, err
}

// OutputHeading is the heading under which output is appended.
const OutputHeading = "Output"

// body appends output under its heading, or replaces the body with it; the title
// stays if the new text has none. s is the spec as it was before the call. Errors:
// Invalid, Unverified if criteria would change that may not.
func (in UpdateInput) body(s *spec.File, doc *markdown.Document) (*markdown.Document, error) {
	if in.Output == "" {
		return doc, nil
	}
	text := matchLineEnds(doc, in.Output)
	if !in.ReplaceBody {
		changed := doc.AppendToSection(OutputHeading, text)
		// Output may contain a list of boxes.
		if !slices.EqualFunc(spec.Criteria(doc), spec.Criteria(changed), isSameBox) {
			return nil, engine.Fail(engine.Invalid, next.Show.On(s.ID), "the output would change the acceptance criteria of spec %q; put it in a code fence", s.ID)
		}
		return changed, nil
	}
	end := matchLineEnds(doc, "\n")
	changed := doc.WithBody(slices.Concat(bytes.TrimRight(text, "\r\n"), end))
	// A spec without a title cannot be listed.
	if title := doc.Title(); changed.Title() == "" && title != "" {
		changed = doc.WithBody(slices.Concat([]byte("# "+title), end, end, changed.Body()))
	}
	return changed, CheckCriteriaKept(s, doc, changed, in.completes())
}

// CheckCriteriaKept refuses a new body that weakens the criteria of a spec that was
// started, or that changes any criterion of a spec that is completed or is about to
// be: a criterion that was not judged would count as judged. One that is pending and
// stays so may get other criteria.
func CheckCriteriaKept(s *spec.File, doc, changed *markdown.Document, completes bool) error {
	// A spec that was not started may be rewritten.
	if s.Status == spec.Pending && !completes {
		return nil
	}
	before, after := spec.Criteria(doc), spec.Criteria(changed)
	found := spec.Tampering(before, after)
	// A criterion that was not judged would count as judged.
	if completes || s.Status == spec.Completed {
		found = append(found, unjudgedChanges(before, after)...)
	}
	if len(found) == 0 {
		return nil
	}
	return engine.Fail(engine.Unverified, next.Show.On(s.ID), "the new body would change what spec %q is judged by: %s", s.ID, strings.Join(found, "; "))
}

// unjudgedChanges names the criteria that were added and the boxes that were changed,
// except boxes of criteria with commands, which follow their results.
func unjudgedChanges(before, after []spec.Criterion) []string {
	var out []string
	for _, c := range after {
		switch i := slices.IndexFunc(before, func(b spec.Criterion) bool { return b.ID == c.ID }); {
		case i < 0:
			out = append(out, "criterion was added: "+c.Text)
		// The box of a criterion with commands follows from their result.
		case !c.Runs() && before[i].Checked != c.Checked:
			out = append(out, "box was changed: "+c.Text)
		}
	}
	return out
}

// isSameBox reports whether two criteria have the same text and the same box.
func isSameBox(a, b spec.Criterion) bool { return a.ID == b.ID && a.Checked == b.Checked }

// matchLineEnds returns a text with the line ends of a document, which are those of its first line.
func matchLineEnds(doc *markdown.Document, text string) []byte {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	first, _, _ := bytes.Cut(doc.Bytes(), []byte("\n"))
	if bytes.HasSuffix(first, []byte("\r")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text)
}

// updateInRun writes the run's copy of its own spec, without a commit: the run makes
// that when the agent has ended.
func updateInRun(ctx context.Context, p *engine.Project, id string, in UpdateInput) (engine.StateResult, error) {
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return engine.StateResult{}, err
	}
	// A pending spec has no run.
	if in.Status == string(spec.Pending) {
		return engine.StateResult{}, engine.Fail(engine.State, next.Show.On(id), "spec %q is being worked; its run cannot make it pending", id)
	}
	edits, err := frontMatterEdits(ctx, p, in)
	if err != nil {
		return engine.StateResult{}, err
	}
	// Other statuses are written by the run itself.
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
		// An edit that is refused is reported before any criterion runs.
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
