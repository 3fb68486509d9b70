package sprints_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec/sprint"
	"chant/engine/spec/task"
	"chant/engine/task/sprints"

	"github.com/alecthomas/assert/v2"
)

// project creates a project with specs, each of a key and front matter.
func project(t *testing.T, specs ...string) (*engine.Project, string) {
	t.Helper()
	p, dir := enginetest.Project(t)
	files := map[string]string{}
	for i, front := range specs {
		files[fmt.Sprintf(".chant/specs/2026-01-01-%03d-abc.md", i+1)] = fmt.Sprintf("---\ntask: X-%d\n%s---\n# Task %d\n", i+1, front, i+1)
	}
	if len(files) > 0 {
		enginetest.Commit(t, dir, files)
	}
	return p, dir
}

// call decodes arguments as a server does and calls an operation.
func call[In, Out any](t *testing.T, p *engine.Project, op func(ctx context.Context, p *engine.Project, in In) (Out, error), args string) (Out, error) {
	t.Helper()
	var in In
	if err := json.Unmarshal([]byte(args), &in); err != nil {
		var none Out
		return none, err
	}
	return op(t.Context(), p, in)
}

func must[In, Out any](t *testing.T, p *engine.Project, op func(ctx context.Context, p *engine.Project, in In) (Out, error), args string) Out {
	t.Helper()
	out, err := call(t, p, op, args)
	assert.NoError(t, err, "%s", args)
	return out
}

// wantFault checks the code and the text of an error.
func wantFault(t *testing.T, err error, code int, text string) {
	t.Helper()
	fault, ok := errors.AsType[*task.Fault](err)
	assert.True(t, ok, "%v: %+v", err, fault)
	assert.Equal(t, code, fault.Code, "%v", err)
	assert.Contains(t, fault.Message, text, "%v", err)
}

func TestCreate(t *testing.T) {
	t.Parallel()
	p, dir := project(t)
	enginetest.Write(t, dir, ".tasks/config.yml", "sprints:\n  defaults:\n    capacity_points: 20\n    length: 2w\n")
	one := must(t, p, sprints.Create, `{"label": "Alpha", "starts_at": "2026-01-01"}`)
	assert.Equal(t, 1, one.Sprint.ID)
	assert.Equal(t, sprint.Pending, one.Sprint.State)
	assert.Equal(t, "2026-01-15T00:00:00Z", one.Sprint.ComputedEnd)
	assert.Equal(t, 20, one.Sprint.CapacityPoints)
	assert.Equal(t, []string{"capacity_points", "length"}, one.AppliedDefaults)
	two := must(t, p, sprints.Create, `{"ends_at": "2026-01-01", "skip_defaults": true}`)
	assert.Equal(t, 2, two.Sprint.ID)
	assert.Equal(t, sprint.Overdue, two.Sprint.State)
	assert.True(t, two.AppliedDefaults == nil, "%+v", two)
	assert.True(t, two.Warnings == nil, "%+v", two)
	three := must(t, p, sprints.Create, `{"ends_at": "never", "plan_length": "2w"}`)
	assert.Equal(t, 2, len(three.Warnings))
	assert.Equal(t, "", three.Sprint.PlanLength)
	assert.Equal(t, "chant: create sprint #3\nchant: create sprint #2\nchant: create sprint #1", enginetest.Git(t, dir, "log", "--format=%s", "-3"))
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain", ".chant"))
	_, err := call(t, p, sprints.Create, `{"capacity_points": -1}`)
	wantFault(t, err, task.InvalidParams, "capacity_points")
}

// TestCreate_ids uses no id again: in this clone, and in another one that only sees the commits.
func TestCreate_ids(t *testing.T) {
	t.Parallel()
	p, dir := project(t)
	for range 3 {
		must(t, p, sprints.Create, `{}`)
	}
	must(t, p, sprints.Delete, `{"sprint_id": 3}`)
	assert.NoError(t, os.Remove(filepath.Join(dir, ".git", "chant", "numbers", "@sprint")))
	four := must(t, p, sprints.Create, `{}`)
	assert.Equal(t, 4, four.Sprint.ID, "%+v", four)
	enginetest.Git(t, dir, "reset", "-q", "--hard", "HEAD~2") // before the deletion
	five := must(t, p, sprints.Create, `{}`)
	assert.Equal(t, 5, five.Sprint.ID, "%+v", five)
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	p, dir := project(t)
	must(t, p, sprints.Create, `{"label": "A", "goal": "g", "capacity_points": 5, "plan_length": "1w"}`)
	head := enginetest.Git(t, dir, "rev-parse", "HEAD")
	same := must(t, p, sprints.Update, `{"sprint": "#1", "label": "A"}`)
	assert.Equal(t, "A", same.Sprint.Label)
	assert.Equal(t, head, enginetest.Git(t, dir, "rev-parse", "HEAD"))
	got := must(t, p, sprints.Update, `{"sprint_id": "1", "label": null, "goal": "", "capacity_points": null, "capacity_hours": "8", "actual_started_at": "2026-01-01"}`)
	s := got.Sprint
	assert.Equal(t, "", s.Label)
	assert.Equal(t, "", s.Goal)
	assert.Equal(t, 0, s.CapacityPoints)
	assert.Equal(t, 8, s.CapacityHours)
	assert.Equal(t, "1w", s.PlanLength)
	assert.Equal(t, sprint.Active, s.State)
	for args, text := range map[string]string{
		`{}`: "Missing sprint id", `{"sprint_id": "x"}`: "sprint_id must be a positive integer", `{"sprint": 0}`: "sprint must be a positive integer",
		`{"sprint_id": 1, "label": 5}`: "Invalid params: label", `{"sprint_id": 1, "capacity_hours": 1.5}`: "Invalid params: capacity_hours",
		`{"sprint_id": 1, "label": "\u0001"}`: "Invalid params",
	} {
		_, err := call(t, p, sprints.Update, args)
		wantFault(t, err, task.InvalidParams, text)
	}
	_, err := call(t, p, sprints.Update, `{"sprint_id": 9}`)
	wantFault(t, err, task.NotFound, "Sprint #9 not found")
}

