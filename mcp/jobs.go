package mcp

import (
	"context"
	"encoding/json"
	"time"

	"chant/mcp/taskrun"
	"chant/mcp/toolset"
)

// jobs are tasks that a tool starts by itself. A client that knows tasks sees them as such, too.
type jobs struct {
	s      *server
	client *client
	tool   toolset.Tool
	called string // the name by which the client called the tool
}

// Start implements toolset.Jobs.
func (j jobs) Start(args toolset.Arguments, poll time.Duration) (string, error) {
	m := message{tools: &toolRequest{call: &toolCall{name: j.called, args: args}}}
	var asked taskrun.Request
	if ms := poll.Milliseconds(); ms > 0 {
		asked.PollInterval = &ms
	}
	entry, _, err := j.client.store.Add(asked, func(ctx context.Context, e *taskrun.Entry) taskrun.Outcome {
		ctx = j.s.core.WithContext(context.WithValue(ctx, taskKey{}, e), j.client.background)
		return j.s.runTask(ctx, m, j.tool, "")
	})
	if err != nil {
		return "", err
	}
	// The job begins at once: its id is in the reply of the call that is under way.
	j.client.begin(entry)
	return entry.ID(), nil
}

// Find implements toolset.Jobs.
func (j jobs) Find(id string) (toolset.Job, bool) {
	task, far, outcome, err := j.client.store.Look(id)
	if err != nil {
		return toolset.Job{}, false
	}
	job := toolset.Job{Status: string(task.Status), Message: task.Message, Done: far.Done, Total: far.Total}
	raw, _ := outcome.Value.(reply)
	encoded, _ := raw.Result.(json.RawMessage)
	var result struct {
		Structured json.RawMessage         `json:"structuredContent"`
		Content    []struct{ Text string } `json:"content"`
	}
	switch {
	case !task.Status.Ended():
	case json.Unmarshal(encoded, &result) != nil:
		job.Text = outcome.Message
	case task.Status == taskrun.Completed:
		job.Result = result.Structured
	case len(result.Content) > 0:
		job.Text = result.Content[0].Text
	}
	return job, true
}
