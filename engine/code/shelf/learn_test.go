package shelf_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"chant/engine/code/shelf"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// documented is a file with functions whose comments teach something.
func documented(n int) string {
	verbs, nouns := []string{"opens", "removes", "counts", "sorts", "sends"}, []string{"file", "user", "message", "list", "picture", "price"}
	var b strings.Builder
	b.WriteString("package fruit\n")
	for i := range n {
		verb, noun := verbs[i%len(verbs)], nouns[i/len(verbs)%len(nouns)]
		fmt.Fprintf(&b, "\n// f%d %s the %s of number %d.\nfunc f%d() { step%d(%s) }\n", i, verb, noun, i, i, i%50, noun)
	}
	return b.String()
}

// meanings returns how near each file is to a question.
func meanings(t *testing.T, shot *shelf.Snapshot, question string) map[string]float32 {
	t.Helper()
	m := shot.Meaning()
	assert.True(t, m != nil, "nothing was learned")
	near := map[string]float32{}
	keep := func(part int, doc uint32) bool { _, ok := shot.File(part, doc); return ok }
	for _, n := range m.Nearest(question, math.MaxInt32, keep) {
		f, _ := shot.File(n.Part, n.Doc)
		near[f.Path] = max(near[f.Path], n.Score)
	}
	return near
}

// TestRefresh_meaning: however files were added, and parts merged, their vectors are those of a new index, which learns
// the same from the same comments.
func TestRefresh_meaning(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	enginetest.Write(t, s.dir, "all.go", documented(700))
	s.refresh(s.dir, false)
	for i := range 12 {
		enginetest.Write(t, s.dir, fmt.Sprintf("new%d.go", i), fmt.Sprintf("package fruit\n\nfunc sortsPicture%d() {}\n", i))
		if i%2 == 0 {
			enginetest.Write(t, s.dir, "apple.go", fmt.Sprintf("package fruit\n\nfunc pricePear%d() { list() }\n", i))
		}
		shot, _ := s.refresh(s.dir, false)
		near := meanings(t, shot, "sorts the picture")
		assert.False(t, near[fmt.Sprintf("new%d.go", i)] < 0.1, "the meaning of a new file is not known: %v", near)
	}
	shot, _ := s.refresh(s.dir, false)
	forced, _ := s.refresh(s.dir, true)
	for _, question := range []string{"sorts the picture", "removes users", "price list"} {
		got, want := meanings(t, shot, question), meanings(t, forced, question)
		assert.Equal(t, len(want), len(got))
		assert.True(t, len(want) >= 16, "%d files, %d in a new index", len(got), len(want))
		for name, score := range want {
			assert.Equal(t, score, got[name], "%s, %q", name, question)
		}
	}
}
