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
)

// repository creates a repository in a new folder.
func repository(t *testing.T) *gitops.Repo {
	t.Helper()
	repo, err := gitops.Init(t.Context(), filepath.Join(t.TempDir(), "my project"), "main")
	if err != nil {
		t.Fatal(err)
	}
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
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if folder == path {
			continue
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCheckDirs: the cache folder comes first, each clone has its own folder, and none is inside the repository.
func TestCheckDirs(t *testing.T) {
	t.Parallel()
	repo, cache := repository(t), t.TempDir()
	dirs := CheckDirs(repo, []string{"XDG_CACHE_HOME=" + cache})
	if len(dirs) < 2 || filepath.Dir(dirs[0]) != filepath.Join(cache, "chant") || !strings.HasPrefix(filepath.Base(dirs[0]), "my_project-") {
		t.Errorf("cache folder %q: %q", cache, dirs)
	}
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
			if disk.Within(repo.Home(), dir) || !filepath.IsAbs(dir) {
				t.Errorf("%s: %q", name, dir)
			}
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
	if err := os.Chmod(filepath.Join(top, "shared"), 0o777); err != nil {
		t.Fatal(err)
	}
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
		if err != nil || dir != want[0] || misleading != want[1] {
			t.Errorf("%s: %q, %q, %v, want %q", name, dir, misleading, err, want)
		}
	}
	for name, candidates := range map[string][]string{"none is usable": in("file/a", "shared/b"), "no candidate": nil} {
		_, _, err := ChooseDir(candidates)
		failure, ok := errors.AsType[*journal.Failure](err)
		if !ok || failure.Kind != spec.ReasonSetup || len(failure.Details) != len(candidates) || failure.Next.String() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestClearBeside: only check trees and probes stay in the folder of check trees.
func TestClearBeside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, ".check-a/file", ".check-b~2/", ".probe-1/", "package.json", "node_modules/x/y")
	if err := ClearBeside(filepath.Join(dir, ".check-a")); err != nil {
		t.Fatal(err)
	}
	var left []string
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	if want := []string{".check-a", ".check-b~2", ".probe-1"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("left %q, %v, want %q", left, err, want)
	}
	if err := ClearBeside(filepath.Join(dir, "missing", ".check-a")); err != nil {
		t.Errorf("a missing folder: %v", err)
	}
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
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(os.Chmod(dir, c.own), os.Chmod(filepath.Dir(dir), c.parent)); err != nil {
				t.Fatal(err)
			}
			if err := MakeUsable(dir); (err == nil) != c.usable {
				t.Errorf("got %v, want usable %t", err, c.usable)
			}
			if info, err := os.Stat(filepath.Dir(dir)); err != nil || !c.usable && info.Mode().Perm() != c.parent {
				t.Errorf("the folder above has %v, %v", info.Mode(), err)
			}
		})
	}
	top := filepath.Join(t.TempDir(), "chant")
	if err := errors.Join(os.Mkdir(top, 0o700), os.Mkdir(filepath.Join(top, "to"), 0o755), os.Symlink("to", filepath.Join(top, "x.agents"))); err != nil {
		t.Fatal(err)
	}
	if err := MakeUsable(filepath.Join(top, "x.agents")); err == nil {
		t.Error("a link is usable")
	}
}

// TestFoundAbove: files are searched in all folders above, through links, and not in the folder itself.
func TestFoundAbove(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	write(t, top, "a/marker-x", "a/.cargo/marker-y", "a/b/c/", "a/b/c/marker-x", "d/")
	if err := os.Symlink(filepath.Join(top, "a", "b"), filepath.Join(top, "d", "link")); err != nil {
		t.Fatal(err)
	}
	want := []string{disk.RealPath(filepath.Join(top, "a", "marker-x")), disk.RealPath(filepath.Join(top, "a", ".cargo", "marker-y"))}
	for _, dir := range []string{"a/b/c", "a/b", "d/link/c", "d/link/missing/deep"} {
		if got := FoundAbove([]string{"marker-x", ".cargo/marker-y"}, filepath.Join(top, filepath.FromSlash(dir))); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
	if got := FoundAbove([]string{"marker-x", ".cargo/marker-y"}, filepath.Join(top, "missing", "x"), filepath.Join(top, "a", "b"), filepath.Join(top, "d", "link")); !slices.Equal(got, want) {
		t.Errorf("above several: %q, want %q", got, want)
	}
	if got := FoundAbove([]string{"marker-x"}, filepath.Join(top, "d")); len(got) > 0 {
		t.Errorf("nothing is above: %q", got)
	}
}

func TestCheckTrees(t *testing.T) {
	t.Parallel()
	one, two := t.TempDir(), t.TempDir()
	write(t, one, ".check-d.1/", ".check-d.1~2/", ".check-d.10/", "d.1/", ".probe-d.1/")
	write(t, two, ".check-d.1/")
	got := CheckTrees([]string{one, filepath.Join(one, "missing"), two}, "d.1")
	want := []string{filepath.Join(one, ".check-d.1"), filepath.Join(one, ".check-d.1~2"), filepath.Join(two, ".check-d.1")}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if id, ok := CheckedSpec("d.1"); ok {
		t.Errorf("a worktree of a run was taken for a check tree of %q", id)
	}
	if lock := CheckLock("d.1"); lock != ".check-d.1.lock" {
		t.Errorf("lock %q", lock)
	}
}
