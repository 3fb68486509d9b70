package speckit

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/alecthomas/assert/v2"
)

// FuzzOpen: whatever spec.md contains, each line that is returned is one of the file and has what was read there.
func FuzzOpen(f *testing.F) {
	src, err := os.ReadFile("testdata/" + loans + "/spec.md")
	assert.NoError(f, err)
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
			assert.True(t, line >= 1, "line %d of %q does not have %q", line, src, want)
			assert.True(t, line <= len(lines), "line %d of %q does not have %q", line, src, want)
			assert.Contains(t, lines[line-1], want, "line %q", src)
		}
		last := 0
		for _, s := range feature.Stories {
			for _, c := range s.Scenarios {
				check(c.Line, "")
				assert.True(t, c.Line > last, "scenario %+v of %q", c, src)
				assert.NotEqual(t, "", c.Text, "scenario %q", src)
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
		assert.True(t, fs.ValidPath(dir), "%q leads to %q", src, dir)
		assert.NotEqual(t, ".", dir, "%q leads", src)
		assert.Equal(t, dir, path.Clean(dir), "%q leads", src)
		assert.False(t, strings.ContainsAny(dir, "\\:\n"), "%q leads to %q", src, dir)
	})
}
