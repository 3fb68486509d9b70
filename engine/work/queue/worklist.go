package queue

import (
	"context"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
)

// WorkListInput selects runs.
type WorkListInput struct {
	ProcessID string `json:"process_id,omitempty" jsonschema:"Only this run: a spec ID (full or partial), or what chant_work_start returned"`
	Completed bool   `json:"include_completed,omitempty" jsonschema:"Also specs that a run here has completed"`
}

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
	Status      string `json:"status"` // running, waiting, stale or completed
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

	Completed int `json:"completed,omitempty"`
}

// WorkList lists the runs on which a process works, those that seem to wait for a person,
// and those whose process died.
//
// A process ID that names no spec is an error: NotFound or Usage.
func WorkList(ctx context.Context, project *engine.Project, in WorkListInput) (WorkListResult, error) {
	set, err := project.Store.Load(ctx)
	if err != nil {
		return WorkListResult{}, engine.Wrap(err, "")
	}
	only, err := specOfProcess(ctx, project, in.ProcessID)
	if err != nil {
		return WorkListResult{}, engine.Wrap(err, in.ProcessID)
	}
	var worked map[string]fs.FileInfo
	if in.Completed {
		if worked, err = project.Store.JournalFiles(); err != nil {
			return WorkListResult{}, engine.Wrap(err, "")
		}
	}
	r := WorkListResult{Processes: []WorkProcess{}}
	for _, s := range set.Specs {
		if only != "" && s.ID != only {
			continue
		}
		seen := advice.GlanceAt(project, s)
		if seen.State == "" && s.Status == spec.Completed && worked[s.ID] != nil {
			seen.State = string(spec.Completed)
		}
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

// specOfProcess returns the spec of a process ID, "" for none: a spec ID, or one with the number of a process behind it.
func specOfProcess(ctx context.Context, p *engine.Project, id string) (string, error) {
	if id == "" {
		return "", nil
	}
	found, err := engine.Find(ctx, p, id)
	if i := strings.LastIndexByte(id, '-'); err != nil && i > 0 {
		if _, bad := strconv.Atoi(id[i+1:]); bad == nil {
			return engine.Find(ctx, p, id[:i])
		}
	}
	return found, err
}

// add adds a run and counts it. An interrupted run is called stale in this list.
func (r *WorkListResult) add(p WorkProcess) {
	switch p.Status {
	case advice.Interrupted:
		p.Status, p.Warning = "stale", "process_dead"
		r.Summary.Stale++
	case string(spec.Completed):
		r.Summary.Completed++
	case advice.Waiting:
		r.Summary.Waiting++
		r.Summary.Running++
	default:
		r.Summary.Running++
	}
	r.Processes = append(r.Processes, p)
}
