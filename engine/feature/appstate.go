package feature

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/speckit"
	"chant/engine/run/advice"
	"chant/engine/store/local"
	"chant/engine/view"
)

// How much of a run's log the state has, and how much is searched for a report of the agent.
const (
	outputLines = 20
	reportBytes = 64 << 10
)

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
	Message  string       `json:"status_message"`         // what was reported last, otherwise the state of this worktree's run
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
	Title    string `json:"title"`
	Status   string `json:"status"` // running or waiting
	Step     string `json:"step,omitempty"`
	Reported string `json:"reported,omitempty"` // what its agent has reported last: needs_input, completed or error
}

// AppState describes the caller's worktree and the runs of the project. Its commands are the phases, of which those
// are enabled that the feature has reached, and the hooks. Error: Invalid for a broken file of hooks.
func AppState(ctx context.Context, p *engine.Project, _ AppStateInput) (AppStateResult, error) {
	w, err := openWorktree(ctx, p)
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
		r.Worktree.Commands = append(r.Worktree.Commands, AppCommand{ID: h.Name, Label: capitalize(h.Name), Description: h.Command, Enabled: true, Kind: "hook"})
	}
	r.Worktree.Message = "Ready"
	own := p.Store.RunOf()
	// Inside a run its own log has what its agent has reported.
	if last, ok := p.Recall.Kept(reportKey{w.root}).(agentReport); ok && own == "" {
		r.Worktree.Message = last.message()
	}
	status, err := view.Status(ctx, p, view.StatusInput{})
	if err != nil {
		return r, err
	}
	for _, run := range status.Runs {
		// A run that ended is in no workflow any more.
		if run.State != advice.Running && run.State != advice.Waiting {
			continue
		}
		lines, err := attemptLog(p.Store.Files, run.ID)
		if err != nil {
			return r, err
		}
		last, err := lastReport(p, run.ID, lines)
		if err != nil {
			return r, err
		}
		r.Workflows[run.ID] = Workflow{Title: run.Title, Status: run.State, Step: string(run.Step), Reported: last.status}
		if run.ID == own {
			r.Worktree.Output = textOf(lines[max(0, len(lines)-outputLines):])
			// A report says more than the state of the run.
			r.Worktree.Message = cmp.Or(last.message(), run.Title+": "+run.State)
		}
	}
	return r, nil
}

// phases lists the phases of a feature, and the index of the one that it is in.
func (w *worktree) phases() (commands []AppCommand, now int) {
	all := []AppCommand{
		{ID: string(speckit.Specify), Description: "Write what is to be built"},
		{ID: string(speckit.Plan), Description: "Plan how it is built"},
		{ID: string(speckit.Tasks), Description: "Divide the plan into tasks"},
		{ID: string(speckit.Implement), Description: "Carry out the tasks"},
	}
	// Without a feature no phase is reached.
	reached := -1
	if w.dir != "" {
		_, _, phase := w.describe()
		reached = slices.IndexFunc(all, func(c AppCommand) bool { return c.ID == phase })
	}
	for i := range all {
		all[i].Label, all[i].Enabled, all[i].Kind = capitalize(all[i].ID), i <= reached, "phase"
	}
	return all, max(reached, 0)
}

// attemptLog returns the end of the log of a run, from its present attempt.
func attemptLog(files local.Files, id string) ([]local.LogLine, error) {
	lines, err := files.LogTail(id, reportBytes)
	if err != nil {
		return nil, err
	}
	// From the end: the log has the attempts of all runs of the spec.
	for i, line := range slices.Backward(lines) {
		if strings.HasPrefix(line.Text, local.LogHeader) {
			return lines[i:], nil
		}
	}
	return lines, nil
}

func textOf(lines []local.LogLine) string {
	var out []string
	for _, line := range lines {
		out = append(out, line.Text)
	}
	return strings.Join(out, "\n")
}

func capitalize(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
