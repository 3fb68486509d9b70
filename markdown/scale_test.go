package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// A megabyte of tasks or headings and an eighth of each oddity have to come to an end; the time limit of the
// test run is the judge.
func TestScale(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("large documents")
	}
	tests := []struct{ name, piece string }{
		{"large tasks", "- [ ] item with `$ go test ./...`\n"},
		{"large headings", "## Criteria\n\ntext\n"},
		{"headings with tasks", "## Criteria\n- [x] item\n"},
		{"one list in another", "- [ ] a\n  - [x] b\n    - [ ] c `d`\n"},
		{"one line of quotes", ">"},
		{"one line of bullets", "- "},
		{"one line of numbers", "1. "},
		{"one line of boxes", "- [ ] "},
		{"lines of deep quotes", strings.Repeat("> ", 300) + "x\n"},
		{"open fences", "```\n"},
		{"ticks", "`"},
		{"comments", "<!--\n"},
		{"brackets", "[a"},
		{"wide characters", "漢字 "},
		{"blank lines", "\n"},
		{"carriage returns", "- [ ] a\r\n\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			size := 1 << 17
			if strings.HasPrefix(tt.name, "large") {
				size *= 10
			}
			body := bytes.Repeat([]byte(tt.piece), size/len(tt.piece))
			d := mustParse(t, "---\na: 1\n---\n# Criteria\n\n"+string(body))
			_ = d.Title()
			tasks := d.Tasks("criteria")
			assert.False(t, strings.HasPrefix(tt.name, "large tasks") && len(tasks) != size/len(tt.piece), "%d tasks", len(tasks))
			if size > 1<<17 {
				return
			}
			_ = d.DropSections("criteria")
			_, ok := d.AppendToSection("criteria", []byte("x")).Section("criteria")
			assert.True(t, ok, "no section")
		})
	}
}

// A list nested line by line ends as well, and what is too deep is text.
func TestScale_nestedLists(t *testing.T) {
	t.Parallel()
	var src strings.Builder
	src.WriteString("# C\n")
	for i := range 2000 {
		fmt.Fprintf(&src, "%s- [ ] level %d\n", strings.Repeat("  ", i), i)
	}
	tasks := mustParse(t, src.String()).Tasks("c")
	assert.True(t, len(tasks) >= 100, "%d tasks", len(tasks))
	assert.Equal(t, 99, tasks[99].Depth)
}

func TestDocument_concurrentReaders(t *testing.T) {
	t.Parallel()
	d := mustParse(t, string(samples(t)["full.md"]))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			var v map[string]any
			if err := d.Decode(&v); err != nil {
				t.Error(err)
			}
			if len(d.Tasks("acceptance criteria")) != 4 || d.Title() != "Brew tea" {
				t.Error("another document")
			}
			next, err := d.Apply(Set("status", "done"), Set("labels", []string{"x"}))
			if err != nil || bytes.Equal(next.Bytes(), d.Bytes()) {
				t.Errorf("Apply: %v", err)
			}
		})
	}
	wg.Wait()
}

// fourKiB is a document of the size of a usual spec.
func fourKiB() []byte {
	src := "---\ntype: code\nstatus: pending # note\nlabels: [a, b]\ntarget_files:\n- x.go\n- y.go\n---\n\n# Title\n\n## Acceptance Criteria\n\n"
	for i := range 10 {
		src += fmt.Sprintf("- [ ] criterion %d `$ go test -run %d`\n", i, i)
	}
	return []byte(src + "\n## Notes\n\n" + strings.Repeat("Words of *prose* with `code`, as specs have them.\n", 70))[:4096]
}

func BenchmarkList(b *testing.B) {
	src := fourKiB()
	for b.Loop() {
		d, err := Parse("b.md", src)
		assert.NoError(b, err)
		var v head
		err = d.Decode(&v)
		assert.NoError(b, err)
		assert.Equal(b, "Title", d.Title())
	}
}

func BenchmarkTasks(b *testing.B) {
	src := fourKiB()
	for b.Loop() {
		d, err := Parse("b.md", src)
		assert.NoError(b, err)
		assert.Equal(b, 10, len(d.Tasks("acceptance criteria")))
	}
}

func BenchmarkApply(b *testing.B) {
	src := fourKiB()
	for b.Loop() {
		d, err := Parse("b.md", src)
		assert.NoError(b, err)
		_, err = d.Apply(Set("status", "done"))
		assert.NoError(b, err)
	}
}
