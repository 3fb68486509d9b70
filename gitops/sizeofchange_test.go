package gitops

import "testing"

func TestSizeOfChange(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	before := s.git("rev-parse", "HEAD")
	s.write("a b.txt", "1\n2\n3\n")
	s.write("base.txt", "other\n")
	s.write(".chant/x.md", "x\n")
	s.write("binary", "\x00\x01")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "more")
	for except, want := range map[string]ChangeSize{".chant": {Files: 3, Added: 4, Removed: 1}, "": {Files: 4, Added: 5, Removed: 1}} {
		if got, err := s.SizeOfChange(t.Context(), before, "HEAD", except); err != nil || got != want {
			t.Errorf("without %q: %+v, %v; want %+v", except, got, err, want)
		}
	}
}
