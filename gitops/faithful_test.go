package gitops

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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
			assert.NoError(t, os.Symlink("good", filepath.Join(s.Home(), "link")))
			s.git("add", "link")
			s.git("commit", "-q", "-m", "link")
			attributes := filepath.Join(t.TempDir(), "attributes")
			assert.NoError(t, os.WriteFile(attributes, []byte("good filter=bad\n"), 0o600))
			for key, value := range map[string]string{"core.autocrlf": "true", "core.symlinks": "false", "core.eol": "crlf", "core.attributesFile": attributes, "filter.bad.smudge": "sed s/good/bad/", "filter.bad.clean": "sed s/bad/good/"} {
				s.git("config", key, value)
			}
			if !plain {
				s.git("config", "core.hooksPath", "none") // then git does it all
			}
			dir := filepath.Join(t.TempDir(), "tree")
			assert.NoError(t, s.AddDetached(t.Context(), dir, "HEAD"))
			for file, want := range map[string]string{"lines.txt": "a\nb\n", "good": "good\n"} {
				got, err := os.ReadFile(filepath.Join(dir, file))
				assert.NoError(t, err, "%s", file)
				assert.Equal(t, want, string(got), "%s", file)
			}
			to, err := os.Readlink(filepath.Join(dir, "link"))
			assert.NoError(t, err, "the link leads")
			assert.Equal(t, "good", to, "the link leads")
			changed, err := s.FaithfulStatus(t.Context(), dir)
			assert.NoError(t, err, "changed %v", changed)
			assert.Zero(t, changed, "changed %v", changed)
			// Another commit is written in the same way, and takes the place of what is there.
			assert.NoError(t, s.SwitchDetached(t.Context(), dir, "HEAD~2"))
			_, err = os.Lstat(filepath.Join(dir, "good"))
			assert.IsError(t, err, os.ErrNotExist)
			assert.NoError(t, s.SwitchDetached(t.Context(), dir, "HEAD"), "HEAD is that of home")
			good, err := os.ReadFile(filepath.Join(dir, "good"))
			assert.NoError(t, err)
			assert.Equal(t, "good\n", string(good))
			found, err := s.Unfaithful(t.Context())
			want := []string{"core.attributesfile=" + attributes, "core.autocrlf=true", "core.eol=crlf", "core.symlinks=false"}
			found = slices.DeleteFunc(found, func(s string) bool { return !strings.HasPrefix(s, "core.") })
			assert.NoError(t, err)
			assert.Equal(t, want, found)
		})
	}
}
