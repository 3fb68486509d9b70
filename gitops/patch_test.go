package gitops

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPatch returns changes as git prints them, whatever the settings of the person are, and no program of theirs takes
// part.
func TestPatch(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	from := s.git("rev-parse", "HEAD")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(s.top, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.git("config", "diff.external", "false")
	s.git("config", "diff.noprefix", "true")
	s.git("config", "color.ui", "always")
	s.git("config", "diff.odd.textconv", "false")
	write(".gitattributes", "*.odd diff=odd\n")
	write("new ü.odd", "one\ntwo\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "change")
	got, err := Patch(t.Context(), s.Repo, from, "HEAD")
	for _, want := range []string{"diff --git a/.gitattributes b/.gitattributes\n", "diff --git a/new ü.odd b/new ü.odd\n", "+one\n+two\n"} {
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%q is missing: %v\n%s", want, err, got)
		}
	}
	if strings.Contains(string(got), "\x1b") {
		t.Errorf("it has colours: %q", got)
	}
	if got, err := Patch(t.Context(), s.Repo, "HEAD", "HEAD"); err != nil || len(got) > 0 {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Patch(t.Context(), s.Repo, "nothing", "HEAD"); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
}
