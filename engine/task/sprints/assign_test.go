package sprints_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/spec/task"
	"chant/engine/task/sprints"
)

func TestAdd(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "", "sprints: [1]\n", "")
	_, err := call(t, p, sprints.Add, `{"tasks": "X-1"}`)
	wantFault(t, err, task.InvalidParams, "No sprints found")
	must(t, p, sprints.Create, `{"label": "A"}`)
	must(t, p, sprints.Create, `{}`)
	_, err = call(t, p, sprints.Add, `{"tasks": "X-1"}`)
	wantFault(t, err, task.InvalidParams, "No active sprint")
	head := enginetest.Git(t, dir, "rev-parse", "HEAD")
	for args, text := range map[string]string{
		`{"sprint": 1}`: "Missing required field: tasks", `{"tasks": [1], "sprint": 1}`: "tasks must be a string or array of strings",
		`{"tasks": ["X-1", "X-9"], "sprint": 1}`: "Task X-9 not found.", `{"tasks": "X-1", "sprint_id": "active"}`: "sprint_id must be",
	} {
		_, err := call(t, p, sprints.Add, args)
		wantFault(t, err, task.InvalidParams, text)
	}
	if enginetest.Git(t, dir, "rev-parse", "HEAD") != head {
		t.Error("a refused call has written")
	}
	must(t, p, sprints.Start, `{"sprint": 1}`)
	got := must(t, p, sprints.Add, `{"tasks": ["X-1", "X-2", "2026-01-01-001-abc"]}`)
	if got.SprintID != 1 || *got.SprintLabel != "A" || !reflect.DeepEqual(got.Modified, []string{"X-1"}) || !reflect.DeepEqual(got.Unchanged, []string{"X-2"}) ||
		got.Replaced != nil || got.Integrity != nil || got.MissingSprints == nil {
		t.Errorf("%+v", got)
	}
	if both := must(t, p, sprints.Add, `{"tasks": "X-1, X-2", "sprint": "next"}`); len(both.Modified) != 2 || both.Replaced != nil {
		t.Errorf("%+v", both)
	}
	if text := enginetest.Read(t, dir, ".chant/specs/2026-01-01-001-abc.md"); !strings.Contains(text, "sprints:\n- 1\n- 2\n") {
		t.Errorf("%s", text)
	}
	forced := must(t, p, sprints.Add, `{"tasks": "X-1", "sprint_id": "#2", "force": true}`)
	if !reflect.DeepEqual(forced.Replaced, []sprints.Replaced{{TaskID: "X-1", Previous: []int{1}}}) || forced.Messages[0] != "X-1 moved from sprint(s) #1" {
		t.Errorf("%+v", forced)
	}
	if got := enginetest.Git(t, dir, "log", "-1", "--format=%B"); !strings.Contains(got, "Chant-Spec: 2026-01-01-001-abc\nChant-Event: update") {
		t.Errorf("%s", got)
	}
	must(t, p, sprints.Close, `{"sprint": 2}`)
	_, err = call(t, p, sprints.Add, `{"tasks": "X-3", "sprint": 2}`)
	wantFault(t, err, task.InvalidParams, "is closed")
	if open := must(t, p, sprints.Add, `{"tasks": "X-3", "sprint": 2, "allow_closed": true}`); len(open.Modified) != 1 {
		t.Errorf("%+v", open)
	}
	gone := must(t, p, sprints.Remove, `{"tasks": ["X-3", "X-2"], "sprint": 1}`)
	if gone.Action != "remove" || !reflect.DeepEqual(gone.Modified, []string{"X-2"}) || !reflect.DeepEqual(gone.Unchanged, []string{"X-3"}) || gone.Replaced != nil {
		t.Errorf("%+v", gone)
	}
}

// TestDelete_uncommitted keeps in the history what was written into the file of a sprint by hand.
func TestDelete_uncommitted(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "sprints: [1]\n")
	must(t, p, sprints.Create, `{}`)
	file := filepath.Join(dir, ".chant", "sprints", "1.md")
	if err := os.WriteFile(file, []byte("---\nplan:\n  label: Mine\n---\n\nBy hand.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, p, sprints.Delete, `{"sprint": 1}`)
	if got := enginetest.Git(t, dir, "show", "HEAD~1:.chant/sprints/1.md"); !strings.Contains(got, "By hand.") {
		t.Errorf("the history has %s", got)
	}
	if got := enginetest.Git(t, dir, "log", "-2", "--format=%s"); got != "chant: delete sprint #1\nchant: edit sprint #1" {
		t.Errorf("%s", got)
	}
}

// TestDelete_ignored keeps a file that git does not track.
func TestDelete_ignored(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "sprints: [1]\n")
	must(t, p, sprints.Create, `{}`)
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(".chant\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := call(t, p, sprints.Delete, `{"sprint": 1}`)
	wantFault(t, err, task.InternalFault, "Failed to delete sprint")
	if _, err := os.Stat(filepath.Join(dir, ".chant", "sprints", "1.md")); err != nil {
		t.Error(err)
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "sprints: [1, 2]\n", "sprints: [1]\n", "sprints: [42]\n")
	for range 2 {
		must(t, p, sprints.Create, `{}`)
	}
	left := must(t, p, sprints.Delete, `{"sprint": 2}`)
	if !left.Deleted || left.RemovedReferences != 0 || !reflect.DeepEqual(left.Integrity.MissingSprints, []int{2, 42}) {
		t.Errorf("%+v", left)
	}
	got := must(t, p, sprints.Delete, `{"sprint_id": 1, "cleanup_missing": true}`)
	if got.RemovedReferences != 4 || got.UpdatedTasks != 3 || len(got.Integrity.MissingSprints) != 0 || !strings.HasPrefix(got.Sentence, "Deleted Sprint 1.") {
		t.Errorf("%+v", got)
	}
	if list := must(t, p, sprints.List, `{}`); list.Count != 0 || list.Integrity != nil || list.Sprints == nil {
		t.Errorf("%+v", list)
	}
	if text := enginetest.Read(t, dir, ".chant/specs/2026-01-01-001-abc.md"); strings.Contains(text, "sprints") {
		t.Errorf("%s", text)
	}
	if got := enginetest.Git(t, dir, "status", "--porcelain", ".chant"); got != "" {
		t.Errorf("left %s", got)
	}
	_, err := call(t, p, sprints.Delete, `{"sprint": 1}`)
	wantFault(t, err, task.NotFound, "Sprint #1 not found")
}
