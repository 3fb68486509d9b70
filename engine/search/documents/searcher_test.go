package documents

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/engine/search/find"
	"chant/engine/store"
	"chant/engine/store/index"
	"chant/engine/store/local"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

// ask returns all documents with words of a query.
func ask(ctx context.Context, st *store.Store, q find.Query) (found []Match, err error) {
	err = Ask(ctx, st, func(s *Searcher) error {
		got, err := s.Find(ctx, q, Options{})
		found = append(got.Specs, got.Others...)
		return err
	})
	return found, err
}

// foundBy returns what a query finds, in order: paths, and the first line of each body.
func foundBy(t *testing.T, s *store.Store, query string) string {
	t.Helper()
	q := find.ParseQuery(query)
	q.Prefix = true
	found, err := ask(t.Context(), s, q)
	assert.NoError(t, err)
	var out []string
	for _, m := range found {
		out = append(out, fmt.Sprint(m.Kind, " ", m.Path))
	}
	return strings.Join(out, "\n")
}

// segmentsOf returns how many segments the index has, and how many documents each has.
func segmentsOf(t *testing.T, s *store.Store) (sizes []int) {
	t.Helper()
	s.Query(t.Context(), func(q *store.Query) {
		list, _ := q.View.Segments(segmentKind)
		for _, one := range list {
			segment, _, err := unpack(one.Data)
			assert.NoError(t, err)
			sizes = append(sizes, segment.Len())
		}
	})
	return sizes
}

// withText is a spec with some words.
func withText(words string) string { return "---\nstatus: pending\n---\n# A title\n\n" + words + "\n" }

// TestFind_kinds finds specs, archived ones, prompts and tracked Markdown files, and nothing else.
func TestFind_kinds(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for path, content := range map[string]string{
		store.SpecPath(idA):                        withText("zebra zebra zebra zebra"),
		".chant/archive/2026-11-20/" + idB + ".md": withText("zebra zebra zebra"),
		".chant/archive/old/" + idA + ".md":        withText("zebra"), // the active one counts
		".chant/archive/deep/er/" + idC + ".md":    "---\nstatus: [\n---\nzebra\n",
		".chant/prompts/own/one.md":                "zebra",
		"docs/zebra.md":                            "nothing",
		"docs/zebra.txt":                           "zebra",
		"large.md":                                 "zebra" + strings.Repeat(" ", maxPlainBytes),
		".chant/notes.md":                          "zebra",
	} {
		p.put(path, content)
	}
	assert.NoError(t, os.Symlink("docs/zebra.md", filepath.Join(p.home, "zebra.md")))
	p.git("add", "-A")
	p.put("untracked.md", "zebra")
	want := "archived .chant/archive/2026-11-20/" + idB + ".md, archived .chant/archive/deep/er/" + idC + ".md, " +
		"documentation docs/zebra.md, prompt .chant/prompts/own/one.md, spec " + store.SpecPath(idA)
	for _, use := range []store.IndexUse{store.IndexAuto, store.IndexOff, store.IndexAlways, store.IndexAlways} {
		p.Index = use
		assert.Equal(t, want, sortedLines(foundBy(t, p.Store, "zebra")), "%q", use)
	}
}

func sortedLines(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, ", ")
}

