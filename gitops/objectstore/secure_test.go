package objectstore

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// TestPackAll_unlisted: a folder names a file that is not among the objects, as if git had been shown another folder when it
// listed them.
func TestPackAll_unlisted(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", top, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		out, err := c.CombinedOutput()
		assert.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	assert.NoError(t, os.WriteFile(filepath.Join(top, "a"), []byte("a\n"), 0o600))
	git("add", "a")
	git("commit", "-q", "-m", "a")
	site, err := layout.Find(top)
	assert.NoError(t, err)
	o := New(&gitexec.Runner{}, site)
	t.Cleanup(o.Close)
	commit, tree, blob := git("rev-parse", "HEAD"), git("rev-parse", "HEAD^{tree}"), git("rev-parse", "HEAD:a")
	for _, each := range []struct {
		names []string
		whole bool
	}{{[]string{tree}, false}, {[]string{commit}, false}, {[]string{blob}, true}, {[]string{commit, tree, blob}, true}} {
		_, whole, err := o.packAll(t.Context(), each.names)
		assert.NoError(t, err)
		assert.Equal(t, each.whole, whole, "%q", each.names)
	}
	git("fsck", "--strict")
}
