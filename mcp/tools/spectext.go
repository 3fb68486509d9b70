package tools

import (
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/author/planning"
	"chant/engine/spec"
	"chant/engine/view"
	"chant/engine/work"
	"chant/engine/work/questions"
	"chant/engine/work/queue"
	"chant/mcp/toolset"
)

// statusCounts is the status as the contract shows it: eight counts, and what else is known, such as how many specs are
// paused, a status that the contract does not have.
type statusCounts struct {
	Total          int `json:"total"`
	Pending        int `json:"pending"`
	InProgress     int `json:"in_progress"`
	Completed      int `json:"completed"`
	Failed         int `json:"failed"`
	Blocked        int `json:"blocked"`
	Cancelled      int `json:"cancelled"`
	NeedsAttention int `json:"needs_attention"`
	Paused         int `json:"paused,omitempty"`
	Invalid        int `json:"invalid,omitempty"`

	Questions []questions.OpenQuestion `json:"questions,omitempty"`

	Plans []planning.Summary `json:"plans,omitempty"`

	Runs     []view.RunView  `json:"runs,omitempty"`
	Activity []view.Activity `json:"in_progress_activity,omitempty"`
}

func statusText(in view.StatusInput, r view.StatusResult) (string, error) {
	if in.Brief {
		return r.Brief, nil
	}
	return toolset.JSON(statusCounts{
		Total: r.Total, Pending: r.Pending, InProgress: r.InProgress, Paused: r.Paused, Completed: r.Completed, Failed: r.Failed, Blocked: r.Blocked,
		Cancelled: r.Cancelled, NeedsAttention: r.NeedsAttention, Invalid: r.Invalid, Questions: r.Questions, Plans: r.Plans, Runs: r.Runs, Activity: r.Activity,
	})
}

func updateText(_ author.UpdateInput, r engine.StateResult) (string, error) {
	return "Updated spec: " + r.ID, nil
}

func finalizeText(_ work.FinalizeInput, r work.WorkResult) (string, error) {
	// This is inside the spec's own run.
	if r.Status != spec.Completed {
		return fmt.Sprintf("Spec '%s' passes; it stays %s until this run ends, and chant then completes and lands it. End your turn", r.ID, r.Status), nil
	}
	return "Finalized spec: " + r.ID, nil
}

func mergeText(_ work.MergeInput, r work.WorkResult) (string, error) {
	return fmt.Sprintf("Landed spec: %s on %s", r.ID, r.Target), nil
}

func resetText(_ work.ResetInput, r engine.StateResult) (string, error) {
	return fmt.Sprintf("Reset spec '%s' to pending", r.ID) + keptText(r), nil
}

func cancelText(_ work.CancelInput, r engine.StateResult) (string, error) {
	return "Cancelled spec: " + r.ID + keptText(r), nil
}

func pauseText(_ work.PauseInput, r engine.StateResult) (string, error) {
	if r.Status != spec.Paused {
		return fmt.Sprintf("Nothing to pause: spec '%s' is %s", r.ID, r.Status), nil
	}
	return fmt.Sprintf("Successfully paused work for spec '%s'", r.ID), nil
}

func watchStartText(_ queue.WatchInput, r queue.WatchStartResult) (string, error) {
	return fmt.Sprintf("Started watch process (PID: %d)", r.PID), nil
}

func watchStopText(_ queue.WatchStopInput, r queue.WatchStopResult) (string, error) {
	return fmt.Sprintf("Sent stop signal to watch process (PID: %d)", r.PID), nil
}

// keptText names the refs that keep what a dropped run held.
func keptText(r engine.StateResult) string {
	text := ""
	if len(r.Rescued) > 0 {
		text = "\nIts work is kept as " + strings.Join(r.Rescued, ", ")
	}
	for _, edit := range r.Edits {
		text += "\n" + edit
	}
	return text
}

func archiveText(_ author.ArchiveInput, r author.ArchiveResult) (string, error) {
	text := ""
	for i, m := range r.Moved {
		if i > 0 {
			text += "\n"
		}
		text += fmt.Sprintf("Archived spec: %s -> %s", m.ID, m.Path)
	}
	return text, nil
}
