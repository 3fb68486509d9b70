package code

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"chant/engine"
	"chant/engine/code"
	"chant/mcp/toolset"
)

type indexInput struct {
	Path  string `json:"path" jsonschema:"Absolute path to the directory to index" schema:"minlen=1"`
	Force bool   `json:"force,omitempty" jsonschema:"Force re-indexing even if files haven't changed" schema:"default=false"`
	Async bool   `json:"async,omitempty" jsonschema:"Return at once with the task_id for check_indexing_status" schema:"default=false"`
	Poll  int    `json:"poll_interval,omitempty" jsonschema:"With async: milliseconds between checks" schema:"min=1000,max=300000"`
}

// pollEvery is how often a client is to check where it does not say so itself.
const pollEvery = 10 * time.Second

// indexReply is the result of indexing, or where it continues in the background.
type indexReply struct {
	*code.IndexResult
	*started
}

type started struct {
	TaskID  string `json:"task_id,omitempty"`
	Status  string `json:"status,omitempty"`
	Message string `json:"message,omitempty"`
}

func (do operations) indexCodebase(ctx context.Context, p *engine.Project, in indexInput) (indexReply, error) {
	if !in.Async {
		r, err := do.index(ctx, p, code.IndexInput{Path: in.Path, Force: in.Force, Progress: (&reporter{p: p}).files()})
		return indexReply{IndexResult: &r}, err
	}
	jobs := toolset.JobsOf(ctx)
	// Over HTTP outside of a session, nothing would connect the job with the one who asks for it later.
	if jobs == nil {
		return indexReply{}, toolset.BadArguments("async needs a session, which this connection does not have: leave it out")
	}
	poll := time.Duration(in.Poll) * time.Millisecond
	if poll == 0 {
		poll = pollEvery
	}
	id, err := jobs.Start(toolset.Arguments{"path": in.Path, "force": in.Force}, poll)
	if err != nil {
		return indexReply{}, &engine.Error{Code: engine.State, Message: err.Error(), Err: err}
	}
	return indexReply{started: &started{id, "started", fmt.Sprintf("Indexing has started. Call check_indexing_status with task_id %q", id)}}, nil
}

type statusInput struct {
	TaskID string `json:"task_id" jsonschema:"The task_id that index_codebase returned" schema:"minlen=1"`
}

// statusReply is how far a job is, or the result of its call.
type statusReply struct {
	TaskID     string `json:"task_id,omitempty"`
	Status     string `json:"status,omitempty"`
	RetryAfter int64  `json:"retry_after_ms,omitempty"`
	Message    string `json:"message,omitempty"`
	Processed  *int   `json:"files_processed,omitempty"`
	Total      *int   `json:"total_files,omitempty"` // in place of that of the result
	Percent    *int   `json:"percent_complete,omitempty"`
	*code.IndexResult
}

// status reports how far a job is. Errors: NotFound for an unknown one, Canceled, State for one that failed.
func status(ctx context.Context, _ *engine.Project, in statusInput) (statusReply, error) {
	refuse := func(c engine.Code, text string) (statusReply, error) {
		return statusReply{}, &engine.Error{Code: c, Message: text}
	}
	var job toolset.Job
	found := false
	if jobs := toolset.JobsOf(ctx); jobs != nil {
		job, found = jobs.Find(in.TaskID)
	}
	switch {
	case !found:
		return refuse(engine.NotFound, "Task not found: "+in.TaskID+". The task may have expired or the ID is invalid.")
	case job.Status == "cancelled":
		return refuse(engine.Canceled, "Indexing was cancelled")
	case job.Status == "failed":
		return refuse(engine.State, job.Text)
	case job.Status == "completed":
		var r code.IndexResult
		if err := json.Unmarshal(job.Result, &r); err != nil {
			return statusReply{}, fmt.Errorf("result of job %q: %w", in.TaskID, err)
		}
		return statusReply{Total: &r.TotalFiles, IndexResult: &r}, nil
	}
	percent := 0
	if job.Total > 0 {
		// A count may run ahead of the total while files are still found.
		percent = min(100, max(0, 100*job.Done/job.Total))
	}
	return statusReply{
		TaskID: in.TaskID, Status: job.Status, RetryAfter: pollEvery.Milliseconds(), Message: job.Message,
		Processed: &job.Done, Total: &job.Total, Percent: &percent,
	}, nil
}
