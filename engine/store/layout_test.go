package store

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestSpecOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		SpecPath(idA): idA, ".chant/specs/.md": "", ".chant/specs/.draft.md": "", ".chant/specs/a/b.md": "", ".chant/specs/a.txt": "", "specs/a.md": "", ".chant/config.md": "", "": "",
	} {
		id, ok := SpecOf(path)
		assert.Equal(t, want != "", ok, "%q", path)
		assert.False(t, ok && id != want, "%q: %q, %v", path, id, ok)
	}
}
