package tasklist

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// FuzzTick: whatever a file contains, ticking changes at most the byte of one box, and the list stays the same but for
// that. What can be ordered has every task in exactly one part, and each part after those that it depends on.
func FuzzTick(f *testing.F) {
	for _, name := range []string{"speckit.md", "openspec.md"} {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		assert.NoError(f, err)
		f.Add(src)
		f.Add([]byte("\ufeff" + strings.ReplaceAll(string(src), "\n", "\r\n")))
	}
	for _, src := range []string{
		"", "---\n- [ ] a\n", "---\na: b\n---\n- [x] T1 b\n", "- [\t] 1.1 a (depends on 1.1-1.9)\n", "> - [ ] T1 [P][US1] a\n",
		"## Phase 1: US1\n- [ ] T1 a (depends on US1)\n## 2. x\n\n1) [X] **T2** b in a/b.go, c.md and d/\n",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		l := Parse(src)
		before := string(src)
		for i, task := range l.Tasks {
			if i > 20 {
				break // they are alike, and each is a parse
			}
			out, err := TickAt(src, task.Offset, !task.Done)
			assert.NoError(t, err)
			want := []byte(before)
			want[task.Offset] = out[task.Offset]
			assert.Equal(t, before, string(src))
			assert.Equal(t, string(want), string(out))
			changed := Parse(out)
			changed.Tasks[i].Done = task.Done
			assert.Equal(t, l, changed, "%q is read as %q", before, out)
		}
		checkOrder(t, l)
	})
}

// checkOrder checks what must be true of the order of every list.
func checkOrder(t *testing.T, l List) {
	t.Helper()
	graph, err := graphOf(l)
	assert.False(t, err == nil && len(graph) != len(l.Tasks), "%d tasks, %d in the graph", len(l.Tasks), len(graph))
	done, total := Progress(l)
	next := Next(l)
	assert.False(t, err == nil && (next == nil) != (done == total), "%d of %d done, next %v", done, total, next)
	parts, err := Divide(l)
	if err != nil {
		return
	}
	var keys []string
	for i, p := range parts {
		keys = append(keys, p.Tasks...)
		assert.Equal(t, len(p.Tasks), len(p.Open)+len(p.Done))
		assert.NotEqual(t, 0, len(p.Tasks))
		assert.NotEqual(t, "", p.Title)
		for _, before := range p.DependsOn {
			assert.True(t, before < i, "part %d depends on %d", i, before)
		}
	}
	slices.Sort(keys)
	assert.Equal(t, len(l.Tasks), len(slices.Compact(keys)), "parts have %d", len(keys))
}

// TestGraph_large checks that the order of many parallel tasks is kept without an edge for each pair: it would take
// gigabytes.
func TestGraph_large(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for range 3 {
		b.WriteString("\n## 1. Group\n\n")
		b.WriteString(strings.Repeat("- [x] [P] a\n", 10_000))
	}
	b.WriteString("- [ ] last\n")
	l := Parse([]byte(b.String()))
	next := Next(l)
	assert.True(t, next != nil, "next %v", next)
	assert.Equal(t, "last", next.Text)
	parts, err := Divide(l)
	assert.NoError(t, err)
	assert.Equal(t, 3, len(parts))
}
