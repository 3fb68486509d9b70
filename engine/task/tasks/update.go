package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"

	"chant/engine/task/taskboard"
	"chant/markdown"
)

// UpdateInput says what to change in a task.
type UpdateInput struct {
	ID      string `json:"id" jsonschema:"Task, such as AUTH-12, or spec id"`
	Project string `json:"project,omitempty" jsonschema:"Prefix, for an id that is only a number"`
	Patch   Patch  `json:"patch,omitzero" jsonschema:"Fields to change; null clears one"`
	Exact   bool   `json:"-"` // an effort that cannot be read is refused
}

// Update changes fields, text and status of a task in one commit. Errors: NotFound; Usage for a value that is not
// allowed; State, Blocked and Unverified where a gate refuses the status; Conflict while a process works on the spec.
func Update(ctx context.Context, p *engine.Project, in UpdateInput) (task.Task, error) {
	board, text, err := boardFor(ctx, p, in.ID, in.Project)
	if err != nil {
		return task.Task{}, err
	}
	return editOne(ctx, p, board, text, "update", updatePlan(in.Patch, in.Exact), blockedBy(ctx, p, []string{text}, in.Patch.Relationships)...)
}

// boardFor opens the board of the task that a call names, and returns the text that names it: a number is one of the
// project.
func boardFor(ctx context.Context, p *engine.Project, id, project string) (taskboard.Board, string, error) {
	id = strings.TrimSpace(id)
	if id == "" {
		return taskboard.Board{}, "", asEngineError(task.Invalid("Missing id"), "")
	}
	// The key says its project.
	if prefix, _, ok := task.ParseKey(id); ok && project == "" {
		project = prefix
	}
	board, err := taskboard.Open(ctx, p, project)
	if err != nil {
		return taskboard.Board{}, "", err
	}
	// A key of another project than the caller's is a mistake rather than a task.
	if prefix, _, ok := task.ParseKey(id); ok && !strings.EqualFold(prefix, board.Settings.Project) {
		return board, "", notFound(&spec.NotFoundError{ID: id}, fmt.Sprintf("%s in project %s", id, project))
	}
	return board, board.KeyOf(id), nil
}

// editOne is EditAll for one task, whose failure is the error. It returns the task as it is afterwards.
func editOne(ctx context.Context, p *engine.Project, board taskboard.Board, text, word string, plan Plan, also ...string) (task.Task, error) {
	out, err := EditAll(ctx, p, board, []string{text}, true, word, word+" a task", plan, also...)
	switch {
	case err != nil:
		return task.Task{}, asEngineError(err, "")
	case len(out.Failed) > 0:
		return task.Task{}, out.Failed[0].err
	}
	return view(ctx, p, board, out.IDs[0])
}

// updatePlan returns the plan of a patch.
func updatePlan(patch Patch, exact bool) Plan {
	return func(ctx context.Context, e *Editor, s *spec.File) error {
		if err := checkTexts(patch); err != nil {
			return err
		}
		f := &fields{p: e.Project, board: e.Board, s: &s.Spec, exact: exact}
		if err := f.addTexts(ctx, patch); err != nil {
			return memberFault(err, task.UpdateFailed, "Task update failed")
		}
		if err := f.addLists(patch); err != nil {
			return err
		}
		ed := Edit{Matter: f.edits}
		if patch.Title != nil || patch.Description != nil {
			ed.Text = func(doc *markdown.Document) *markdown.Document {
				return task.SetText(doc, patch.Title, patch.Description)
			}
		}
		if patch.Status != nil {
			to, word, err := f.statusFor(*patch.Status)
			if err != nil {
				return err
			}
			ed.Status, ed.Matter = to, append(ed.Matter, word)
		}
		if err := checkReview(ctx, f, patch); err != nil {
			return err
		}
		if err := assignMover(ctx, f, patch, &ed); err != nil {
			return err
		}
		if patch.Relationships != nil {
			if err := e.editRelationships(ctx, s, *patch.Relationships, &ed); err != nil {
				return err
			}
		}
		ed.Matter = lastOfEachKey(ed.Matter)
		return e.Apply(ctx, s, ed)
	}
}

// checkTexts refuses texts that a spec cannot contain.
func checkTexts(patch Patch) error {
	for _, text := range []struct {
		name  string
		value *string
	}{{"title", patch.Title}, {"description", patch.Description}} {
		if text.value == nil {
			continue
		}
		if err := engine.PlainText(text.name, *text.value); err != nil {
			return err
		}
	}
	return nil
}

// checkReview refuses a change of status or assignee of a task in review by anyone but its reporter.
func checkReview(ctx context.Context, f *fields, patch Patch) error {
	word := strings.ToLower(f.board.Settings.WordOf(f.s.Status, string(f.s.Fields.TaskStatus)))
	inReview := strings.Trim(word, " ") == "review" || strings.NewReplacer(" ", "", "_", "", "-", "").Replace(word) == "needsreview"
	reporter := string(f.s.Fields.Reporter)
	if !inReview || reporter == "" || patch.Status == nil && patch.Assignee == nil {
		return nil
	}
	me, err := taskboard.WhoIs(ctx, f.p, f.board)
	if err != nil || task.SameMember(me.User, reporter) {
		return err
	}
	return &task.Fault{Code: task.UpdateFailed, Message: "Task update failed", Data: map[string]any{
		"message": "only the reporter " + reporter + " may change status or assignee of a task in review",
	}}
}

