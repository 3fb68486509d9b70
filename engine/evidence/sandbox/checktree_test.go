package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/store/disk"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// repository creates a repository in a new folder.
func repository(t *testing.T) *gitops.Repo {
	t.Helper()
	repo, err := gitops.Init(t.Context(), filepath.Join(t.TempDir(), "my project"), "main")
	assert.NoError(t, err)
	return repo
}

// write creates files, each with its own name as the content; a name that ends in a slash is a folder.
func write(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		folder := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			folder = path
		}
		assert.NoError(t, os.MkdirAll(folder, 0o755))
		if folder == path {
			continue
		}
		assert.NoError(t, os.WriteFile(path, []byte(name), 0o644))
	}
}

// TestCheckDirs: the cache folder comes first, each clone has its own folder, and none is inside the repository.
func TestCheckDirs(t *testing.T) {
	t.Parallel()
	repo, cache := repository(t), t.TempDir()
	dirs := CheckDirs(repo, []string{"XDG_CACHE_HOME=" + cache})
	assert.True(t, len(dirs) >= 2, "cache folder %q: %q", cache, dirs)
	assert.Equal(t, filepath.Join(cache, "chant"), filepath.Dir(dirs[0]))
	assert.HasPrefix(t, filepath.Base(dirs[0]), "my_project-")
	if other := CheckDirs(repository(t), []string{"XDG_CACHE_HOME=" + cache}); slices.ContainsFunc(other, func(dir string) bool { return slices.Contains(dirs, dir) }) {
		t.Errorf("two clones share a folder: %q and %q", dirs, other)
	}
	for name, environ := range map[string][]string{
		"a cache folder in the repository":   {"XDG_CACHE_HOME=" + repo.Home()},
		"a temporary folder in its .git":     {"XDG_CACHE_HOME=" + cache, "TMPDIR=" + repo.CommonDir()},
		"a relative cache folder":            {"XDG_CACHE_HOME=cache", "HOME="},
		"a home folder that is a repository": {"XDG_CACHE_HOME=", "HOME=" + repo.Home()},
	} {
		for _, dir := range CheckDirs(repo, environ) {
			assert.False(t, disk.Within(repo.Home(), dir), "%s: %q", name, dir)
			assert.True(t, filepath.IsAbs(dir), "%s: %q", name, dir)
		}
	}
}

// TestChooseDir: the first usable folder without project files above it is chosen, and otherwise the first usable one.
func TestChooseDir(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	if above := FoundAbove(ProjectFiles(), filepath.Join(top, "x")); len(above) > 0 {
		t.Skipf("this machine has project files above its temporary files: %q", above)
	}
	write(t, top, "file", "project/package.json", "nested/node_modules/", "clean/", "clean/left/junk", "shared/")
	assert.NoError(t, os.Chmod(filepath.Join(top, "shared"), 0o777))
	in := func(names ...string) (out []string) {
		for _, name := range names {
			out = append(out, filepath.Join(top, filepath.FromSlash(name)))
		}
		return out
	}
	for name, c := range map[string]struct {
		candidates      []string
		dir, misleading string
	}{
		"the first one is clean":             {in("clean/a", "project/a"), "clean/a", ""},
		"a project above the first one":      {in("project/b/c", "clean/b"), "clean/b", ""},
		"a file where a folder would be":     {in("file/a", "clean/c"), "clean/c", ""},
		"a folder that others can write to":  {in("shared/a", "clean/d"), "clean/d", ""},
		"projects above all of them":         {in("project/e", "nested/e"), "project/e", "project/package.json"},
		"only one is usable, and misleading": {in("file/f", "nested/f"), "nested/f", "nested/node_modules"},
	} {
		dir, misleading, err := ChooseDir(c.candidates)
		want := in(c.dir, c.misleading)
		if c.misleading == "" {
			want[1] = ""
		} else {
			want[1] = disk.RealPath(want[1])
		}
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, want[0], dir, "%s", name)
		assert.Equal(t, want[1], misleading, "%s", name)
	}
	for name, candidates := range map[string][]string{"none is usable": in("file/a", "shared/b"), "no candidate": nil} {
		_, _, err := ChooseDir(candidates)
		failure, ok := errors.AsType[*journal.Failure](err)
		assert.True(t, ok, "%s: %v", name, err)
		assert.Equal(t, spec.ReasonSetup, failure.Kind, "%s: %v", name, err)
		assert.Equal(t, len(candidates), len(failure.Details), "%s: %v", name, err)
		assert.NotEqual(t, "", failure.Next.String(), "%s: %v", name, err)
	}
}

