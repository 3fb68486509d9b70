package setup_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/setup"
	"chant/engine/store"
	"chant/engine/store/local"

	"chant/engine/task/exchange"
	"chant/engine/task/sprints"
	"chant/engine/task/tasks"

	"github.com/alecthomas/assert/v2"
)

// writeTasks writes a .tasks directory of two projects and a sprint, and a file that cannot be read.
func writeTasks(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"config.yml":     "default:\n  project: AUTH\n",
		"AUTH/1.yml":     "title: Log in\nstatus: InProgress\ncreated: 2026-08-07T22:48:10.853176+00:00\nmodified: 2026-08-08T10:00:00.5+00:00\nrelationships: {depends_on: [WEB-2]}\ncomments:\n- {date: 2026-08-07T23:00:00+00:00, text: seen}\n",
		"AUTH/2.yml":     "title: Log out\nstatus: Todo\ncreated: 2026-08-07T22:48:10+00:00\n",
		"WEB/2.yml":      "title: Page\nstatus: Todo\ncreated: 2026-08-06T10:00:00+00:00\n",
		"WEB/3.yml":      "status: [\n",
		"@sprints/1.yml": "plan: {label: First}\ntasks: [AUTH-1]\n",
	} {
		path := filepath.Join(dir, ".tasks", filepath.FromSlash(name))
		mkdir(t, filepath.Dir(path))
		assert.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
}

// openTasks opens the project of a folder and returns the numbers of its tasks.
func openTasks(t *testing.T, w *setup.Workspaces, dir string, writes bool) (*engine.Project, []string) {
	t.Helper()
	p, err := w.Open(t.Context(), dir, writes)
	assert.NoError(t, err)
	list, err := tasks.List(t.Context(), p, tasks.ListInput{})
	assert.NoError(t, err)
	var keys []string
	for _, one := range list.Tasks {
		keys = append(keys, one.ID)
	}
	return p, keys
}

func wantKeys(t *testing.T, got []string, want ...string) {
	t.Helper()
	assert.Equal(t, want, got)
}

// TestWorkspaces_inPlace reads tasks from the folder of lotar, with the ids of specs that they keep after the import, and
// changes nothing.
func TestWorkspaces_inPlace(t *testing.T) {
	t.Parallel()
	for name, isProject := range map[string]bool{"nothing else": false, "a repository": false, "a project": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, all := t.TempDir(), []string{"AUTH-1", "AUTH-2", "WEB-2"}
			if isProject {
				_, dir = enginetest.Project(t)
				enginetest.Commit(t, dir, map[string]string{store.SpecPath("2026-01-02-001-abc"): "---\nstatus: pending\ntask: OLD-1\n---\n# Before\n"})
				all = []string{"AUTH-1", "AUTH-2", "OLD-1", "WEB-2"}
			}
			writeTasks(t, dir)
			if name == "a repository" {
				enginetest.Git(t, dir, "init", "-q", "-b", "main")
				enginetest.Git(t, dir, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "--allow-empty", "-m", "begin")
			}
			before := enginetest.Snapshot(t, dir)
			w, said := workspaces(t)
			p, keys := openTasks(t, w, dir, false)
			wantKeys(t, keys, all...)
			one, err := tasks.Get(t.Context(), p, tasks.GetInput{ID: "AUTH-1"})
			assert.NoError(t, err)
			assert.Equal(t, "2026-08-08T10:00:00.5+00:00", one.Modified)
			assert.Equal(t, 1, len(one.Comments))
			assert.True(t, one.Relationships != nil, "it is %+v", one)
			assert.Equal(t, []string{"WEB-2"}, one.Relationships.DependsOn)
			assert.Equal(t, []int{1}, one.Sprints)
			sprint, err := sprints.List(t.Context(), p, sprints.ListInput{})
			assert.NoError(t, err)
			assert.Equal(t, 1, sprint.Total)
			openTasks(t, w, dir, false)
			assert.Equal(t, len(before), len(enginetest.Snapshot(t, dir)))
			if len(*said) != 1 || !strings.Contains((*said)[0], "WEB/3.yml") {
				t.Errorf("said %q, want only the file that cannot be read", *said)
			}
			p, keys = openTasks(t, w, dir, true)
			wantKeys(t, keys, all...)
			imported, err := tasks.Get(t.Context(), p, tasks.GetInput{ID: "AUTH-1"})
			assert.NoError(t, err)
			assert.Equal(t, one.Spec, imported.Spec)
			assert.Equal(t, one.Modified, imported.Modified)
		})
	}
}