// assignMover assigns a task without an assignee to the person who changes its status, if the settings ask for that.
func assignMover(ctx context.Context, f *fields, patch Patch, ed *Edit) error {
	changes := ed.Status != "" && (ed.Status != f.s.Status)
	if !changes || !f.board.Settings.Auto.AssignOnStatus || !f.board.Settings.Workspace || f.s.Fields.Assignee != "" || patch.Assignee != nil {
		return nil
	}
	name, err := f.person(ctx, "assignee", task.Me)
	// A person who is not a member may still change a status.
	if _, stranger := errors.AsType[*task.MemberError](err); stranger {
		return nil
	}
	if err != nil || name == "" {
		return err
	}
	ed.Matter = append(ed.Matter, markdown.Set("assignee", name))
	return nil
}

// lastOfEachKey leaves the last edit of each key.
func lastOfEachKey(all []markdown.Edit) []markdown.Edit {
	var out []markdown.Edit
	for i, one := range all {
		if !slices.ContainsFunc(all[i+1:], func(later markdown.Edit) bool { return later.Key == one.Key }) {
			out = append(out, one)
		}
	}
	return out
}

// editRelationships resolves relationships and adds their edits; those that the task is to block get it as a dependency.
func (e *Editor) editRelationships(ctx context.Context, s *spec.File, r task.Relationships, ed *Edit) error {
	if err := e.resolveRelationships(ctx, s.ID, &r); err != nil {
		return err
	}
	// After the ids are resolved, since a task may be named in several ways.
	if err := e.checkCircles(ctx, s.ID, r); err != nil {
		return err
	}
	ed.Matter = append(ed.Matter, relationshipEdits(r)...)
	var before []string
	e.Project.Store.Query(ctx, func(q *store.Query) { before = store.Dependents(q, s.ID, blocksOf(&s.Spec)) })
	for _, id := range r.Blocks {
		if !slices.Contains(before, id) {
			if err := e.editDependency(ctx, id, s.ID, true); err != nil {
				return err
			}
		}
	}
	for _, id := range before {
		if !slices.Contains(r.Blocks, id) {
			if err := e.editDependency(ctx, id, s.ID, false); err != nil {
				return err
			}
		}
	}
	return nil
}

func blocksOf(s *spec.Spec) []string {
	if s.Fields.Relationships == nil {
		return nil
	}
	return s.Fields.Relationships.Blocks
}

// blockedBy lists the specs that a change of relationships may write to: those that the tasks block, and those that
// they are to block. What cannot be found is left to the change.
func blockedBy(ctx context.Context, p *engine.Project, texts []string, r *task.Relationships) []string {
	if r == nil {
		return nil
	}
	var out []string
	for _, text := range r.Blocks {
		// What cannot be found is refused by the change, with its reason.
		if id, err := engine.Find(ctx, p, text); err == nil {
			out = append(out, id)
		}
	}
	for _, text := range texts {
		id, err := engine.Find(ctx, p, text)
		if err != nil {
			continue
		}
		s, err := p.Store.Get(ctx, id)
		if err != nil {
			continue
		}
		p.Store.Query(ctx, func(q *store.Query) { out = append(out, store.Dependents(q, id, blocksOf(&s.Spec))...) })
	}
	return out
}

// editDependency makes a spec depend on another one, or no longer. Errors: State inside a run; Conflict if a process works on
// it.
func (e *Editor) editDependency(ctx context.Context, id, on string, does bool) error {
	// The only change of a spec that the call does not name. A run could stop any other spec with it, as one that it has
	// added waits for a person.
	if err := engine.MayInside(e.Project, "update", id); err != nil {
		return err
	}
	// Only what was locked at the start may be written: to wait for a lock here could end in two calls that wait for each
	// other.
	if e.all[id] == nil {
		return engine.Fail(engine.Conflict, next.Show.On(id), "spec %q, whose dependencies would change, is being changed by another process", id)
	}
	s, err := e.Project.Store.Get(ctx, id)
	if err != nil {
		return err
	}
	// A copy, because the slice belongs to the index.
	needs := slices.DeleteFunc(slices.Clone([]string(s.Fields.DependsOn)), func(have string) bool { return have == on })
	if does {
		needs = append(needs, on)
	}
	return e.addChange(ctx, s, store.Change{ID: id, Word: e.word, Edits: []markdown.Edit{listEdit("depends_on", needs)}})
}

// resolveRelationships replaces what names a spec by its id. Errors: NotFound; Usage for a task that is related to
// itself.
func (e *Editor) resolveRelationships(ctx context.Context, self string, r *task.Relationships) error {
	find := func(text string) (string, error) {
		s, err := engine.FindAny(ctx, e.Project, text)
		if err != nil {
			return "", notFound(err, text)
		}
		if s.ID == self {
			return "", task.Invalid("Invalid relationships payload: a task cannot be related to itself")
		}
		return s.ID, nil
	}
	for _, list := range []*[]string{&r.DependsOn, &r.Blocks, &r.Related, &r.Children, &r.Fixes} {
		var ids []string
		for _, text := range *list {
			id, err := find(text)
			if err != nil {
				return err
			}
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		*list = ids
	}
	for _, one := range []*string{&r.Parent, &r.DuplicateOf} {
		if *one == "" {
			continue
		}
		id, err := find(*one)
		if err != nil {
			return err
		}
		*one = id
	}
	return nil
}
