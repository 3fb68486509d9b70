package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/edits"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"

	"chant/engine/task/taskboard"
	"chant/engine/work"
	"chant/markdown"
)

// Plan makes the changes of a call in one task. It is called while the spec is locked; s is its current version.
type Plan func(ctx context.Context, e *Editor, s *spec.File) error

// Editor collects the changes of a call.
type Editor struct {
	Project *engine.Project
	Board   taskboard.Board // of the spec that is being planned
	Batch   *store.Batch

	call     taskboard.Board         // for specs that have no number
	word     string                  // of changes without an event
	targets  map[string]string       // the ids of specs by the texts that name them
	failed   map[string]error        // why a text names no spec that can be changed
	held     *engine.Held            // the spec that is being planned
	all      map[string]*engine.Held // all specs that the call may change, by id
	finished []*work.Completion      // of specs that the batch completes
}

// Failed is a task that a call about several could not change.
type Failed struct {
	ID    string `json:"id"` // as the caller wrote it
	Error string `json:"error"`

	err error
}

// Cause returns the error of the task.
func (f Failed) Cause() error { return f.err }

// Outcome is the result of EditAll, in the order of the texts.
type Outcome struct {
	IDs     []string // of the specs that were changed or already as wanted
	Failed  []Failed
	Skipped []string // texts that were not tried after a failure
	Saved   store.Saved
}

// EditAll changes several tasks in one commit: each text names one, by number, id or part of an id. A task that fails
// is left out, and with stop so are those behind it. word names the change in the commit, subject a commit of several.
// The plan may change the specs in also, too. The error is that of writing; nothing has changed then.
func EditAll(ctx context.Context, p *engine.Project, board taskboard.Board, texts []string, stop bool, word, subject string, plan Plan, also ...string) (out Outcome, err error) {
	out = Outcome{IDs: []string{}, Failed: []Failed{}}
	// A process that was killed may have left half of a change in the files.
	if err := store.FinishKilled(ctx, p.Store); err != nil {
		return out, err
	}
	e := newEditor(p, board, word)
	err = e.hold(ctx, texts, also)
	// Also after an error of hold, which may have locked some of the specs.
	defer func() { err = errors.Join(err, releaseAll(e.all)) }()
	if err != nil {
		return out, err
	}
	for i, text := range texts {
		id := e.targets[text]
		// Two texts may name the same task.
		if e.failed[text] == nil && slices.Contains(out.IDs, id) {
			continue
		}
		failure := e.plan(ctx, text, plan)
		if failure != nil {
			failure = asEngineError(failure, id)
			out.Failed = append(out.Failed, Failed{text, failure.Error(), failure})
			if stop {
				out.Skipped = slices.Clone(texts[i+1:])
				break
			}
			continue
		}
		out.IDs = append(out.IDs, id)
	}
	out.Saved, err = e.commit(ctx, subject)
	return out, err
}

func newEditor(p *engine.Project, board taskboard.Board, word string) *Editor {
	return &Editor{Project: p, Batch: store.NewBatch(p.Store), call: board, word: word}
}

// hold finds the specs of texts and locks them. The caller releases e.all, also after an error.
func (e *Editor) hold(ctx context.Context, texts, also []string) (err error) {
	// A run may comment on other specs, though it changes none.
	act := "update"
	if e.word == "comment" {
		act = "comment"
	}
	e.targets, e.failed = resolveAll(ctx, e.Project, act, texts)
	e.all, err = holdAll(ctx, e.Project, e.targets, e.failed, also)
	return err
}

// resolveAll finds the specs of texts, of which each allows the act.
func resolveAll(ctx context.Context, p *engine.Project, act string, texts []string) (ids map[string]string, failed map[string]error) {
	ids, failed = map[string]string{}, map[string]error{}
	numbered := map[string]string{}
	// One query for all of them, since each opens the index.
	p.Store.Query(ctx, func(q *store.Query) {
		for _, text := range texts {
			if id, ok := store.IndexedTask(q, text); ok {
				numbered[text] = id
			}
		}
	})
	for _, text := range texts {
		id, err := numbered[text], error(nil)
		if id == "" {
			id, err = engine.Find(ctx, p, text)
		}
		if err == nil && !engine.AppliesToOwnCopy(p, act, id) {
			err = engine.MayInside(p, act, id)
		}
		if err != nil {
			failed[text] = notFound(err, text)
			continue
		}
		ids[text] = id
	}
	return ids, failed
}

