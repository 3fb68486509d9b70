package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/setup"

	"github.com/alecthomas/assert/v2"
)

// workspaces opens workspaces below a folder, without an identity of git.
func workspaces(t *testing.T, env ...string) (*setup.Workspaces, *[]string) {
	t.Helper()
	var said []string
	w := &setup.Workspaces{
		Options: engine.Options{Environ: append(append(os.Environ(), "HOME="+t.TempDir(), "LOTAR_TASKS_DIR="), env...)},
		Report:  func(text string) { said = append(said, text) },
	}
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	return w, &said
}

func mkdir(t *testing.T, elem ...string) string {
	t.Helper()
	dir := filepath.Join(elem...)
	assert.NoError(t, os.MkdirAll(dir, 0o755))
	return dir
}

// TestWorkspaces_read changes nothing in a folder that is no project.
func TestWorkspaces_read(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mkdir(t, dir, ".tasks")
	w, said := workspaces(t)
	p, err := w.Open(t.Context(), dir, false)
	assert.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, ".tasks"), engine.Variable(p, "LOTAR_TASKS_DIR"))
	assert.Equal(t, filepath.Base(dir), filepath.Base(engine.Home(p)), "it is called")
	files, err := os.ReadDir(dir)
	assert.NoError(t, err, "%v", files)
	assert.Equal(t, 1, len(files), "%v", files)
	assert.Zero(t, *said, "%v", files)
}

// TestWorkspaces_write makes the project around the tasks, once.
func TestWorkspaces_write(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	w, said := workspaces(t, "LOTAR_TASKS_DIR="+filepath.Join(dir, ".tasks"), "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com")
	for _, writes := range []bool{true, true, false} {
		p, err := w.Open(t.Context(), elsewhere, writes)
		assert.NoError(t, err)
		if want, _ := filepath.EvalSymlinks(dir); engine.Home(p) != want {
			t.Errorf("the project is %s, want %s", engine.Home(p), want)
		}
	}
	if text := strings.Join(*said, "\n"); strings.Count(text, "made a git repository") != 1 || strings.Count(text, "made .chant") != 1 {
		t.Errorf("said %q", *said)
	}
}

// TestWorkspaces_above finds the tasks of a folder above, and does not make a home folder a repository.
func TestWorkspaces_above(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	assert.NoError(t, os.WriteFile(filepath.Join(mkdir(t, dir, ".tasks"), "config.yml"), nil, 0o600))
	below := mkdir(t, dir, "a", "b")
	w, _ := workspaces(t)
	p, err := w.Open(t.Context(), below, true)
	assert.NoError(t, err)
	if want, _ := filepath.EvalSymlinks(dir); engine.Home(p) != want {
		t.Errorf("the project is %s, want %s", engine.Home(p), want)
	}
	home := t.TempDir()
	w, _ = workspaces(t, "HOME="+home)
	p, err = w.Open(t.Context(), home, true)
	assert.Error(t, err, "%v", p)
	assert.Contains(t, err.Error(), "home folder", "%v", p)
}

// TestOpenFolder reads commands where there is no project, and leaves nothing behind.
func TestOpenFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	below := mkdir(t, dir, "a", "b")
	w := &setup.Workspaces{Options: enginetest.Options()}
	p, err := w.OpenFolder(t.Context(), below)
	assert.NoError(t, err)
	assert.Equal(t, below, p.Folder, "got the folder")
	made := engine.Home(p)
	if err := w.Close(); err != nil || engine.Exists(made) {
		t.Errorf("%v, %s is left", err, made)
	}
	for _, name := range []string{".git", ".chant", "a/b/.chant"} {
		assert.False(t, engine.Exists(filepath.Join(dir, name)), "%s was made", name)
	}
	own, home := enginetest.Project(t)
	if p, err = w.OpenFolder(t.Context(), home); err != nil || p.Folder != "" || engine.Home(p) != engine.Home(own) {
		t.Errorf("%q, %v", p.Folder, err)
	}
}
