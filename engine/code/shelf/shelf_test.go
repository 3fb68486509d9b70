package shelf_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"chant/engine/code/shelf"
	"chant/engine/enginetest"
	"chant/engine/search/find"
	"chant/engine/store/index"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// sandbox is a repository with a shelf.
type sandbox struct {
	t   *testing.T
	dir string
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	assert.NoError(t, err)
	dir = filepath.Join(dir, "repo")
	assert.NoError(t, os.Mkdir(dir, 0o755))
	enginetest.Repository(t, dir)
	for _, name := range []string{"apple", "banana", "cherry"} {
		enginetest.Write(t, dir, name+".go", goFile(name))
	}
	enginetest.Write(t, dir, "guide.md", "# Guide\n\nRead the guide.\n")
	enginetest.CommitAll(t, dir)
	return &sandbox{t, dir}
}

func goFile(name string) string {
	return fmt.Sprintf("package fruit\n\n// %s peels it.\nfunc %s() {}\n", name, name)
}

// open returns what a new process has.
func (s *sandbox) open(root string, useIndex bool) *shelf.Shelf {
	s.t.Helper()
	repo, err := gitops.Open(root)
	if err != nil {
		s.t.Fatal(err)
	}
	return &shelf.Shelf{Repo: repo, Open: func(ctx context.Context) *index.Index {
		if !useIndex {
			return nil
		}
		return index.Open(ctx, filepath.Join(repo.CommonDir(), "chant"), "test")
	}}
}

// refresh refreshes as a new process does.
func (s *sandbox) refresh(root string, force bool) (*shelf.Snapshot, shelf.Report) {
	s.t.Helper()
	shot, report, err := s.open(root, true).Refresh(s.t.Context(), shelf.Request{Root: root, Force: force})
	if err != nil {
		s.t.Fatal(err)
	}
	return shot, report
}

