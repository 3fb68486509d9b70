package toolset

import (
	"context"
	"encoding/json"
	"time"
)

// Jobs are calls of tools that outlive the call which has started them, for clients that cannot call tools as tasks.
type Jobs interface {
	// Start calls the tool that is being called once more, with other arguments and in the background. poll is how
	// often the client is to look for the job; 0 = as usual.
	Start(args Arguments, poll time.Duration) (id string, err error)
	// Find returns a job that the same client has started; false for others and for forgotten ones.
	Find(id string) (Job, bool)
}

// Job is a call in the background.
type Job struct {
	Status      string // working, completed, failed or cancelled
	Message     string // how far it is; may be empty
	Done, Total int
	Result      json.RawMessage // the structured content of the reply; nil until it has completed
	Text        string          // of a reply that failed
}

type jobsKey struct{}

// WithJobs returns a context in which operations of tools can start jobs.
func WithJobs(ctx context.Context, jobs Jobs) context.Context {
	return context.WithValue(ctx, jobsKey{}, jobs)
}

// JobsOf are the jobs of the client that makes a call, nil where nothing can outlive the call.
func JobsOf(ctx context.Context) Jobs {
	jobs, _ := ctx.Value(jobsKey{}).(Jobs)
	return jobs
}
