package feature

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/format/tasklist"
	"chant/engine/spec/next"
)

// ListTasksInput has no members: the worktree of the caller decides.
type ListTasksInput struct{}

// ListTasksResult lists the tasks of a feature in the order of their file.
type ListTasksResult struct {
	Dir   string     `json:"spec_dir"`
	Tasks []TaskInfo `json:"tasks"`
	engine.Page
	Progress Progress `json:"progress"`
	Next     *Task    `json:"next_task,omitempty"`
}

// TaskInfo is one task.
type TaskInfo struct {
	Task
	Done     bool   `json:"done"`
	Parallel bool   `json:"parallel,omitempty"` // [P]
	Story    string `json:"story,omitempty"`    // such as "US1"
	Phase    string `json:"phase,omitempty"`    // the heading that it is below
	Line     int    `json:"line"`
}

// ListTasks lists the tasks of the feature that the caller's worktree is about. Errors: NotFound without a feature or a
// list.
func ListTasks(ctx context.Context, p *engine.Project, _ ListTasksInput) (ListTasksResult, error) {
	w, err := openWorktree(ctx, p)
	if err != nil {
		return ListTasksResult{}, engine.Wrap(err, "")
	}
	result, err := w.list()
	return engine.Done(result, errors.Join(err, w.close()), "")
}

func (w *worktree) list() (ListTasksResult, error) {
	r := ListTasksResult{Dir: w.dir, Tasks: []TaskInfo{}}
	list, err := w.taskList()
	if err != nil {
		return r, err
	}
	for _, t := range list.Tasks {
		one := TaskInfo{Task: Task{t.Key, t.Description}, Done: t.Done, Parallel: t.Parallel, Story: t.Story, Line: t.Line}
		// Tasks before the first heading have no phase.
		if t.Phase >= 0 {
			one.Phase = list.Phases[t.Phase].Heading
		}
		r.Tasks = append(r.Tasks, one)
	}
	r.Progress, r.Next = *progressOf(list), nextOf(list)
	r.Page = engine.Whole(len(r.Tasks))
	return r, nil
}

// taskList returns the list of tasks, which has to exist.
func (w *worktree) taskList() (tasklist.List, error) {
	if w.dir == "" {
		return tasklist.List{}, errNoContext()
	}
	list, err := w.tasks()
	if err != nil {
		return tasklist.List{}, engine.Fail(engine.Invalid, next.Step{}, "could not read the tasks of %q: %s", w.dir, describeError(err))
	}
	if list == nil {
		return tasklist.List{}, contractError(engine.NotFound, next.Guide.On("feature"), "No task list loaded")
	}
	return *list, nil
}
