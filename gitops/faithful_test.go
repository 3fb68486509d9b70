package gitops

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestAddDetached_faithful checks out a commit under settings that would change what is written: the files are those of
// the commit, git sees no change, and the settings are named.
func TestAddDetached_faithful(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the files are links and have line ends of other systems")
	}
	for name, plain := range map[string]bool{"by one process": true, "by git worktree add": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.commit("lines.txt", "a\nb\n")
			s.commit("good", "good\n")
			if err := os.Symlink("good", filepath.Join(s.Home(), "link")); err != nil {
				t.Fatal(err)
			}
			s.git("add", "link")
			s.git("commit", "-q", "-m", "link")
			attributes := filepath.Join(t.TempDir(), "attributes")
			if err := os.WriteFile(attributes, []byte("good filter=bad\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			for key, value := range map[string]string{"core.autocrlf": "true", "core.symlinks": "false", "core.eol": "crlf", "core.attributesFile": attributes, "filter.bad.smudge": "sed s/good/bad/", "filter.bad.clean": "sed s/bad/good/"} {
				s.git("config", key, value)
			}
			if !plain {
				s.git("config", "core.hooksPath", "none") // then git does it all
			}
			dir := filepath.Join(t.TempDir(), "tree")
			if err := s.AddDetached(t.Context(), dir, "HEAD"); err != nil {
				t.Fatal(err)
			}
			for file, want := range map[string]string{"lines.txt": "a\nb\n", "good": "good\n"} {
				if got, err := os.ReadFile(filepath.Join(dir, file)); err != nil || string(got) != want {
					t.Errorf("%s is %q, %v", file, got, err)
				}
			}
			if to, err := os.Readlink(filepath.Join(dir, "link")); err != nil || to != "good" {
				t.Errorf("the link leads to %q, %v", to, err)
			}
			if changed, err := s.FaithfulStatus(t.Context(), dir); err != nil || len(changed) > 0 {
				t.Errorf("changed %v, %v", changed, err)
			}
			found, err := s.Unfaithful(t.Context())
			want := []string{"core.attributesfile=" + attributes, "core.autocrlf=true", "core.eol=crlf", "core.symlinks=false"}
			found = slices.DeleteFunc(found, func(s string) bool { return !strings.HasPrefix(s, "core.") })
			if err != nil || !slices.Equal(found, want) {
				t.Errorf("found %q, %v, want %q", found, err, want)
			}
		})
	}
}
