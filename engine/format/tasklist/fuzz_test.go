package tasklist

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// FuzzTick: whatever a file contains, ticking changes at most the byte of one box, and the list stays the same but for
// that. What can be ordered has every task in exactly one part, and each part after those that it depends on.
func FuzzTick(f *testing.F) {
	for _, name := range []string{"speckit.md", "openspec.md"} {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
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
			if err != nil {
				t.Fatal(err)
			}
			want := []byte(before)
			want[task.Offset] = out[task.Offset]
			if string(src) != before || string(out) != string(want) {
				t.Fatalf("%q became %q", before, out)
			}
			changed := Parse(out)
			changed.Tasks[i].Done = task.Done
			if !reflect.DeepEqual(changed, l) {
				t.Fatalf("%q is read as %+v, and %q as %+v", before, l, out, changed)
			}
		}
		checkOrder(t, l)
	})
}

// checkOrder checks what must be true of the order of every list.
func checkOrder(t *testing.T, l List) {
	t.Helper()
	graph, err := graphOf(l)
	if err == nil && len(graph) != len(l.Tasks) {
		t.Fatalf("%d tasks, %d in the graph", len(l.Tasks), len(graph))
	}
	done, total := Progress(l)
	if next := Next(l); err == nil && (next == nil) != (done == total) {
		t.Fatalf("%d of %d done, next %v", done, total, next)
	}
	parts, err := Divide(l)
	if err != nil {
		return
	}
	var keys []string
	for i, p := range parts {
		keys = append(keys, p.Tasks...)
		if len(p.Open)+len(p.Done) != len(p.Tasks) || len(p.Tasks) == 0 || p.Title == "" {
			t.Fatalf("part %+v", p)
		}
		for _, before := range p.DependsOn {
			if before >= i {
				t.Fatalf("part %d depends on %d", i, before)
			}
		}
	}
	slices.Sort(keys)
	if len(slices.Compact(keys)) != len(l.Tasks) {
		t.Fatalf("parts have %d of %d tasks", len(keys), len(l.Tasks))
	}
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
	if next := Next(l); next == nil || next.Text != "last" {
		t.Errorf("next %v", next)
	}
	if parts, err := Divide(l); err != nil || len(parts) != 3 {
		t.Errorf("%d parts, %v", len(parts), err)
	}
}
