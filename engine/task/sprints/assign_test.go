package sprints_test

import (
	"os"
	"path/filepath"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/spec/task"
	"chant/engine/task/sprints"

	"github.com/alecthomas/assert/v2"
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
	assert.Equal(t, head, enginetest.Git(t, dir, "rev-parse", "HEAD"), "a refused call has written")
	must(t, p, sprints.Start, `{"sprint": 1}`)
	got := must(t, p, sprints.Add, `{"tasks": ["X-1", "X-2", "2026-01-01-001-abc"]}`)
	assert.Equal(t, 1, got.SprintID)
	assert.Equal(t, "A", *got.SprintLabel)
	assert.Equal(t, []string{"X-1"}, got.Modified)
	assert.Equal(t, []string{"X-2"}, got.Unchanged)
	assert.True(t, got.Replaced == nil, "%+v", got)
	assert.True(t, got.Integrity == nil, "%+v", got)
	assert.True(t, got.MissingSprints != nil, "%+v", got)
	both := must(t, p, sprints.Add, `{"tasks": "X-1, X-2", "sprint": "next"}`)
	assert.Equal(t, 2, len(both.Modified))
	assert.True(t, both.Replaced == nil, "%+v", both)
	assert.Contains(t, enginetest.Read(t, dir, ".chant/specs/2026-01-01-001-abc.md"), "sprints:\n- 1\n- 2\n")
	forced := must(t, p, sprints.Add, `{"tasks": "X-1", "sprint_id": "#2", "force": true}`)
	assert.Equal(t, []sprints.Replaced{{TaskID: "X-1", Previous: []int{1}}}, forced.Replaced)
	assert.Equal(t, "X-1 moved from sprint(s) #1", forced.Messages[0])
	assert.Contains(t, enginetest.Git(t, dir, "log", "-1", "--format=%B"), "Chant-Spec: 2026-01-01-001-abc\nChant-Event: update")
	must(t, p, sprints.Close, `{"sprint": 2}`)
	_, err = call(t, p, sprints.Add, `{"tasks": "X-3", "sprint": 2}`)
	wantFault(t, err, task.InvalidParams, "is closed")
	open := must(t, p, sprints.Add, `{"tasks": "X-3", "sprint": 2, "allow_closed": true}`)
	assert.Equal(t, 1, len(open.Modified), "%+v", open)
	gone := must(t, p, sprints.Remove, `{"tasks": ["X-3", "X-2"], "sprint": 1}`)
	assert.Equal(t, "remove", gone.Action)
	assert.Equal(t, []string{"X-2"}, gone.Modified)
	assert.Equal(t, []string{"X-3"}, gone.Unchanged)
	assert.True(t, gone.Replaced == nil, "%+v", gone)
}

// TestDelete_uncommitted keeps in the history what was written into the file of a sprint by hand.
func TestDelete_uncommitted(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "sprints: [1]\n")
	must(t, p, sprints.Create, `{}`)
	file := filepath.Join(dir, ".chant", "sprints", "1.md")
	assert.NoError(t, os.WriteFile(file, []byte("---\nplan:\n  label: Mine\n---\n\nBy hand.\n"), 0o644))
	must(t, p, sprints.Delete, `{"sprint": 1}`)
	assert.Contains(t, enginetest.Git(t, dir, "show", "HEAD~1:.chant/sprints/1.md"), "By hand.")
	assert.Equal(t, "chant: delete sprint #1\nchant: edit sprint #1", enginetest.Git(t, dir, "log", "-2", "--format=%s"))
}

// TestDelete_ignored keeps a file that git does not track.
func TestDelete_ignored(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "sprints: [1]\n")
	must(t, p, sprints.Create, `{}`)
	assert.NoError(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(".chant\n"), 0o644))
	_, err := call(t, p, sprints.Delete, `{"sprint": 1}`)
	wantFault(t, err, task.InternalFault, "Failed to delete sprint")
	_, err = os.Stat(filepath.Join(dir, ".chant", "sprints", "1.md"))
	assert.NoError(t, err)
}

func TestDelete(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "sprints: [1, 2]\n", "sprints: [1]\n", "sprints: [42]\n")
	for range 2 {
		must(t, p, sprints.Create, `{}`)
	}
	left := must(t, p, sprints.Delete, `{"sprint": 2}`)
	assert.True(t, left.Deleted, "%+v", left)
	assert.Equal(t, 0, left.RemovedReferences)
	assert.Equal(t, []int{2, 42}, left.Integrity.MissingSprints)
	got := must(t, p, sprints.Delete, `{"sprint_id": 1, "cleanup_missing": true}`)
	assert.Equal(t, 4, got.RemovedReferences)
	assert.Equal(t, 3, got.UpdatedTasks)
	assert.Zero(t, got.Integrity.MissingSprints)
	assert.HasPrefix(t, got.Sentence, "Deleted Sprint 1.")
	list := must(t, p, sprints.List, `{}`)
	assert.Equal(t, 0, list.Count)
	assert.True(t, list.Integrity == nil, "%+v", list)
	assert.True(t, list.Sprints != nil, "%+v", list)
	assert.NotContains(t, enginetest.Read(t, dir, ".chant/specs/2026-01-01-001-abc.md"), "sprints")
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain", ".chant"))
	_, err := call(t, p, sprints.Delete, `{"sprint": 1}`)
	wantFault(t, err, task.NotFound, "Sprint #1 not found")
}
