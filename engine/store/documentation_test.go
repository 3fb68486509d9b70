package store

import (
	"slices"
	"testing"
)

// TestDocumentation lists the Markdown files that git tracks outside the project's folder.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for _, file := range []string{"b.md", "a/a.md", "a.txt", ".chant/notes.md"} {
		p.put(file, "text")
	}
	p.git("add", "-A")
	p.put("untracked.md", "text")
	p.Query(t.Context(), func(q *Query) {
		if got, err := q.Documentation(t.Context()); err != nil || !slices.Equal(got, []string{"a/a.md", "b.md"}) {
			t.Errorf("%q, %v", got, err)
		}
	})
}
