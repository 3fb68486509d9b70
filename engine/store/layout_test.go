package store

import "testing"

func TestSpecOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		SpecPath(idA): idA, ".chant/specs/.md": "", ".chant/specs/.draft.md": "", ".chant/specs/a/b.md": "", ".chant/specs/a.txt": "", "specs/a.md": "", ".chant/config.md": "", "": "",
	} {
		if id, ok := SpecOf(path); ok != (want != "") || ok && id != want {
			t.Errorf("%q: %q, %v", path, id, ok)
		}
	}
}
