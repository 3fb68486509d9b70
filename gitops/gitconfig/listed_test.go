package gitconfig

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/gitops/gitexec"
	"chant/gitops/layout"

	"github.com/alecthomas/assert/v2"
)

// TestList: git is asked again if, and only if, a file of settings has changed.
func TestList(t *testing.T) {
	t.Parallel()
	dir, asked := t.TempDir(), 0
	count := func(cmd *exec.Cmd) (func() error, error) {
		if slices.Contains(cmd.Args, "config") {
			asked++
		}
		return func() error { return nil }, cmd.Start()
	}
	out, err := exec.Command("git", "init", "-q", dir).CombinedOutput()
	assert.NoError(t, err, "%s", out)
	common := filepath.Join(dir, ".git")
	s := &Settings{Git: &gitexec.Runner{Places: func(string, bool) gitexec.Starter { return count }}, Site: &layout.Site{Home: dir, Common: common}}
	add := func(name, text string) {
		t.Helper()
		file, err := os.OpenFile(filepath.Join(common, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		assert.NoError(t, err)
		_, err = file.WriteString(text)
		closed := file.Close()
		assert.NoError(t, err)
		assert.NoError(t, closed)
	}
	has := func(entry string) {
		t.Helper()
		list, err := s.list(t.Context())
		if err != nil || !slices.Contains(list, entry) {
			t.Errorf("%q is not in %q, %v", entry, list, err)
		}
	}
	add("config", "[a]\n\tone = 1\n")
	has("a.one\n1")
	has("a.one\n1") // from here on, the files that git has named are known
	was := asked
	has("a.one\n1")
	assert.Equal(t, was, asked, "git was asked again, although nothing had changed")
	add("config", "[a]\n\ttwo = 2\n[extensions]\n\tworktreeConfig = true\n")
	has("a.two\n2")
	add("config.worktree", "[a]\n\tthree\n")
	has("a.three")
	add("config", "[include]\n\tpath = more\n")
	add("more", "[a]\n\tfour = 4\n")
	has("a.four\n4")
	add("more", "[a]\n\tfive = 5\n")
	has("a.five\n5")
	was = asked
	if has("a.five\n5"); asked == was {
		t.Error("what settings include was taken to be as it was")
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	entries, files, scopes, err := split([]string{"system", "file:/etc/gitconfig", "a.b\nc", "command", "command line:", "gc.auto\n0", "local", "file:.git/config", "x.y", "local", "file:.git/config", "x.z\nfile:q"})
	assert.NoError(t, err)
	assert.Equal(t, []string{"a.b\nc", "gc.auto\n0", "x.y", "x.z\nfile:q"}, entries)
	assert.Equal(t, "/etc/gitconfig::.git/config:.git/config", strings.Join(files, ":"))
	assert.Equal(t, []string{"system", "command", "local", "local"}, scopes)
	_, _, _, err = split([]string{"global", "file:x"})
	assert.Error(t, err, "an origin without an entry was accepted")
}
