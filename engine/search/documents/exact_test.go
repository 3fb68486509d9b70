package documents

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine/search/find"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

// TestFind_exact changes and removes documents at random, and compares what searches find with and without the index:
// the same documents in the same order with the same scores. Words that only former texts had must not matter, however
// similar they are to those of queries.
func TestFind_exact(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	indexed(p)
	plain := p.openAt(p.home)
	plain.Index = store.IndexOff
	r := rand.New(rand.NewPCG(3, 4))
	vocabulary := strings.Fields("kangaroo kangaro kangaroos wallaby wallabies walaby verify verified verifying verification " +
		"config configs configure configuration confguration run running runs front matter frontmatter front_matter common")
	text := func(most int) string {
		words := make([]string, r.IntN(most))
		for i := range words {
			words[i] = vocabulary[r.IntN(len(vocabulary))]
		}
		return strings.Join(words, " ")
	}
	change := func() {
		path := store.SpecPath(fmt.Sprintf("2026-11-20-%03d-abc", r.IntN(25)))
		switch r.IntN(5) {
		case 0:
			err := os.Remove(filepath.Join(p.home, path))
			assert.False(t, err != nil && !os.IsNotExist(err), "%v", err)
		case 1:
			p.put(fmt.Sprintf(".chant/prompts/p%d.md", r.IntN(3)), "# "+text(3)+"\n"+text(9))
		default:
			p.put(path, "---\nstatus: pending\n---\n# "+text(3)+"\n\n"+text(9)+"\n")
		}
	}
	for step := range 40 {
		for range 1 + r.IntN(6) {
			change()
		}
		var queries []find.Query
		for range 12 {
			q := find.ParseQuery(text(3) + " " + vocabulary[r.IntN(len(vocabulary))])
			if r.IntN(3) == 0 {
				word := vocabulary[r.IntN(len(vocabulary))]
				q = find.ParseQuery(text(2) + " " + word[:2+r.IntN(len(word)-1)])
			}
			q.Prefix = r.IntN(2) == 0
			queries = append(queries, q)
		}
		got, want := scored(t, p.Store, queries), scored(t, plain, queries)
		for i, q := range queries {
			if !slices.EqualFunc(got[i], want[i], equalMatches) {
				t.Fatalf("step %d, %q (%v), segments %v:\n%v\nwant\n%v", step, q, q.Prefix, segmentsOf(t, p.Store), got[i], want[i])
			}
		}
	}
}

// scoredPath is a document that was found.
type scoredPath struct {
	path  string
	exact bool
	score float64
}

// scored returns what each query finds.
func scored(t *testing.T, st *store.Store, queries []find.Query) [][]scoredPath {
	t.Helper()
	lists := make([][]scoredPath, len(queries))
	err := Ask(t.Context(), st, func(s *Searcher) error {
		for i, q := range queries {
			found, err := s.Find(t.Context(), q, Options{Text: q.String(), AnyOf: q.Words()[:i%2*len(q.Words())]})
			if err != nil {
				return err
			}
			for _, m := range append(found.Specs, found.Others...) {
				lists[i] = append(lists[i], scoredPath{m.Path, m.Exact, m.Score})
			}
		}
		return nil
	})
	assert.NoError(t, err)
	return lists
}

func equalMatches(a, b scoredPath) bool {
	return a.path == b.path && a.exact == b.exact && math.Abs(a.score-b.score) < 1e-9
}
