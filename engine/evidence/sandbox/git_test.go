package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/store/config"

	"github.com/alecthomas/assert/v2"
)

// TestTreeOf finds the worktree that contains a folder.
func TestTreeOf(t *testing.T) {
	t.Parallel()
	f := newFixture(t, config.SandboxConfig{}, "chant/")
	for dir, want := range map[string]string{
		f.tree: f.tree, f.tree + "/a/b": f.tree, f.check: f.check, f.check + "/a": f.check,
		f.home: "", f.home + "/src": "", f.treeDir(): "", f.treeDir() + "-other/x": "", f.user: "", "/": "",
	} {
		assert.Equal(t, want, f.treeOf(dir), "%s", dir)
	}
}

// TestGit: what git starts in a worktree of a run or of a check writes nothing, and where it is called to write, only there
// and objects; in a person's checkout, and without a wall, it may.
func TestGit(t *testing.T) {
	t.Parallel()
	f := walled(t, config.SandboxConfig{})
	off := newFixture(t, config.SandboxConfig{Mode: config.SandboxOff}, "chant/")
	deep := filepath.Join(f.tree, "deep")
	link := filepath.Join(f.user, "link")
	assert.NoError(t, os.Mkdir(deep, 0o700))
	assert.NoError(t, os.Symlink(f.tree, link))
	for name, c := range map[string]struct {
		box     *fixture
		dir     string
		outside bool // what is outside may be written
		inside  bool
	}{
		"a run":          {f, f.tree, false, true},
		"a folder in it": {f, deep, false, true},
		"through a link": {f, link, false, true},
		"a check":        {f, f.check, false, true},
		"the checkout":   {f, f.home, true, true},
		"elsewhere":      {f, f.user, true, true},
		"without a wall": {off, off.tree, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outside := filepath.Join(c.box.home, strings.ReplaceAll(name, " ", "-"))
			file := strings.ReplaceAll(name, " ", "-")
			object := filepath.Join(c.box.Repo.CommonDir(), "objects", "ab", file)
			for _, one := range []struct {
				writes bool
				path   string
				want   bool
			}{
				{false, outside, c.outside},
				{false, filepath.Join(c.dir, file+".in"), c.outside},
				{true, filepath.Join(c.dir, file+".written"), c.inside},
				{false, object, c.outside},
				{true, object + "-added", true},
				{true, outside + "-added", c.outside},
				{true, filepath.Join(c.box.Repo.CommonDir(), file), c.outside},
			} {
				assert.NoError(t, os.MkdirAll(filepath.Dir(object), 0o700))
				cmd := exec.CommandContext(t.Context(), "sh", "-c", `: > "$1"`, "sh", one.path)
				end := func() error { return nil }
				err := error(nil)
				if start := c.box.Git(c.dir, one.writes); start != nil {
					end, err = start(cmd)
				} else {
					err = cmd.Start()
				}
				assert.NoError(t, err)
				err = cmd.Wait()
				assert.NoError(t, end())
				_, missing := os.Stat(one.path)
				assert.Equal(t, one.want, err == nil, "writes %t: %s was written: %v", one.writes, one.path, err == nil)
				assert.Equal(t, one.want, missing == nil, "writes %t: %s was written: %v", one.writes, one.path, err == nil)
			}
		})
	}
}