// TestFind_index changes files and compares what is found with and without the index, and with what must be found.
func TestFind_index(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending", idC, "completed")
	indexed(p)
	plain := p.openAt(p.home)
	plain.Index = store.IndexOff
	const archived = ".chant/archive/2026-11-20/" + idC + ".md"
	steps := []struct {
		name string
		do   func()
		want string // for "zebra"
	}{
		{"nothing", func() {}, ""},
		{"an edit", func() { p.put(store.SpecPath(idA), withText("zebra")) }, "spec " + store.SpecPath(idA)},
		{"an edit of the same size", func() { p.put(store.SpecPath(idA), withText("horse")) }, ""},
		{"a new file", func() { p.put("docs/a.md", "# Zebra\n"); p.git("add", "docs") }, "documentation docs/a.md"},
		{"its removal", func() { p.git("rm", "-qf", "docs/a.md") }, ""},
		{"a branch", func() {
			p.git("switch", "-qc", "chant/"+idB)
			p.put(store.SpecPath(idB), withText("zebra"))
			p.git("commit", "-qam", "zebra")
			p.git("switch", "-q", "trunk")
		}, "spec " + store.SpecPath(idB)},
		{"another commit of it", func() {
			p.git("switch", "-q", "chant/"+idB)
			p.put(store.SpecPath(idB), withText("horse"))
			p.git("commit", "-qam", "horse")
			p.git("switch", "-q", "trunk")
			p.put(store.SpecPath(idB), withText("zebra")) // the branch counts
		}, ""},
		{"no branch", func() { p.git("branch", "-qD", "chant/"+idB) }, "spec " + store.SpecPath(idB)},
		{"a branch only", func() {
			p.git("switch", "-qc", "chant/2026-11-20-009-new")
			p.put(store.SpecPath("2026-11-20-009-new"), withText("zebra"))
			p.git("add", store.SpecPath("2026-11-20-009-new"))
			p.git("commit", "-qm", "new")
			p.git("switch", "-q", "trunk")
			p.git("checkout", "-q", store.SpecPath(idB))
		}, "spec " + store.SpecPath("2026-11-20-009-new")},
		{"the archive", func() {
			p.git("branch", "-qD", "chant/2026-11-20-009-new")
			p.put(store.SpecPath(idC), withText("zebra"))
			p.put(archived, withText("zebra"))
			assert.NoError(t, os.Remove(filepath.Join(p.home, store.SpecPath(idC))))
		}, "archived " + archived},
	}
	for _, step := range steps {
		step.do()
		for try := range 3 {
			for name, s := range map[string]*store.Store{"with": p.Store, "without": plain} {
				assert.Equal(t, step.want, foundBy(t, s, "zebra"), "%s, try %d, %s the index", step.name, try, name)
			}
		}
	}
}

// TestFind_random compares the index with reading everything, over many changes and merges.
func TestFind_random(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	indexed(p)
	plain := p.openAt(p.home)
	plain.Index = store.IndexOff
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("alpha beta gamma delta epsilon zeta theta iota")
	for step := range 60 {
		id := fmt.Sprintf("2026-11-20-%03d-abc", r.IntN(12))
		if path := filepath.Join(p.home, store.SpecPath(id)); r.IntN(4) == 0 {
			err := os.Remove(path)
			assert.False(t, err != nil && !os.IsNotExist(err), "%v", err)
		} else {
			p.put(store.SpecPath(id), withText(words[r.IntN(len(words))]+" "+words[r.IntN(len(words))]))
		}
		for _, word := range words {
			got, want := sortedLines(foundBy(t, p.Store, word)), sortedLines(foundBy(t, plain, word))
			assert.Equal(t, want, got, "step %d, %s", step, word)
		}
		sizes := segmentsOf(t, p.Store)
		assert.True(t, len(sizes) <= 9, "step %d: segments %v", step, sizes)
	}
}

// TestFind_unsettled: files that were just written are searched, and not stored.
func TestFind_unsettled(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	indexed(p)
	p.Clock = nil
	p.put(store.SpecPath(idA), withText("zebra"))
	got := foundBy(t, p.Store, "zebra")
	assert.Equal(t, "spec "+store.SpecPath(idA), got)
}

// TestFind_broken: a segment with a wrong byte is not used, and the next searches make new ones.
func TestFind_broken(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"a wrong checksum": "UPDATE segment SET data = x'00000000' || substr(data, 5)",
		"cut":              "UPDATE segment SET data = substr(data, 1, 40)",
		"empty":            "UPDATE segment SET data = x''",
		"without a table":  "DROP TABLE segment",
	} {
		p := newProject(t, idA, "pending")
		indexed(p)
		p.put(store.SpecPath(idA), withText("zebra"))
		_ = foundBy(t, p.Store, "zebra")
		sizes := segmentsOf(t, p.Store)
		assert.Equal(t, 1, len(sizes), "segments %v", sizes)
		db, err := sql.Open("sqlite", filepath.Join(p.home, ".git", "chant", index.Name))
		assert.NoError(t, err)
		_, err = db.Exec(statement)
		assert.NoError(t, err)
		assert.NoError(t, db.Close())
		for range 3 {
			got := foundBy(t, p.Store, "zebra")
			assert.Equal(t, "spec "+store.SpecPath(idA), got, "%s", name)
		}
		sizes = segmentsOf(t, p.Store)
		assert.Equal(t, 1, len(sizes), "%s: segments", name)
		assert.Equal(t, 1, sizes[0], "%s: segments", name)
	}
}

