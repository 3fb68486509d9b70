package sprints_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec/sprint"
	"chant/engine/spec/task"
	"chant/engine/task/sprints"
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
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return out
}

// wantFault checks the code and the text of an error.
func wantFault(t *testing.T, err error, code int, text string) {
	t.Helper()
	fault, ok := errors.AsType[*task.Fault](err)
	if !ok || fault.Code != code || !strings.Contains(fault.Message, text) {
		t.Errorf("%v: %+v", err, fault)
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	p, dir := project(t)
	enginetest.Write(t, dir, ".tasks/config.yml", "sprints:\n  defaults:\n    capacity_points: 20\n    length: 2w\n")
	one := must(t, p, sprints.Create, `{"label": "Alpha", "starts_at": "2026-01-01"}`)
	if one.Sprint.ID != 1 || one.Sprint.State != sprint.Pending || one.Sprint.ComputedEnd != "2026-01-15T00:00:00Z" || one.Sprint.CapacityPoints != 20 ||
		!reflect.DeepEqual(one.AppliedDefaults, []string{"capacity_points", "length"}) {
		t.Errorf("%+v", one)
	}
	two := must(t, p, sprints.Create, `{"ends_at": "2026-01-01", "skip_defaults": true}`)
	if two.Sprint.ID != 2 || two.Sprint.State != sprint.Overdue || two.AppliedDefaults != nil || two.Warnings != nil {
		t.Errorf("%+v", two)
	}
	three := must(t, p, sprints.Create, `{"ends_at": "never", "plan_length": "2w"}`)
	if len(three.Warnings) != 2 || three.Sprint.PlanLength != "" {
		t.Errorf("%+v", three)
	}
	if got := enginetest.Git(t, dir, "log", "--format=%s", "-3"); got != "chant: create sprint #3\nchant: create sprint #2\nchant: create sprint #1" {
		t.Errorf("%s", got)
	}
	if got := enginetest.Git(t, dir, "status", "--porcelain", ".chant"); got != "" {
		t.Errorf("left %s", got)
	}
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
	if err := os.Remove(filepath.Join(dir, ".git", "chant", "numbers", "@sprint")); err != nil {
		t.Fatal(err)
	}
	if four := must(t, p, sprints.Create, `{}`); four.Sprint.ID != 4 {
		t.Errorf("%+v", four)
	}
	enginetest.Git(t, dir, "reset", "-q", "--hard", "HEAD~2") // before the deletion
	if five := must(t, p, sprints.Create, `{}`); five.Sprint.ID != 5 {
		t.Errorf("%+v", five)
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	p, dir := project(t)
	must(t, p, sprints.Create, `{"label": "A", "goal": "g", "capacity_points": 5, "plan_length": "1w"}`)
	head := enginetest.Git(t, dir, "rev-parse", "HEAD")
	same := must(t, p, sprints.Update, `{"sprint": "#1", "label": "A"}`)
	if same.Sprint.Label != "A" || enginetest.Git(t, dir, "rev-parse", "HEAD") != head {
		t.Errorf("%+v", same)
	}
	got := must(t, p, sprints.Update, `{"sprint_id": "1", "label": null, "goal": "", "capacity_points": null, "capacity_hours": "8", "actual_started_at": "2026-01-01"}`)
	if s := got.Sprint; s.Label != "" || s.Goal != "" || s.CapacityPoints != 0 || s.CapacityHours != 8 || s.PlanLength != "1w" || s.State != sprint.Active {
		t.Errorf("%+v", s)
	}
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
	if got := must(t, p, sprints.Start, `{"sprint_id": 1}`); got.Sprint.ActualStart != "2026-01-02T12:00:00Z" || got.Warnings != nil {
		t.Errorf("%+v", got)
	}
	if _, err := call(t, p, sprints.Start, `{"sprint_id": 1}`); enginetest.CodeOf(t, err) != engine.State {
		t.Errorf("%v", err)
	}
	if got := must(t, p, sprints.Start, `{"sprint_id": 2, "at": "2026-01-01"}`); len(got.Warnings) != 1 || got.Warnings[0].Code != sprint.ParallelActive {
		t.Errorf("%+v", got)
	}
	if got := must(t, p, sprints.Close, `{"sprint_id": 1}`); got.Sprint.State != sprint.Complete {
		t.Errorf("%+v", got)
	}
	if _, err := call(t, p, sprints.Close, `{"sprint_id": 2, "at": "soon"}`); enginetest.CodeOf(t, err) != engine.Usage {
		t.Errorf("%v", err)
	}
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
	if got.Total != 4 || got.Count != 2 || !got.HasMore || *got.NextCursor != 3 || got.Sprints[0].ID != 2 || !reflect.DeepEqual(got.MissingSprints, []int{7}) {
		t.Errorf("%+v", got)
	}
	last := must(t, p, sprints.List, `{"cursor": 3, "include_integrity": false}`)
	if last.HasMore || last.NextCursor != nil || last.Sprints[0].Warnings[0].Code != sprint.UnreadableFile || last.Integrity != nil {
		t.Errorf("%+v", last)
	}
	if beyond := must(t, p, sprints.List, `{"cursor": 100}`); beyond.Count != 0 || beyond.Sprints == nil {
		t.Errorf("%+v", beyond)
	}
	for args, text := range map[string]string{
		`{"limit": 0}`: "limit must be between 1 and 200", `{"limit": 201}`: "limit must be between 1 and 200",
		`{"cursor": -1}`: "cursor must be a positive integer", `{"cursor": 5001}`: "cursor must be <= 5000",
	} {
		_, err := call(t, p, sprints.List, args)
		wantFault(t, err, task.InvalidParams, text)
	}
	if _, err := call(t, p, sprints.Get, `{"sprint": 4}`); enginetest.CodeOf(t, err) != engine.Invalid {
		t.Errorf("%v", err)
	}
	if one := must(t, p, sprints.Get, `{"sprint": 3}`); one.Sprint.DisplayName != "Sprint 3" {
		t.Errorf("%+v", one)
	}
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
	if len(seen) != 5 {
		t.Errorf("%v", seen)
	}
}
