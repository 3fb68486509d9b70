package feature

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"chant/engine"
	"chant/engine/author"

	"chant/engine/format/tasklist"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/text"
)

// CompleteTaskInput names a task.
type CompleteTaskInput struct {
	ID             string `json:"task_id" jsonschema:"Task ID (e.g., T001, T002)"`
	SkipValidation bool   `json:"skip_validation,omitempty" jsonschema:"Skip validation checks" schema:"default=false"`
}

// CompleteTaskResult is the list of tasks after the change.
type CompleteTaskResult struct {
	Completed bool     `json:"completed"`
	ID        string   `json:"task_id"`             // as in the list
	Next      *Task    `json:"next_task,omitempty"` // absent if no task is left that need not wait
	Progress  Progress `json:"progress"`
	Validated string   `json:"validated_by,omitempty"` // the hook that passed
}

// maxTail is how much of the output of a failed validation an error has, in characters: the beginning and the end.
const maxTail = 2 << 10

// CompleteTask ticks the box of a task in the tasks.md of the feature that the caller's worktree is about. Unless it is
// skipped, validation comes first: the hook named validate, else the one named test, has to pass; without such a hook
// nothing is validated. A task that is done stays as it is. In the checkout, a spec that adopts the folder has the change
// in a commit; a run and other worktrees have it in the file. Errors: NotFound without a feature, a list or the task;
// Invalid if several tasks have the ID; Unverified if validation fails; Conflict; State for a completed spec.
func CompleteTask(ctx context.Context, p *engine.Project, in CompleteTaskInput) (CompleteTaskResult, error) {
	if strings.TrimSpace(in.ID) == "" {
		return CompleteTaskResult{}, errMissing("task_id")
	}
	w, err := openWorktree(ctx, p)
	if err != nil {
		return CompleteTaskResult{}, engine.Wrap(err, "")
	}
	result, err := w.complete(ctx, p, in)
	return engine.Done(result, errors.Join(err, w.close()), "")
}

func (w *worktree) complete(ctx context.Context, p *engine.Project, in CompleteTaskInput) (CompleteTaskResult, error) {
	task, err := w.task(in.ID)
	if err != nil {
		return CompleteTaskResult{}, err
	}
	r := CompleteTaskResult{Completed: true, ID: task.ID}
	// A task that is done stays as it is, whatever its checks say now.
	if !task.Done {
		if err := mayTick(p); err != nil {
			return r, err
		}
		if !in.SkipValidation {
			if r.Validated, err = w.validate(ctx, p); err != nil {
				return r, err
			}
		}
		if err := w.tick(ctx, p, task.ID); err != nil {
			return r, err
		}
	}
	list, err := w.tasks()
	if err != nil || list == nil {
		return r, errors.Join(err, ctx.Err())
	}
	// Of a spec with a run, the branch has the tick.
	for i := range list.Tasks {
		if list.Tasks[i].ID == task.ID {
			list.Tasks[i].Done = true
		}
	}
	r.Progress, r.Next = *progressOf(*list), nextOf(*list)
	return r, nil
}

// task finds the task with an ID.
func (w *worktree) task(id string) (tasklist.Task, error) {
	list, err := w.taskList()
	if err != nil {
		return tasklist.Task{}, err
	}
	var found []tasklist.Task
	for _, t := range list.Tasks {
		// People and agents write t001 for T001.
		if t.ID != "" && strings.EqualFold(t.ID, strings.TrimSpace(id)) {
			found = append(found, t)
		}
	}
	switch len(found) {
	case 0:
		return tasklist.Task{}, contractError(engine.NotFound, next.Feature.On(), fmt.Sprintf("Task %s not found", spec.Echo(id)))
	case 1:
		return found[0], nil
	}
	ambiguous := &tasklist.AmbiguousError{ID: found[0].ID}
	for _, t := range found {
		ambiguous.Lines = append(ambiguous.Lines, t.Line)
	}
	return tasklist.Task{}, engine.Fail(engine.Invalid, engine.EditStep(path.Join(w.dir, tasksFile)), "%s: %s", path.Join(w.dir, tasksFile), ambiguous)
}

// mayTick refuses inside a run to tick tasks outside of its worktree.
func mayTick(p *engine.Project) error {
	// The worktree of the run is the agent's own.
	if id := p.Store.RunOf(); id != "" && engine.AppliesToOwnCopy(p, "task", id) {
		return nil
	}
	return engine.MayInside(p, "task", "")
}

// validate runs the hook that validates work, and returns its name; "" without one.
func (w *worktree) validate(ctx context.Context, p *engine.Project) (string, error) {
	known, err := w.hooks(ctx, p)
	if err != nil {
		return "", err
	}
	// The first that exists: validate is made for this.
	for _, name := range []string{"validate", "test"} {
		if _, ok := FindHook(known.list, name); !ok {
			continue
		}
		r, err := w.run(ctx, p, RunHookInput{Name: name})
		if err == nil && r.ExitCode != 0 {
			how := fmt.Sprintf("exited with %d", r.ExitCode)
			// Its exit code is chant's own then, and says nothing to people.
			if r.ExitCode == notRun {
				how = "did not run to its end"
			}
			err = engine.Fail(engine.Unverified, next.Step{}, "Validation failed: hook %s %s%s", name, how, tailOf(r))
		}
		return name, err
	}
	return "", nil
}

// tailOf is what a hook has printed, below the sentence that it is about.
func tailOf(r RunHookResult) string {
	out := strings.TrimSpace(strings.TrimSpace(r.Stdout) + "\n" + strings.TrimSpace(r.Stderr))
	if out == "" {
		return ""
	}
	return "\n" + text.Ends(out, maxTail)
}

// tick ticks the box: by a commit of the spec that adopts the folder, else in the file of the worktree.
func (w *worktree) tick(ctx context.Context, p *engine.Project, id string) error {
	// In home the tick is a commit, since runs start from commits.
	if w.root == engine.Home(p) {
		s, criterion, err := w.findAdopting(ctx, p, id)
		if err != nil {
			return err
		}
		if s != nil {
			_, err := author.Check(ctx, p, author.CheckInput{ID: s.ID, Criterion: criterion})
			return err
		}
	}
	return w.tickFile(ctx, p, id)
}

// findAdopting returns the spec that has a task of the folder as a criterion, and the criterion; nil without one. Of a
// divided folder it is the spec of the part, which is the one that is worked on.
func (w *worktree) findAdopting(ctx context.Context, p *engine.Project, id string) (*spec.Spec, string, error) {
	set, err := p.Store.Load(ctx)
	if err != nil {
		return nil, "", err
	}
	var found *spec.Spec
	criterion := ""
	for _, s := range set.Specs {
		// Of a divided folder, the spec of a part is the one that is worked on.
		if s.Fields.Source == "" || path.Clean(s.Fields.Source) != w.dir || found != nil && len(s.Fields.Part) == 0 {
			continue
		}
		file, err := p.Store.Get(ctx, s.ID)
		if err != nil {
			return nil, "", err
		}
		if c, ok := w.criterion(file, id); ok {
			found, criterion = s, c
		}
	}
	return found, criterion, nil
}

// criterion returns the criterion of a spec that is a task of the folder.
func (w *worktree) criterion(s *spec.File, id string) (string, bool) {
	for _, c := range s.Criteria() {
		// The same key can be in another file of the folder.
		if c.File == path.Join(w.dir, tasksFile) && strings.EqualFold(c.Key, id) {
			return c.ID, true
		}
	}
	return "", false
}