// TestFind_merge stores one segment for each change, and few in the end.
func TestFind_merge(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	indexed(p)
	for i := range 30 {
		p.put(store.SpecPath(fmt.Sprintf("2026-11-20-%03d-abc", i)), withText("zebra"))
		got := strings.Count(foundBy(t, p.Store, "zebra"), "\n")
		assert.Equal(t, i, got, "%d documents, want %d", got+1, i+1)
	}
	sizes, sum := segmentsOf(t, p.Store), 0
	for _, n := range sizes {
		sum += n
	}
	assert.Equal(t, 30, sum, "segments %v", sizes)
	assert.True(t, len(sizes) <= 8, "segments %v", sizes)
	p.git("add", "-A")
	p.git("commit", "-qm", "specs")
	p.git("rm", "-rqf", ".chant/specs")
	p.put(store.SpecPath(idA), withText("zebra"))
	_ = foundBy(t, p.Store, "zebra")
	sizes = segmentsOf(t, p.Store)
	assert.Equal(t, 1, len(sizes))
	assert.Equal(t, 1, sizes[0])
}

// TestFind_lease: who does not get the lock answers in the same way and stores nothing; several searches at once all
// answer.
func TestFind_lease(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	indexed(p)
	p.put(store.SpecPath(idA), withText("zebra"))
	path, err := p.Local(local.Locks, "index.lock")
	assert.NoError(t, err)
	lock, err := lockfile.Acquire(path, "test")
	assert.NoError(t, err)
	if got := foundBy(t, p.Store, "zebra"); got != "spec "+store.SpecPath(idA) || len(segmentsOf(t, p.Store)) != 0 {
		t.Errorf("%q, segments %v", got, segmentsOf(t, p.Store))
	}
	assert.NoError(t, lock.Release())
	var wg sync.WaitGroup
	for range 8 {
		s := p.openAt(p.home)
		s.Index, s.Clock = p.Index, p.Clock
		wg.Go(func() {
			found, err := ask(t.Context(), s, find.ParseQuery("zebra"))
			if err != nil || len(found) != 1 {
				t.Errorf("%v, %v", found, err)
			}
		})
	}
	wg.Wait()
	_ = foundBy(t, p.Store, "zebra")
	sizes := segmentsOf(t, p.Store)
	assert.Equal(t, 1, len(sizes))
	assert.Equal(t, 1, sizes[0])
}

// TestFind_canceled ends with the context's error and releases the lock.
func TestFind_canceled(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	indexed(p)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := ask(ctx, p.Store, find.ParseQuery("title"))
	assert.IsError(t, err, context.Canceled)
	got := foundBy(t, p.Store, "title")
	assert.Equal(t, "spec "+store.SpecPath(idA), got)
}

// TestFind_inRun finds the version in the worktree of the run in which the caller is, with every change of it.
func TestFind_inRun(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending")
	tree := filepath.Join(p.home, ".chant", "worktrees", idA)
	p.git("worktree", "add", "-q", "-b", "chant/"+idA, tree)
	inside := p.openAt(tree)
	inside.Clock = func() time.Time { return time.Now().Add(time.Hour) }
	for _, text := range []string{"zebra", "horse", "zebra"} {
		assert.NoError(t, os.WriteFile(filepath.Join(tree, store.SpecPath(idA)), []byte(withText(text)), 0o644))
		for _, use := range []store.IndexUse{store.IndexAlways, store.IndexAlways, store.IndexOff} {
			inside.Index = use
			got := foundBy(t, inside, text)
			assert.Equal(t, "spec "+store.SpecPath(idA), got, "%s, %q", text, use)
			assert.Equal(t, "", foundBy(t, p.Store, text), "%s, outside of the run", text)
		}
	}
}
