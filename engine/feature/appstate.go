package feature

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/local"
	"chant/engine/speckit"
	"chant/engine/view"
)

// outputLines is how many lines of a run's log the state has.
const outputLines = 20

// AppStateInput has no members.
type AppStateInput struct{}

// AppStateResult is the state of the project as the contract of rstn has it.
type AppStateResult struct {
	Running   bool                `json:"running"`
	View      string              `json:"current_view"`
	Root      string              `json:"project_root"` // the top of the caller's worktree
	Worktree  WorktreeView        `json:"worktree_view"`
	Workflows map[string]Workflow `json:"active_workflows"` // runs in progress, by the ids of their specs
}

// WorktreeView is what can be done in the worktree, and what is going on there.
type WorktreeView struct {
	Commands []AppCommand `json:"commands"`
	Selected int          `json:"selected_command_index"` // of the phase that the feature is in; 0 without a feature
	Output   string       `json:"workflow_output"`        // the end of the log of this worktree's run
	Message  string       `json:"status_message"`
}

// AppCommand is a phase of a feature or a hook of the project.
type AppCommand struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description"`
	Enabled     bool   `json:"enabled"`
	Kind        string `json:"workflow_type"` // phase or hook
}

// Workflow is a run.
type Workflow struct {
	Title  string `json:"title"`
	Status string `json:"status"` // running or waiting
	Step   string `json:"step,omitempty"`
}

// AppState describes the caller's worktree and the runs of the project. Its commands are the phases, of which those
// are enabled that the feature has reached, and the hooks. Error: Invalid for a broken file of hooks.
func AppState(ctx context.Context, p *engine.Project, _ AppStateInput) (AppStateResult, error) {
	w, err := here(ctx, p)
	if err != nil {
		return AppStateResult{}, engine.Wrap(err, "")
	}
	result, err := w.state(ctx, p)
	return engine.Done(result, errors.Join(err, w.close()), "")
}

func (w *worktree) state(ctx context.Context, p *engine.Project) (AppStateResult, error) {
	r := AppStateResult{Running: true, View: "worktree", Root: w.root, Workflows: map[string]Workflow{}}
	known, err := w.hooks(ctx, p)
	if err != nil {
		return r, err
	}
	r.Worktree.Commands, r.Worktree.Selected = w.phases()
	for _, h := range known.list {
		r.Worktree.Commands = append(r.Worktree.Commands, AppCommand{ID: h.Name, Label: capitalized(h.Name), Description: h.Command, Enabled: true, Kind: "hook"})
	}
	status, err := view.Status(ctx, p, view.StatusInput{})
	if err != nil {
		return r, err
	}
	r.Worktree.Message = "Ready"
	own := p.Store.RunOf()
	for _, run := range status.Runs {
		if run.State != advice.Running && run.State != advice.Waiting {
			continue
		}
		r.Workflows[run.ID] = Workflow{Title: run.Title, Status: run.State, Step: string(run.Step)}
		if run.ID == own {
			r.Worktree.Message = run.Title + ": " + run.State
		}
	}
	if own != "" {
		r.Worktree.Output, err = outputOf(p.Store.Files, own)
	}
	return r, err
}

// phases lists the phases of a feature, and the index of the one that it is in.
func (w *worktree) phases() (commands []AppCommand, now int) {
	all := []AppCommand{
		{ID: string(speckit.Specify), Description: "Write what is to be built"},
		{ID: string(speckit.Plan), Description: "Plan how it is built"},
		{ID: string(speckit.Tasks), Description: "Divide the plan into tasks"},
		{ID: string(speckit.Implement), Description: "Carry out the tasks"},
	}
	reached := -1
	if w.dir != "" {
		_, _, phase := w.describe()
		reached = slices.IndexFunc(all, func(c AppCommand) bool { return c.ID == phase })
	}
	for i := range all {
		all[i].Label, all[i].Enabled, all[i].Kind = capitalized(all[i].ID), i <= reached, "phase"
	}
	return all, max(reached, 0)
}

// outputOf is the end of the log of a run.
func outputOf(files local.Files, id string) (string, error) {
	lines, err := files.LogTail(id, advice.GlanceBytes)
	if err != nil {
		return "", err
	}
	var out []string
	for _, line := range lines[max(0, len(lines)-outputLines):] {
		out = append(out, line.Text)
	}
	return strings.Join(out, "\n"), nil
}

func capitalized(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