// TestClearBeside: only check trees and probes stay in the folder of check trees.
func TestClearBeside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, ".check-a/file", ".check-b~2/", ".probe-1/", "package.json", "node_modules/x/y")
	assert.NoError(t, ClearBeside(filepath.Join(dir, ".check-a")))
	var left []string
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	want := []string{".check-a", ".check-b~2", ".probe-1"}
	assert.NoError(t, err)
	assert.Equal(t, want, left)
	assert.NoError(t, ClearBeside(filepath.Join(dir, "missing", ".check-a")), "a missing folder")
}

// TestMakeUsable: a folder of chant's own gets its mode back; what is no folder, and another folder above, stays as it is.
func TestMakeUsable(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes have no meaning here")
	}
	for name, c := range map[string]struct {
		parent, own os.FileMode
		above       string
		usable      bool
	}{
		"everyone may write":        {0o700, 0o777, "chant", true},
		"nobody may read":           {0o700, 0, "chant", true},
		"both":                      {0o777, 0o777, "chant", true},
		"the folder above, hidden":  {0, 0o700, "chant", true},
		"a folder of others above":  {0o777, 0o700, "other", false},
		"everyone may read, as was": {0o755, 0o755, "other", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), c.above, "x.agents")
			assert.NoError(t, os.MkdirAll(dir, 0o700))
			assert.NoError(t, errors.Join(os.Chmod(dir, c.own), os.Chmod(filepath.Dir(dir), c.parent)))
			assert.Equal(t, c.usable, MakeUsable(dir) == nil)
			if info, err := os.Stat(filepath.Dir(dir)); err != nil || !c.usable && info.Mode().Perm() != c.parent {
				t.Errorf("the folder above has %v, %v", info.Mode(), err)
			}
		})
	}
	top := filepath.Join(t.TempDir(), "chant")
	assert.NoError(t, errors.Join(os.Mkdir(top, 0o700), os.Mkdir(filepath.Join(top, "to"), 0o755), os.Symlink("to", filepath.Join(top, "x.agents"))))
	assert.Error(t, MakeUsable(filepath.Join(top, "x.agents")), "a link is usable")
}

// TestFoundAbove: files are searched in all folders above, through links, and not in the folder itself.
func TestFoundAbove(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	write(t, top, "a/marker-x", "a/.cargo/marker-y", "a/b/c/", "a/b/c/marker-x", "d/")
	assert.NoError(t, os.Symlink(filepath.Join(top, "a", "b"), filepath.Join(top, "d", "link")))
	want := []string{disk.RealPath(filepath.Join(top, "a", "marker-x")), disk.RealPath(filepath.Join(top, "a", ".cargo", "marker-y"))}
	for _, dir := range []string{"a/b/c", "a/b", "d/link/c", "d/link/missing/deep"} {
		assert.Equal(t, want, FoundAbove([]string{"marker-x", ".cargo/marker-y"}, filepath.Join(top, filepath.FromSlash(dir))), "%s", dir)
	}
	if got := FoundAbove([]string{"marker-x", ".cargo/marker-y"}, filepath.Join(top, "missing", "x"), filepath.Join(top, "a", "b"), filepath.Join(top, "d", "link")); !slices.Equal(got, want) {
		t.Errorf("above several: %q, want %q", got, want)
	}
	got := FoundAbove([]string{"marker-x"}, filepath.Join(top, "d"))
	assert.Zero(t, got, "nothing is above: %q", got)
}

func TestCheckTrees(t *testing.T) {
	t.Parallel()
	one, two := t.TempDir(), t.TempDir()
	write(t, one, ".check-d.1/", ".check-d.1~2/", ".check-d.10/", "d.1/", ".probe-d.1/")
	write(t, two, ".check-d.1/")
	got := CheckTrees([]string{one, filepath.Join(one, "missing"), two}, "d.1")
	want := []string{filepath.Join(one, ".check-d.1"), filepath.Join(one, ".check-d.1~2"), filepath.Join(two, ".check-d.1")}
	assert.Equal(t, want, got)
	id, ok := CheckedSpec("d.1")
	assert.False(t, ok, "a worktree of a run was taken for a check tree of %q", id)
	assert.Equal(t, ".check-d.1.lock", CheckLock("d.1"))
}
