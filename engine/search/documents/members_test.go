package documents

import (
	"fmt"
	"slices"
	"testing"

	"chant/engine/store"
)

// TestFind_members: specs whose ids other ids begin with are read once, although their files are not in the order of
// their ids.
func TestFind_members(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	indexed(p)
	for i := range 40 {
		id := fmt.Sprintf("2026-11-20-%03d-abc", i)
		p.put(store.SpecPath(id), withText("horse"))
		p.put(store.SpecPath(id+".1"), withText("horse"))
	}
	_ = foundBy(t, p.Store, "zebra")
	for i, word := range []string{"wallaby", "kangaroo", "elephant", "penguin", "ostrich"} {
		path := store.SpecPath(fmt.Sprintf("2026-11-20-%03d-abc", 15+i))
		p.put(path, withText(word))
		for range 3 {
			if got := foundBy(t, p.Store, word); got != "spec "+path {
				t.Errorf("found %q, want %q", got, path)
			}
			if sizes := segmentsOf(t, p.Store); len(sizes) != 2+i || slices.Max(sizes[1:]) != 1 {
				t.Errorf("segments %v after %d edits", sizes, i+1)
			}
		}
	}
}
