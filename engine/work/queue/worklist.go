package queue

import (
	"context"
	"os"
	"time"

	"chant/engine"
	"chant/engine/run/advice"
)

// WorkListInput has no fields.
type WorkListInput struct{}

// WorkListResult lists the runs that are under way or were interrupted.
type WorkListResult struct {
	Processes []WorkProcess `json:"processes"`
	Summary   WorkSummary   `json:"summary"`
}

// WorkProcess is one run.
type WorkProcess struct {
	SpecID      string `json:"spec_id"`
	Title       string `json:"title"`
	PID         int    `json:"pid,omitempty"`
	Status      string `json:"status"` // running, waiting or stale
	Since       string `json:"since,omitempty"`
	LogModified string `json:"log_modified,omitempty"`
	Branch      string `json:"branch"`
	LastLine    string `json:"last_line,omitempty"`     // of a waiting run
	Quiet       int64  `json:"quiet_seconds,omitempty"` // of a waiting run
	Warning     string `json:"warning,omitempty"`
}

// WorkSummary counts the runs; Running includes the waiting ones.
type WorkSummary struct {
	Running int `json:"running"`
	Waiting int `json:"waiting"`
	Stale   int `json:"stale"`
}

// WorkList lists the runs on which a process works, those that seem to wait for a person,
// and those whose process died.
func WorkList(ctx context.Context, project *engine.Project, _ WorkListInput) (WorkListResult, error) {
	set, err := project.Store.Load(ctx)
	if err != nil {
		return WorkListResult{}, engine.Wrap(err, "")
	}
	r := WorkListResult{Processes: []WorkProcess{}}
	for _, s := range set.Specs {
		seen := advice.GlanceAt(project, s)
		if seen.State == "" {
			continue
		}
		p := WorkProcess{SpecID: s.ID, Title: s.Title, Status: seen.State, Branch: s.Branch, LastLine: seen.LastLine, Quiet: seen.Quiet}
		if holder, held := project.Store.Holder(s.ID); held {
			p.PID, p.Since = holder.PID, holder.Since.UTC().Format(time.RFC3339)
		}
		if info, err := os.Stat(project.Store.LogPath(s.ID)); err == nil {
			p.LogModified = info.ModTime().UTC().Format(time.RFC3339)
		}
		r.add(p)
	}
	return r, nil
}

// add adds a run and counts it. An interrupted run is called stale in this list.
func (r *WorkListResult) add(p WorkProcess) {
	switch p.Status {
	case advice.Interrupted:
		p.Status, p.Warning = "stale", "process_dead"
		r.Summary.Stale++
	case advice.Waiting:
		r.Summary.Waiting++
		r.Summary.Running++
	default:
		r.Summary.Running++
	}
	r.Processes = append(r.Processes, p)
}
