package documents

import (
	"fmt"
	"slices"
	"testing"

	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
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
			assert.Equal(t, "spec "+path, foundBy(t, p.Store, word))
			sizes := segmentsOf(t, p.Store)
			assert.Equal(t, 2+i, len(sizes), "segments %d", i+1)
			assert.Equal(t, 1, slices.Max(sizes[1:]), "segments %d", i+1)
		}
	}
}
