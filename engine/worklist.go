package engine

import (
	"context"
	"os"
	"time"

	"chant/gitops"
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
	Status      string `json:"status"` // running or stale
	Since       string `json:"since,omitempty"`
	LogModified string `json:"log_modified,omitempty"`
	Branch      string `json:"branch"`
	Warning     string `json:"warning,omitempty"`
}

// WorkSummary counts them.
type WorkSummary struct {
	Running int `json:"running"`
	Stale   int `json:"stale"`
}

// WorkList tells which runs a process is at work on, and which have lost theirs.
func (e *Engine) WorkList(ctx context.Context, _ WorkListInput) (WorkListResult, error) {
	set, err := e.store.Load(ctx)
	if err != nil {
		return WorkListResult{}, wrap(err, "")
	}
	r := WorkListResult{Processes: []WorkProcess{}}
	for _, s := range set.Specs {
		state := e.runState(s)
		if state == "" {
			continue
		}
		p := WorkProcess{SpecID: s.ID, Title: s.Title, Status: running, Branch: s.Branch}
		if holder, held := gitops.HeldBy(e.store.LockPath(s.ID)); held {
			p.PID, p.Since = holder.PID, holder.Since.UTC().Format(time.RFC3339)
		}
		if info, err := os.Stat(e.store.LogPath(s.ID)); err == nil {
			p.LogModified = info.ModTime().UTC().Format(time.RFC3339)
		}
		if state == interrupted {
			p.Status, p.Warning = "stale", "process_dead"
			r.Summary.Stale++
		} else {
			r.Summary.Running++
		}
		r.Processes = append(r.Processes, p)
	}
	return r, nil
}