// paths returns the files of code that a word is found in.
func paths(t *testing.T, shot *shelf.Snapshot, word string) []string {
	t.Helper()
	hits, err := find.Search(shot.Segments(), shelf.Fields(), find.ParseQuery(word), find.Options{Top: 100, Keep: shot.Keep(false, nil)})
	assert.NoError(t, err)
	list := []string{}
	for _, h := range hits {
		f, ok := shot.File(h.Segment, h.Doc)
		assert.True(t, ok, "a document of another worktree was found")
		list = append(list, f.Path)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (s *sandbox) found(shot *shelf.Snapshot, word string, want ...string) {
	s.t.Helper()
	if got := paths(s.t, shot, word); !slices.Equal(got, want) {
		s.t.Errorf("%q is found in %q, want %q", word, got, want)
	}
}

func TestRefresh_changes(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	if shot, r := s.refresh(s.dir, false); r.Indexed != 4 || !r.Saved || r.Snippets != 1 {
		t.Errorf("first: %+v", r)
	} else {
		s.found(shot, "banana", "banana.go")
	}
	_, r := s.refresh(s.dir, false)
	assert.Equal(t, 0, r.Indexed)
	assert.Equal(t, 4, r.Known)
	enginetest.Write(t, s.dir, "banana.go", goFile("mango"))
	shot, r := s.refresh(s.dir, false)
	assert.Equal(t, 1, r.Indexed, "changed: %+v", r)
	s.found(shot, "banana", "banana.go") // its path has the word
	s.found(shot, "mango", "banana.go")
	assert.NoError(t, os.Rename(filepath.Join(s.dir, "banana.go"), filepath.Join(s.dir, "other.go")))
	assert.NoError(t, os.Remove(filepath.Join(s.dir, "cherry.go")))
	shot, r = s.refresh(s.dir, false)
	s.found(shot, "mango", "other.go")
	s.found(shot, "cherry")
	counts := shot.Count(t.Context())
	shot, forced := s.refresh(s.dir, true)
	again := shot.Count(t.Context())
	assert.Equal(t, counts, again, "%+v", r)
	assert.Equal(t, counts.Files, forced.Indexed, "%+v", r)
	assert.Equal(t, 3, counts.Files, "%+v", r)
	s.found(shot, "mango", "other.go")
}

func TestRefresh_worktrees(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.refresh(s.dir, false)
	other := filepath.Join(filepath.Dir(s.dir), "other")
	enginetest.Git(t, s.dir, "worktree", "add", "-q", "-b", "side", other)
	_, r := s.refresh(other, false)
	assert.Equal(t, 0, r.Indexed, "the same content")
	assert.Equal(t, 4, r.Known, "the same content")
	enginetest.Write(t, other, "papaya.go", goFile("papaya"))
	there, _ := s.refresh(other, false)
	here, _ := s.refresh(s.dir, false)
	s.found(there, "papaya", "papaya.go")
	s.found(here, "papaya")
	enginetest.Git(t, s.dir, "worktree", "remove", "--force", other)
	s.editOften(10)
	_, ok := s.stored()[other]
	assert.False(t, ok, "the manifest of a worktree that is gone is kept")
}

// editOften makes as many parts as there are edits.
func (s *sandbox) editOften(times int) {
	for i := range times {
		enginetest.Write(s.t, s.dir, "apple.go", goFile(fmt.Sprintf("pear%d", i)))
		shot, r := s.refresh(s.dir, false)
		if r.Indexed != 1 || len(shot.Parts) > 9 {
			s.t.Errorf("edit %d: %+v, %d parts", i, r, len(shot.Parts))
		}
		s.found(shot, fmt.Sprintf("pear%d", i), "apple.go")
		s.found(shot, "cherry", "cherry.go")
	}
}

// stored returns the manifests of all worktrees.
func (s *sandbox) stored() map[string][]byte {
	var values map[string][]byte
	x := s.open(s.dir, true).Open(s.t.Context())
	defer x.Close()
	x.View(s.t.Context(), func(v *index.View) {
		names, _ := v.ValueNames("code-tree 1")
		values, _ = v.Values("code-tree 1", names...)
	})
	if len(values) == 0 {
		s.t.Error("no manifest is stored")
	}
	return values
}

func TestRefresh_withoutIndex(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	for range 2 {
		shot, r, err := s.open(s.dir, false).Refresh(t.Context(), shelf.Request{Root: s.dir})
		assert.NoError(t, err)
		assert.Equal(t, 4, r.Indexed)
		assert.False(t, r.Saved, "%+v, %v", r, err)
		s.found(shot, "cherry", "cherry.go")
	}
}

func TestRefresh_brokenIndex(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.refresh(s.dir, false)
	enginetest.Write(t, filepath.Join(s.dir, ".git", "chant"), index.Name, "this is no database, but it is long enough to look like one\n")
	for range 3 { // the first may only notice
		shot, _ := s.refresh(s.dir, false)
		s.found(shot, "cherry", "cherry.go")
	}
	_, r := s.refresh(s.dir, false)
	assert.Equal(t, 0, r.Indexed, "the index was not made anew: %+v", r)
}

func TestRefresh_atOnce(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	var all sync.WaitGroup
	var mu sync.Mutex
	indexed := 0
	for range 4 {
		own := s.open(s.dir, true)
		all.Go(func() {
			shot, r, err := own.Refresh(t.Context(), shelf.Request{Root: s.dir})
			if err != nil {
				t.Error(err)
				return
			}
			s.found(shot, "cherry", "cherry.go")
			mu.Lock()
			defer mu.Unlock()
			indexed += r.Indexed
		})
	}
	all.Wait()
	assert.Equal(t, 4, indexed)
}

func TestRefresh_cancelled(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.refresh(s.dir, false)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stop := func(int, int, string) { cancel() }
	_, _, err := s.open(s.dir, true).Refresh(ctx, shelf.Request{Root: s.dir, Force: true, Progress: stop})
	assert.IsError(t, err, context.Canceled)
	shot, r := s.refresh(s.dir, false)
	assert.Equal(t, 0, r.Indexed, "%+v", r)
	s.found(shot, "cherry", "cherry.go")
}