// notFound returns the fault of a text that names no task, else the error.
func notFound(err error, text string) error {
	wrapped := engine.Wrap(err, text)
	var known *engine.Error
	_, malformed := errors.AsType[*spec.IDError](err)
	// A text that cannot be an id names no task, and lotar knows one fault for both.
	if errors.As(wrapped, &known) && (malformed || known.Code == engine.NotFound) {
		known.Err = errors.Join(known.Err, &task.Fault{Code: task.NotFound, Message: "Task not found", Data: map[string]any{"message": known.Message}})
	}
	return wrapped
}

// holdAll locks specs, of which some may fail. Those in also are locked as far as nothing is at work on them.
func holdAll(ctx context.Context, p *engine.Project, ids map[string]string, failed map[string]error, also []string) (map[string]*engine.Held, error) {
	held := map[string]*engine.Held{}
	order := slices.Clone(also)
	for _, id := range ids {
		order = append(order, id)
	}
	// In the order of their ids, so that two calls never wait for each other.
	slices.Sort(order)
	for _, id := range slices.Compact(order) {
		// The run of which the caller is a part holds it.
		if engine.AppliesToOwnCopy(p, "update", id) {
			continue // the run holds it
		}
		h, err := engine.Hold(ctx, p, id, "update")
		if ctx.Err() != nil {
			return held, ctx.Err()
		}
		// A spec that another process works on fails alone.
		if err != nil {
			for text, of := range ids {
				if of == id {
					failed[text] = err
				}
			}
			continue
		}
		held[id] = h
	}
	return held, nil
}

func releaseAll(held map[string]*engine.Held) (err error) {
	for _, h := range held {
		err = errors.Join(err, h.Release())
	}
	return err
}

// plan asks what to change in the task that a text names, and adds it to the batch or nothing.
func (e *Editor) plan(ctx context.Context, text string, plan Plan) error {
	if err := e.failed[text]; err != nil {
		return err
	}
	id := e.targets[text]
	h := e.all[id]
	s, err := e.Project.Store.Get(ctx, id)
	// A person may have edited the checked-out copy of a spec whose run has its own.
	if err == nil && h != nil {
		s, err = run.TakeHomeEdit(ctx, e.Project, s, h)
	}
	if err != nil {
		return err
	}
	e.Board = e.call
	// Tasks of several projects may be changed at once, each by its own settings.
	if prefix, _, ok := task.ParseKey(string(s.Fields.Task)); ok && !strings.EqualFold(prefix, e.call.Settings.Project) {
		if e.Board, err = taskboard.Open(ctx, e.Project, prefix); err != nil {
			return err
		}
	}
	e.held = h
	finished := len(e.finished)
	// A plan that fails halfway must leave nothing of itself in the batch.
	err = e.Batch.Try(func() error { return plan(ctx, e, s) })
	if err != nil {
		e.finished = e.finished[:finished]
	}
	return err
}

// Edit is a change of a task's front matter, text and status.
type Edit struct {
	Matter []markdown.Edit
	Text   func(*markdown.Document) *markdown.Document // may be nil
	Status spec.Status                                 // "" leaves it
}

// apply returns a document with the edit of front matter and text. It refuses to weaken the criteria of s.
func (ed Edit) apply(s *spec.File, doc *markdown.Document) (*markdown.Document, error) {
	next, err := doc.Apply(ed.Matter...)
	if err != nil || ed.Text == nil {
		return next, err
	}
	changed := ed.Text(next)
	return changed, author.CheckCriteriaKept(s, next, changed, ed.Status == spec.Completed)
}

// Apply makes an edit of a task part of the call. Inside the run of the spec it changes the run's copy at once, which
// the run commits. A status changes by the shortest path of events; to complete a task its criteria run first.
func (e *Editor) Apply(ctx context.Context, s *spec.File, ed Edit) error {
	moves := ed.Status != "" && ed.Status != s.Status
	switch {
	case e.held == nil:
		return e.applyInside(ctx, s, ed, moves)
	case !moves:
		return e.addChange(ctx, s, store.Change{ID: s.ID, Word: e.word, Edit: func(doc *markdown.Document) (*markdown.Document, error) { return ed.apply(s, doc) }})
	}
	if err := engine.MayInside(e.Project, "status", s.ID); err != nil {
		return err
	}
	events, err := path(s.Status, ed.Status)
	if err != nil {
		return err
	}
	if hold := s.ApprovalBlock(); hold.Exists() && slices.Contains(events, spec.Start) {
		return advice.ApprovalError(&s.Spec, hold)
	}
	last := len(events) - 1
	if ed.Status == spec.Completed {
		return e.complete(ctx, s, ed, events[:last])
	}
	// The reason of a failure does not hold for a spec that is worked again; an edit of the caller may set another.
	if ed.Status == spec.Pending || ed.Status == spec.InProgress {
		ed.Matter = append(spec.ClearReason(), ed.Matter...)
	}
	return e.addChange(ctx, s, store.Change{ID: s.ID, Via: events[:last], Event: events[last], Edit: func(doc *markdown.Document) (*markdown.Document, error) {
		return ed.apply(s, doc)
	}})
}