func TestStart(t *testing.T) {
	t.Parallel()
	p, _ := project(t)
	must(t, p, sprints.Create, `{}`)
	must(t, p, sprints.Create, `{}`)
	got := must(t, p, sprints.Start, `{"sprint_id": 1}`)
	assert.Equal(t, "2026-01-02T12:00:00Z", got.Sprint.ActualStart)
	assert.True(t, got.Warnings == nil, "%+v", got)
	_, err := call(t, p, sprints.Start, `{"sprint_id": 1}`)
	assert.Equal(t, engine.State, enginetest.CodeOf(t, err))
	got = must(t, p, sprints.Start, `{"sprint_id": 2, "at": "2026-01-01"}`)
	assert.Equal(t, 1, len(got.Warnings))
	assert.Equal(t, sprint.ParallelActive, got.Warnings[0].Code)
	got = must(t, p, sprints.Close, `{"sprint_id": 1}`)
	assert.Equal(t, sprint.Complete, got.Sprint.State, "%+v", got)
	_, err = call(t, p, sprints.Close, `{"sprint_id": 2, "at": "soon"}`)
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err))
}

func TestList(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "sprints: [1, 7]\n")
	for range 3 {
		must(t, p, sprints.Create, `{}`)
	}
	enginetest.Write(t, dir, ".chant/sprints/4.md", "---\nplan: [1\n---\n")
	enginetest.Write(t, dir, ".chant/sprints/notes.md", "---\nplan: [1\n---\n")
	got := must(t, p, sprints.List, `{"limit": 2, "offset": 1}`)
	assert.Equal(t, 4, got.Total)
	assert.Equal(t, 2, got.Count)
	assert.True(t, got.HasMore, "%+v", got)
	assert.Equal(t, 3, *got.NextCursor)
	assert.Equal(t, 2, got.Sprints[0].ID)
	assert.Equal(t, []int{7}, got.MissingSprints)
	last := must(t, p, sprints.List, `{"cursor": 3, "include_integrity": false}`)
	assert.False(t, last.HasMore, "%+v", last)
	assert.Zero(t, last.NextCursor)
	assert.Equal(t, sprint.UnreadableFile, last.Sprints[0].Warnings[0].Code)
	assert.True(t, last.Integrity == nil, "%+v", last)
	beyond := must(t, p, sprints.List, `{"cursor": 100}`)
	assert.Equal(t, 0, beyond.Count)
	assert.True(t, beyond.Sprints != nil, "%+v", beyond)
	for args, text := range map[string]string{
		`{"limit": 0}`: "limit must be between 1 and 200", `{"limit": 201}`: "limit must be between 1 and 200",
		`{"cursor": -1}`: "cursor must be a positive integer", `{"cursor": 5001}`: "cursor must be <= 5000",
	} {
		_, err := call(t, p, sprints.List, args)
		wantFault(t, err, task.InvalidParams, text)
	}
	_, err := call(t, p, sprints.Get, `{"sprint": 4}`)
	assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err))
	one := must(t, p, sprints.Get, `{"sprint": 3}`)
	assert.Equal(t, "Sprint 3", one.Sprint.DisplayName, "%+v", one)
}

// TestCreate_atOnce gives each of several processes an id of its own.
func TestCreate_atOnce(t *testing.T) {
	t.Parallel()
	p, _ := project(t, "")
	ids := make(chan int, 5)
	for range 5 {
		go func() {
			out, err := sprints.Create(t.Context(), p, sprints.CreateInput{})
			if err != nil {
				t.Error(err)
			}
			ids <- out.Sprint.ID
		}()
	}
	seen := map[int]bool{}
	deadline := time.After(time.Minute)
	for range 5 {
		select {
		case id := <-ids:
			seen[id] = true
		case <-deadline:
			t.Fatal("it takes too long")
		}
	}
	assert.Equal(t, 5, len(seen), "%v", seen)
}
