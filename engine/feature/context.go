package feature

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"chant/engine"
	"chant/engine/format/adopted"
	"chant/engine/format/speckit"
	"chant/engine/format/tasklist"
)

// tasksFile is the list of tasks in the folder of a feature or a change.
const tasksFile = "tasks.md"

// ContextInput has no members: the worktree of the caller decides.
type ContextInput struct{}

// ContextResult is the feature that the caller's worktree is about. Without one, all members are null.
type ContextResult struct {
	Number   *string   `json:"feature_number"` // such as "060"; null for a change of OpenSpec
	Name     *string   `json:"feature_name"`
	Branch   *string   `json:"branch"`
	Phase    *string   `json:"phase"`              // specify, plan, tasks or implement
	Dir      *string   `json:"spec_dir"`           // from the top of the worktree
	Progress *Progress `json:"progress,omitempty"` // of the tasks; absent without a list of them
	Next     *Task     `json:"next_task,omitempty"`
}

// Progress counts tasks.
type Progress struct {
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Text  string `json:"text"` // such as "3/10 tasks complete"
}

// Task is one task of a list.
type Task struct {
	ID          string `json:"id"` // as in the list; "line 12" if it has none
	Description string `json:"description"`
}

// Context returns the feature of spec-kit or the change of OpenSpec that the caller's worktree is about, and how far it
// is. That there is none is not an error.
func Context(ctx context.Context, p *engine.Project, _ ContextInput) (ContextResult, error) {
	w, err := openWorktree(ctx, p)
	if err != nil {
		return ContextResult{}, engine.Wrap(err, "")
	}
	return engine.Done(w.context(), w.close(), "")
}

func (w *worktree) context() ContextResult {
	if w.dir == "" {
		return ContextResult{}
	}
	r := ContextResult{Dir: &w.dir}
	if w.branch != "" {
		r.Branch = &w.branch
	}
	number, name, phase := w.describe()
	if number != "" {
		r.Number = &number
	}
	r.Name, r.Phase = &name, &phase
	// CompleteTask reports a list that cannot be read.
	if list, err := w.tasks(); err == nil && list != nil {
		r.Progress, r.Next = progressOf(*list), nextOf(*list)
	}
	return r
}

// describe returns number, name and phase of the feature.
func (w *worktree) describe() (number, name, phase string) {
	if adopted.KindOf(w.dir) == adopted.OpenSpec {
		return "", path.Base(w.dir), w.changePhase()
	}
	// A broken spec.md does not hide what the folder says.
	f, _ := speckit.Open(w, w.dir)
	if f.Name == "" {
		f.Name = path.Base(w.dir)
	}
	return f.Number, f.Name, string(f.Phase)
}

// changePhase is the phase of a change of OpenSpec: the proposal comes first, then deltas or a design, then tasks.
func (w *worktree) changePhase() string {
	has := func(name string) bool {
		_, err := fs.Stat(w, path.Join(w.dir, name))
		return err == nil
	}
	// As far as its files show: OpenSpec itself has no phases.
	switch {
	case !has("proposal.md"):
		return string(speckit.Specify)
	case !has("specs") && !has("design.md"):
		return string(speckit.Plan)
	case !has(tasksFile):
		return string(speckit.Tasks)
	}
	return string(speckit.Implement)
}

// tasks reads the list of tasks; nil without one.
func (w *worktree) tasks() (*tasklist.List, error) {
	src, err := fs.ReadFile(w, path.Join(w.dir, tasksFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := tasklist.Parse(src)
	return &list, nil
}

func progressOf(l tasklist.List) *Progress {
	done, total := tasklist.Progress(l)
	return &Progress{Done: done, Total: total, Text: fmt.Sprintf("%d/%d tasks complete", done, total)}
}

// nextOf returns the task to do next; nil if there is none.
func nextOf(l tasklist.List) *Task {
	t := tasklist.Next(l)
	if t == nil {
		return nil
	}
	return &Task{ID: t.Key, Description: t.Description}
}