// addChange adds a change to the batch after the checks of every edit.
func (e *Editor) addChange(ctx context.Context, s *spec.File, ch store.Change) error {
	now, err := e.Batch.Change(ctx, ch)
	if err != nil {
		return err
	}
	if err := engine.MayLoosen(e.Project, s.ID, s, now); err != nil {
		return err
	}
	// Searching for cycles reads all specs, so only a change of dependencies does it.
	if !slices.Equal(s.Fields.DependsOn, now.Fields.DependsOn) {
		return author.CheckNoCycle(ctx, e.Project, s.ID, now.Doc)
	}
	return nil
}

// complete completes a task after the events via.
func (e *Editor) complete(ctx context.Context, s *spec.File, ed Edit, via []spec.Event) error {
	edited, err := ed.apply(s, s.Doc)
	if err != nil {
		return err
	}
	now := s.WithDoc(edited)
	done, err := work.CheckCompletion(ctx, e.Project, e.held, now, via)
	if err != nil {
		return err
	}
	also := func(doc *markdown.Document) (*markdown.Document, error) { return ed.apply(s, doc) }
	// One that has a run or members is completed at once, as finalize does, with a commit of its own.
	if done == nil {
		_, err := work.FinalizeHeld(ctx, e.Project, work.FinalizeInput{ID: s.ID}, e.held, also)
		return err
	}
	// The caller's edit comes first, because the completion records the text that was verified.
	change, final := done.Change, done.Change.Edit
	change.Edit = func(doc *markdown.Document) (*markdown.Document, error) {
		doc, err := also(doc)
		if err != nil {
			return nil, err
		}
		return final(doc)
	}
	e.finished = append(e.finished, done)
	return e.addChange(ctx, s, change)
}

// applyInside changes the run's copy of the spec, as update does there: a status is only a request.
func (e *Editor) applyInside(ctx context.Context, s *spec.File, ed Edit, moves bool) error {
	to := ed.Status
	// The run decides about the status, and its agent can only ask for an end.
	if moves && to != spec.Completed && to != spec.Failed {
		return engine.Fail(engine.State, next.Show.On(s.ID), "spec %q is being worked; its run cannot make it %s", s.ID, to)
	}
	ed.Status = ""
	_, err := engine.Rewrite(ctx, e.Project, s.ID, func(doc *markdown.Document) (*markdown.Document, error) { return ed.apply(s, doc) })
	if err != nil || !moves {
		return err
	}
	_, err = author.Update(ctx, e.Project, author.UpdateInput{ID: s.ID, Status: string(to)})
	return err
}

// commit writes the batch, and records what belongs to its commits.
func (e *Editor) commit(ctx context.Context, subject string) (store.Saved, error) {
	saved, err := e.Batch.Commit(ctx, subject)
	if err != nil {
		return saved, err
	}
	// A reset of the run has to carry the edit to home's copy.
	for id, commit := range saved.Branches {
		if err := edits.NoteEdit(e.Project.Store, id, commit, e.Project.Now()); err != nil {
			return saved, err
		}
	}
	for _, done := range e.finished {
		if err := done.Conclude(ctx, saved.CommitOf(done.Result.ID)); err != nil {
			return saved, err
		}
	}
	return saved, nil
}

// plainNumbers replaces the numbers of JSON by those that YAML writes without quotes.
func plainNumbers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, item := range v {
			out[key] = plainNumbers(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = plainNumbers(item)
		}
		return out
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		// Only a text with a point or an exponent: a whole number that is too large would lose digits.
		if n, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") {
			return n
		}
		// Too many digits for a number.
		return v.String()
	}
	return value
}
