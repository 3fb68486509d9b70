package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/store/config"
)

// TestTreeOf finds the worktree that contains a folder.
func TestTreeOf(t *testing.T) {
	t.Parallel()
	f := newFixture(t, config.SandboxConfig{}, "chant/")
	for dir, want := range map[string]string{
		f.tree: f.tree, f.tree + "/a/b": f.tree, f.check: f.check, f.check + "/a": f.check,
		f.home: "", f.home + "/src": "", f.treeDir(): "", f.treeDir() + "-other/x": "", f.user: "", "/": "",
	} {
		if got := f.treeOf(dir); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
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
	if err := os.Mkdir(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(f.tree, link); err != nil {
		t.Fatal(err)
	}
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
				if err := os.MkdirAll(filepath.Dir(object), 0o700); err != nil {
					t.Fatal(err)
				}
				cmd := exec.CommandContext(t.Context(), "sh", "-c", `: > "$1"`, "sh", one.path)
				end := func() error { return nil }
				err := error(nil)
				if start := c.box.Git(c.dir, one.writes); start != nil {
					end, err = start(cmd)
				} else {
					err = cmd.Start()
				}
				if err != nil {
					t.Fatal(err)
				}
				err = cmd.Wait()
				if ended := end(); ended != nil {
					t.Error(ended)
				}
				if _, missing := os.Stat(one.path); (err == nil) != one.want || (missing == nil) != one.want {
					t.Errorf("writes %t: %s was written: %v, want %v", one.writes, one.path, err == nil, one.want)
				}
			}
		})
	}
}
