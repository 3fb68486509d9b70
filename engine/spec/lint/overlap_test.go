package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

func TestCheck_overlap(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		x    string
		more []string // front matter of further specs y1, y2, …
		want string   // in the message, "" for no finding
	}{
		"the same file":       {"target_files: [src/a.go]", []string{"target_files: [src/a.go]"}, "1 open spec without a dependency on either side: y1"},
		"a folder above":      {"target_files: [src/a.go]", []string{"target_files: [src]"}, ": y1"},
		"a glob":              {"target_files: ['src/*.go']", []string{"target_files: [src/a.go]"}, ": y1"},
		"case and dots":       {"target_files: [./SRC//a.go]", []string{"target_files: ['src\\A.go']"}, ": y1"},
		"other files":         {"target_files: [src/a.go]", []string{"target_files: [src/ab.go, sr]"}, ""},
		"no files":            {"type: code", []string{"target_files: [src]"}, ""},
		"it waits for it":     {"target_files: [a]\ndepends_on: y1", []string{"target_files: [a]"}, ""},
		"it is waited for":    {"target_files: [a]", []string{"target_files: [a]\ndepends_on: x"}, ""},
		"over a third":        {"target_files: [a]\ndepends_on: y2", []string{"target_files: [a]", "depends_on: y1"}, ""},
		"the other is done":   {"target_files: [a]", []string{"target_files: [a]\nstatus: completed"}, ""},
		"the other is a list": {"target_files: [a]", []string{"target_files: [a]\ntype: driver\nmembers: [y2]", "x: 1"}, ""},
		"this one is done":    {"target_files: [a]\nstatus: cancelled", []string{"target_files: [a]"}, ""},
		"many":                {"target_files: [a]", []string{"target_files: [a]", "target_files: [a]", "target_files: [a]", "target_files: [a]"}, "4 open specs without a dependency on either side: y1, y2, y3, …"},
	} {
		s := read(t, "x", c.x, one)
		all := []*spec.File{s}
		for i, front := range c.more {
			all = append(all, read(t, fmt.Sprintf("y%d", i+1), front, one))
		}
		p := &Project{Graph: spec.GraphOf(all, nil), Settings: Defaults()}
		found := slices.DeleteFunc(p.Check(s), func(f Finding) bool { return f.Rule != "overlap" })
		assert.True(t, len(found) <= 1, "%s: %+v, want %q", name, found, c.want)
		assert.Equal(t, c.want != "", len(found) == 1, "%s", name)
		assert.False(t, c.want != "" && !strings.Contains(found[0].Message, c.want), "%s: %+v, want %q", name, found, c.want)
	}
}

// The index finds the same specs as comparing every pair.
func TestFileIndex_asEveryPair(t *testing.T) {
	t.Parallel()
	entry := rapid.SampledFrom([]string{"a", "A/", "a/b", "./a/b/c.go", "a/*.go", "b/**", "b/c", "**/c.go", "{a,b}/x", "b", "/", `a\b`, "../a", "a/[bc]"})
	rapid.Check(t, func(t *rapid.T) {
		var all []*spec.File
		for i := range rapid.IntRange(2, 6).Draw(t, "specs") {
			s, err := spec.Parse(fmt.Sprintf("s%d", i), "s.md", []byte("# T\n"))
			if err != nil {
				t.Fatal(err)
			}
			s.Fields.TargetFiles = rapid.SliceOfN(entry, 0, 3).Draw(t, "files")
			all = append(all, s)
		}
		c := newFileIndex(spec.GraphOf(all, nil))
		for _, s := range all {
			var want []string
			if len(s.Fields.TargetFiles) > 0 {
				want = findOverlapping(c.all, &s.Spec)
			}
			got := slices.Clone(c.findOthers(&s.Spec))
			if len(s.Fields.TargetFiles) == 0 {
				got = nil
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s with %q: %q, want %q", s.ID, s.Fields.TargetFiles, got, want)
			}
		}
	})
}
