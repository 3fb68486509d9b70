package mcp

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"chant/engine"
	"chant/mcp/taskrun"
	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

// jobTools are a tool that can run in the background without a task, and one that looks for what it does there.
func jobTools(letGo <-chan struct{}) []toolset.Tool {
	work := func(ctx context.Context, p *engine.Project, in echoInput) (echoResult, error) {
		switch in.Text {
		case "start", "start broken":
			id, err := toolset.JobsOf(ctx).Start(toolset.Arguments{"text": in.Text[len("start"):]}, 0)
			return echoResult{id}, err
		case " broken":
			return echoResult{}, &engine.Error{Code: engine.State, Message: "broken"}
		}
		p.Progress(engine.Event{Text: "half", Done: 1, Total: 2})
		<-letGo
		return echoResult{"done"}, nil
	}
	look := func(ctx context.Context, _ *engine.Project, in echoInput) (echoResult, error) {
		job, ok := toolset.JobsOf(ctx).Find(in.Text)
		if !ok {
			return echoResult{}, &engine.Error{Code: engine.NotFound, Message: "none"}
		}
		return echoResult{fmt.Sprintf("%s %s %d/%d %s%s", job.Status, job.Message, job.Done, job.Total, job.Result, job.Text)}, nil
	}
	text := []toolset.Param{{Name: "text"}}
	return []toolset.Tool{
		{Name: "work", Params: text, Op: toolset.Operation(work), Task: true},
		{Name: "look", Params: text, Op: toolset.Operation(look)},
	}
}

// TestJobs starts jobs in a version of the protocol without tasks, which get no notification, and in the one with them.
func TestJobs(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2024-11-05", tasksVersion} {
		letGo := make(chan struct{})
		c := connect(t.Context(), t, jobTools(letGo)...)
		c.greet(version)
		say := func(tool, text string) string {
			t.Helper()
			m := c.ask("tools/call", map[string]any{"name": tool, "arguments": map[string]any{"text": text}})
			if m.Result.IsError {
				return "refused: " + m.Result.Content[0].Text
			}
			return m.Result.Structured["text"].(string)
		}
		await := func(id, want string) {
			t.Helper()
			for got := ""; got != want; { // each round waits for a reply
				if last := say("look", id); last != got {
					got = last
					t.Logf("%s: %s", version, got)
				}
			}
		}
		id := say("work", "start")
		await(id, "working half 1/2 ")
		assert.Equal(t, "refused: none", say("look", "unheard of"))
		close(letGo)
		if version == tasksVersion {
			m := c.next()
			assert.Equal(t, "notifications/tasks/status", m.Method)
			assert.Equal(t, id, m.Params.ID)
			assert.Equal(t, taskrun.Completed, m.Params.Status)
			m = c.ask("tasks/result", map[string]any{"taskId": id})
			assert.True(t, m.Result.Structured["text"] == "done", "as a task %+v", m)
		}
		await(id, `completed  1/2 {"text":"done"}`)
		if version != tasksVersion {
			await(say("work", "start broken"), "failed broken 0/0 broken")
		}
		c.end()
	}
}

// TestJobs_nowhere: a call that belongs to no client cannot start jobs.
func TestJobs_nowhere(t *testing.T) {
	t.Parallel()
	tools := []toolset.Tool{{Name: "work", Op: toolset.Operation(func(ctx context.Context, _ *engine.Project, _ echoInput) (echoResult, error) {
		if toolset.JobsOf(ctx) != nil {
			return echoResult{}, errors.New("it has jobs")
		}
		return echoResult{"none"}, nil
	})}}
	e := &endpoint{srv: newServer(t.Output(), blank, fixed(tools...), Options{Version: "0"})}
	m := sessionServer(t, e).task("tools/call", map[string]any{"name": "work", "arguments": struct{}{}})
	assert.True(t, m.Result.Structured["text"] == "none", "%+v", m)
}
