package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/setup"
)

// workspaces opens workspaces below a folder, without an identity of git.
func workspaces(t *testing.T, env ...string) (*setup.Workspaces, *[]string) {
	t.Helper()
	var said []string
	w := &setup.Workspaces{
		Options: engine.Options{Environ: append(append(os.Environ(), "HOME="+t.TempDir(), "LOTAR_TASKS_DIR="), env...)},
		Report:  func(text string) { said = append(said, text) },
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w, &said
}

func mkdir(t *testing.T, elem ...string) string {
	t.Helper()
	dir := filepath.Join(elem...)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestWorkspaces_read changes nothing in a folder that is no project.
func TestWorkspaces_read(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mkdir(t, dir, ".tasks")
	w, said := workspaces(t)
	p, err := w.Open(t.Context(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := engine.Variable(p, "LOTAR_TASKS_DIR"); got != filepath.Join(dir, ".tasks") {
		t.Errorf("its tasks are in %q", got)
	}
	if got := filepath.Base(engine.Home(p)); got != filepath.Base(dir) {
		t.Errorf("it is called %q", got)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 || len(*said) > 0 {
		t.Errorf("left %v, %v, said %q", files, err, *said)
	}
}

// TestWorkspaces_write makes the project around the tasks, once.
func TestWorkspaces_write(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	w, said := workspaces(t, "LOTAR_TASKS_DIR="+filepath.Join(dir, ".tasks"), "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com")
	for _, writes := range []bool{true, true, false} {
		p, err := w.Open(t.Context(), elsewhere, writes)
		if err != nil {
			t.Fatal(err)
		}
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
	if err := os.WriteFile(filepath.Join(mkdir(t, dir, ".tasks"), "config.yml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	below := mkdir(t, dir, "a", "b")
	w, _ := workspaces(t)
	p, err := w.Open(t.Context(), below, true)
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := filepath.EvalSymlinks(dir); engine.Home(p) != want {
		t.Errorf("the project is %s, want %s", engine.Home(p), want)
	}
	home := t.TempDir()
	w, _ = workspaces(t, "HOME="+home)
	if p, err := w.Open(t.Context(), home, true); err == nil || !strings.Contains(err.Error(), "home folder") {
		t.Errorf("%v, %v", p, err)
	}
}

// TestOpenFolder reads commands where there is no project, and leaves nothing behind.
func TestOpenFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	below := mkdir(t, dir, "a", "b")
	w := &setup.Workspaces{Options: enginetest.Options()}
	p, err := w.OpenFolder(t.Context(), below)
	if err != nil {
		t.Fatal(err)
	}
	if p.Folder != below {
		t.Errorf("got the folder %q, want %q", p.Folder, below)
	}
	made := engine.Home(p)
	if err := w.Close(); err != nil || engine.Exists(made) {
		t.Errorf("%v, %s is left", err, made)
	}
	for _, name := range []string{".git", ".chant", "a/b/.chant"} {
		if engine.Exists(filepath.Join(dir, name)) {
			t.Errorf("%s was made", name)
		}
	}
	own, home := enginetest.Project(t)
	if p, err = w.OpenFolder(t.Context(), home); err != nil || p.Folder != "" || engine.Home(p) != engine.Home(own) {
		t.Errorf("%q, %v", p.Folder, err)
	}
}
