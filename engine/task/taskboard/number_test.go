package taskboard_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec/task"
	"chant/engine/task/taskboard"
	"chant/engine/task/tasks"

	"github.com/alecthomas/assert/v2"
)

// TestNextNumber gives no number twice: not after a task was deleted, not in a clone that has only the history, and not
// if a task with a higher number was fetched.
func TestNextNumber(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".tasks/config.yml": "default:\n  project: AUTH\n"})
	create := func(want string) {
		t.Helper()
		r, err := tasks.Create(t.Context(), p, tasks.CreateInput{Title: "A"})
		assert.NoError(t, err)
		assert.Equal(t, want, r.Task.ID)
	}
	remove := func(id string) {
		t.Helper()
		r, err := tasks.Delete(t.Context(), p, tasks.DeleteInput{ID: id})
		assert.NoError(t, err)
		assert.True(t, r.Deleted, "%+v, %v", r, err)
	}
	create("AUTH-1")
	create("AUTH-2")
	remove("AUTH-2")
	create("AUTH-3")
	remove("AUTH-3")
	if err := os.RemoveAll(filepath.Join(dir, ".git", "chant")); err != nil { // as in a fresh clone
		t.Fatal(err)
	}
	create("AUTH-4")
	enginetest.Commit(t, dir, map[string]string{".chant/specs/2026-01-02-001-abc.md": "---\nstatus: pending\ntask: AUTH-5\n---\n# Fetched\n"})
	create("AUTH-6")
	for _, name := range []string{"", "..", "a/b"} {
		assert.Error(t, taskboard.SetLastNumber(p, name, 1), "%q names a file", name)
	}
}

func TestBoard_KeyOf(t *testing.T) {
	t.Parallel()
	b := taskboard.Board{Settings: &task.Settings{Project: "AUTH"}}
	for text, want := range map[string]string{"12": "AUTH-12", "#3": "AUTH-3", "001": "001", "0": "0", "": "", "#": "#", "AUTH-1": "AUTH-1", "1x": "1x", "99999999999": "99999999999"} {
		assert.Equal(t, want, b.KeyOf(text), "%q means", text)
	}
}

// TestOpen reports settings that cannot be read, with their place.
func TestOpen(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".tasks/config.yml", "issue:\n  states: [a\n")
	_, err := taskboard.Open(t.Context(), p, "")
	var known *engine.Error
	assert.True(t, errors.As(err, &known), "%v", err)
	assert.Equal(t, engine.Invalid, known.Code)
}
