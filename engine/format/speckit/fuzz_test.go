package speckit

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

// FuzzOpen: whatever spec.md contains, each line that is returned is one of the file and has what was read there.
func FuzzOpen(f *testing.F) {
	src, err := os.ReadFile("testdata/" + loans + "/spec.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src)
	f.Add(bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")))
	for _, s := range []string{"", "## US1\n\n- Given a\n## x\n", "| FR-1 | a |\n|SC-1|", "[NEEDS CLARIFICATION: a\n\n", "> ### US2\n> 1. Given\n", "---\na: b\n---\n# x\n## US-3\nacceptance criteria\n- a\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		feature, err := Open(fstest.MapFS{"specs/001-a/spec.md": {Data: src}}, "specs/001-a")
		if err != nil {
			return
		}
		lines := strings.Split(string(src), "\n")
		check := func(line int, want string) {
			if line < 1 || line > len(lines) || !strings.Contains(lines[line-1], want) {
				t.Fatalf("line %d of %q does not have %q", line, src, want)
			}
		}
		last := 0
		for _, s := range feature.Stories {
			for _, c := range s.Scenarios {
				check(c.Line, "")
				if c.Line <= last || c.Text == "" {
					t.Fatalf("scenario %+v of %q", c, src)
				}
				last = c.Line
			}
		}
		for _, s := range feature.SuccessCriteria {
			check(s.Line, s.ID)
		}
	})
}

// FuzzPointer: a pointer leads to a place in the repository or nowhere.
func FuzzPointer(f *testing.F) {
	for _, s := range []string{`{"feature_directory": "specs/001-a"}`, `{"feature_directory": "../.git"}`, "{}", "\ufeff{"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		dir, err := Pointer(src)
		if err != nil {
			return
		}
		if !fs.ValidPath(dir) || dir == "." || path.Clean(dir) != dir || strings.ContainsAny(dir, "\\:\n") {
			t.Fatalf("%q leads to %q", src, dir)
		}
	})
}