// TestWorkspaces_links: what a link leads to outside of the directory of tasks is neither shown nor imported.
func TestWorkspaces_links(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside.yml")
	writeTasks(t, dir)
	assert.NoError(t, os.WriteFile(outside, []byte("title: Secret\n"), 0o600))
	if err := os.Symlink(outside, filepath.Join(dir, ".tasks", "AUTH", "9.yml")); err != nil {
		t.Skip(err)
	}
	w, said := workspaces(t)
	for _, writes := range []bool{false, true} {
		_, keys := openTasks(t, w, dir, writes)
		wantKeys(t, keys, "AUTH-1", "AUTH-2", "WEB-2")
	}
	assert.Contains(t, strings.Join(*said, "\n"), "9.yml\" is a link")
}

// TestWorkspaces_imported reads the folder of lotar no more once its tasks were imported, except for tasks that are new.
func TestWorkspaces_imported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTasks(t, dir)
	var all sync.WaitGroup // of servers that begin at once
	for range 3 {
		w, _ := workspaces(t)
		all.Go(func() {
			if _, err := w.Open(t.Context(), dir, true); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	w, said := workspaces(t)
	p, keys := openTasks(t, w, dir, true)
	wantKeys(t, keys, "AUTH-1", "AUTH-2", "WEB-2")
	assert.NotContains(t, strings.Join(*said, "\n"), "imported the tasks")
	r, err := tasks.Delete(t.Context(), p, tasks.DeleteInput{ID: "AUTH-2"})
	assert.NoError(t, err)
	assert.True(t, r.Deleted, "%+v, %v", r, err)
	_, keys = openTasks(t, w, dir, false)
	wantKeys(t, keys, "AUTH-1", "WEB-2")
	assert.NoError(t, os.WriteFile(filepath.Join(dir, ".tasks", "WEB", "3.yml"), []byte("title: Repaired\nstatus: Todo\n"), 0o600))
	for _, writes := range []bool{false, true, false} {
		_, keys = openTasks(t, w, dir, writes)
		wantKeys(t, keys, "AUTH-1", "WEB-2", "WEB-3")
	}
}

// TestWorkspaces_importedUnrecorded reads the folder of lotar no more if a version of chant imported it that kept no
// record.
func TestWorkspaces_importedUnrecorded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTasks(t, dir)
	w, _ := workspaces(t)
	p, _ := openTasks(t, w, dir, true)
	_, err := tasks.Delete(t.Context(), p, tasks.DeleteInput{ID: "AUTH-2"})
	assert.NoError(t, err)
	assert.NoError(t, os.Remove(filepath.Join(dir, filepath.FromSlash(store.ImportedPath))))
	_, keys := openTasks(t, w, dir, false)
	wantKeys(t, keys, "AUTH-1", "WEB-2")
}

// TestWorkspaces_importKilled shows all tasks while some of them are imported and others are not, and finishes the import
// with the next change.
func TestWorkspaces_importKilled(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	writeTasks(t, dir)
	files, _, err := exchange.Preview(t.Context(), p)
	assert.NoError(t, err)
	killed := store.RedoLog{Message: "chant: import"}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		killed.Files = append(killed.Files, store.RedoFile{Path: path, Next: files[path]})
	}
	killed.Files = append(killed.Files, store.RedoFile{Path: store.ImportedPath, Next: []byte("AUTH-1\nAUTH-2\nWEB-2\nsprint 1\n")})
	_, err = store.NoteRedo(p.Store.LocalPath(local.Writes, ""), killed)
	assert.NoError(t, err)
	enginetest.Write(t, dir, killed.Files[0].Path, string(killed.Files[0].Next))
	w, said := workspaces(t, "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com")
	for _, writes := range []bool{false, true, false} {
		_, keys := openTasks(t, w, dir, writes)
		wantKeys(t, keys, "AUTH-1", "AUTH-2", "WEB-2")
	}
	assert.NotContains(t, strings.Join(*said, "\n"), "imported the tasks")
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain", "--", ".chant"))
}

// TestWorkspaces_below finds the tasks of a folder inside of a repository, before and after the import.
func TestWorkspaces_below(t *testing.T) {
	t.Parallel()
	_, top := enginetest.Project(t)
	dir := mkdir(t, top, "a")
	writeTasks(t, dir)
	w, _ := workspaces(t)
	for _, writes := range []bool{false, true, false} {
		p, keys := openTasks(t, w, mkdir(t, dir, "b"), writes)
		wantKeys(t, keys, "AUTH-1", "AUTH-2", "WEB-2")
		assert.Equal(t, top, engine.Home(p))
	}
}
