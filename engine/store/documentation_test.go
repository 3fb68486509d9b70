package store

import (
	"slices"
	"testing"
	"time"
)

// TestDocumentation lists what git's index has, whether or not the list of an earlier index is known, and keeps no list
// whose stamp had not settled.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	indexed(p)
	later, earlier := p.Clock, func() time.Time { return time.Now().Add(-time.Hour) }
	for _, step := range []struct {
		name string
		do   func()
		want []string
	}{
		{"none", func() {}, nil},
		{"two", func() {
			for _, file := range []string{"b.md", "a/a.md", "a.txt", ".chant/notes.md"} {
				p.put(file, "text")
			}
			p.git("add", "-A")
			p.put("untracked.md", "text")
		}, []string{"a/a.md", "b.md"}},
		{"one", func() { p.git("rm", "-qf", "b.md") }, []string{"a/a.md"}},
	} {
		step.do()
		for _, try := range []struct {
			clock         func() time.Time
			known, stored bool
		}{{earlier, false, false}, {later, false, true}, {later, true, false}} {
			p.Clock = try.clock
			p.Query(t.Context(), func(q *Query) {
				list, _ := storedFiles(q.View, documentationList)
				got, err := q.Documentation()(t.Context())
				if err != nil || !slices.Equal(got, step.want) {
					t.Errorf("%s: %q, %v, want %q", step.name, got, err, step.want)
				}
				known := list.Stamp.Known() && list.Stamp == q.stampGitIndex()
				if known != try.known || (q.rows.documentation != nil) != try.stored {
					t.Errorf("%s: known %v, stored %v, want %v, %v", step.name, known, (q.rows.documentation != nil), try.known, try.stored)
				}
			})
		}
	}
}
