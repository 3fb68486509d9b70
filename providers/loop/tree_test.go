package loop

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestTree_confined tries to leave the worktree, or to get at what git keeps there, by
// every file tool's way in: reading, writing, listing.
func TestTree_confined(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	home := t.TempDir()
	top := filepath.Join(home, "wt")
	write(t, home, "secret", "untouched")
	write(t, home, "wt-evil/secret", "untouched")
	write(t, home, ".git/config", "untouched")
	write(t, top, ".git/config", "untouched")
	write(t, top, ".git/hooks/x", "untouched")
	write(t, top, "sub/.git/config", "untouched")
	write(t, top, "a/b", "inside")
	for name, target := range map[string]string{
		"abs":          filepath.Join(home, "secret"),
		"rel":          "../secret",
		"twice":        "rel",
		"thrice":       "a/../twice",
		"outdir":       "..",
		"absdir":       home,
		"proc":         "/proc/self/root" + home,
		"dangling":     "../made",
		"danglingdir":  "../made/dir",
		"loop":         "loop2",
		"loop2":        "loop",
		"gitlink":      ".git",
		"gitconfig":    ".git/config",
		"githooks":     filepath.Join(top, ".git", "hooks"),
		"a/up":         "../../secret",
		"a/deep":       "../outdir/secret",
		"evilsibling":  "../wt-evil/secret",
		"homegit":      "../.git/config",
		"subgit":       "sub/.git",
		"a/deceptive":  "b/../../../secret",
		"absgittarget": filepath.Join(top, ".git", "config"),
	} {
		assert.NoError(t, os.Symlink(target, filepath.Join(top, name)))
	}
	tree, err := openTree(top)
	assert.NoError(t, err)
	defer tree.close()
	before := snapshot(t, home)
	ways := []string{
		"../secret", "a/../../secret", "./../secret", "a/b/../../../secret", "..", "../wt-evil/secret", "../.git/config",
		"/etc/passwd", filepath.Join(home, "secret"), filepath.Join(home, "wt-evil", "secret"), top + "-evil/secret", top + "/../secret",
		"/proc/self/root/etc/passwd", "/proc/self/cwd/secret", "//etc/passwd",
		"abs", "rel", "twice", "thrice", "outdir/secret", "absdir/secret", "proc", "dangling", "danglingdir/x", "loop", "loop/x",
		"a/up", "a/deep", "evilsibling", "homegit", "a/deceptive",
		".git", ".git/config", ".GIT/config", ".Git/hooks/new", ".git./config", ".git /config", "git~1/config", ".git::$INDEX_ALLOCATION/config",
		".g\u200cit/config", "a/../.git/config", "sub/.git/config", "sub/.git", top + "/.git/config",
		"gitlink", "gitlink/config", "gitconfig", "githooks/x", "githooks/new", "subgit/config", "absgittarget",
		"a/b\x00", "\x00", "a\x00/../../secret",
	}
	for _, way := range ways {
		src, _, err := tree.read(way)
		assert.True(t, isDenied(err), "reading %q: %q, %v", way, src, err)
		at, err := tree.write(way, []byte("overwritten"))
		assert.True(t, isDenied(err), "writing %q: %q, %v", way, at, err)
		err = tree.eachFile(t.Context(), way, "", func(string) error { return nil })
		assert.True(t, isDenied(err), "listing %q: %v", way, err)
	}
	assert.Equal(t, before, snapshot(t, home))
}

// snapshot lists every file below a folder with its content.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(path)
		b.WriteString(strings.TrimPrefix(path, dir) + "=" + string(src) + "\n")
		return err
	})
	assert.NoError(t, err)
	return b.String()
}

// TestTree_inside: links and absolute paths are fine as long as they stay.
func TestTree_inside(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	home := t.TempDir()
	top := filepath.Join(home, "wt")
	write(t, top, "a/b", "inside")
	write(t, top, ".gitignore", "x")
	write(t, top, "a/.github/b", "inside")
	link(t, "a", top, "dir")
	link(t, "../dir/b", top, "a/again")
	link(t, filepath.Join(top, "a", "b"), top, "abs")
	link(t, top, home, "alias")
	link(t, "new", top, "dangling")
	tree, err := openTree(filepath.Join(home, "alias"))
	assert.NoError(t, err)
	defer tree.close()
	for _, name := range []string{
		"a/b", "./a//b", "a/../a/b", "dir/b", "a/again", "abs", top + "/a/b", filepath.Join(home, "alias", "a", "b"), "a/.github/b",
	} {
		src, at, err := tree.read(name)
		assert.NoError(t, err, "%q", name)
		assert.Equal(t, "inside", string(src), "%q", name)
		assert.False(t, at != "a/b" && at != "a/.github/b", "%q: %q at %q, %v", name, src, at, err)
	}
	for name, want := range map[string]string{"dangling": "new", "x/y/z": "x/y/z", "dir/new": "a/new", ".gitignore": ".gitignore"} {
		at, err := tree.write(name, []byte("written"))
		assert.NoError(t, err, "%q", name)
		assert.Equal(t, want, at, "%q", name)
		assert.Equal(t, read(t, top, want), "written", "%q", name)
	}
}

// TestTree_keepsMode: a file stays the file that it is.
func TestTree_keepsMode(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	write(t, top, "script", "long old content")
	assert.NoError(t, os.Chmod(filepath.Join(top, "script"), 0o700))
	tree, err := openTree(top)
	assert.NoError(t, err)
	defer tree.close()
	_, err = tree.write("script", []byte("new"))
	assert.NoError(t, err)
	info, err := os.Stat(filepath.Join(top, "script"))
	assert.NoError(t, err)
	assert.Equal(t, "new", read(t, top, "script"))
	assert.False(t, runtime.GOOS != "windows" && info.Mode() != 0o700, "%v, %v", info, err)
	for _, name := range []string{"", " ", ".", "nothing", "no/thing", "script/x"} {
		_, _, err := tree.read(name)
		assert.Error(t, err, "%q", name)
		assert.False(t, isDenied(err), "%q: %v", name, err)
		assert.NotIsError(t, err, os.ErrNotExist, "%q", name)
	}
}

func link(t *testing.T, target, top, name string) {
	t.Helper()
	path := filepath.Join(top, name)
	err := os.Remove(path)
	assert.False(t, err != nil && !errors.Is(err, os.ErrNotExist), "%v", err)
	assert.NoError(t, os.Symlink(target, path))
}

// TestTree_long: a path that git or the system could not remove is not made, not even its
// first folder, by whatever way.
func TestTree_long(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	tree, err := openTree(top)
	assert.NoError(t, err)
	defer tree.close()
	for name, bad := range map[string]string{
		"many parts":    strings.Repeat("d/", 3000) + "f",
		"just too many": strings.Repeat("d/", maxParts) + "f",
		"many bytes":    strings.Repeat(strings.Repeat("d", 200)+"/", 6) + "f",
		"a long name":   "e/" + strings.Repeat("d", 256),
		"from the top":  filepath.ToSlash(top) + "/" + strings.Repeat("d/", 200) + "f",
		"with dots":     "x/../" + strings.Repeat("./d/", 200) + "f",
	} {
		_, err := tree.write(bad, []byte("x"))
		assert.Error(t, err, "writing %s", name)
		assert.Contains(t, err.Error(), "too long", "writing %s", name)
		assert.Contains(t, err.Error(), "at most", "writing %s", name)
		assert.True(t, len(err.Error()) <= 400, "writing %s: %v", name, err)
		_, _, err = tree.read(bad)
		assert.Error(t, err, "reading %s", name)
		assert.Contains(t, err.Error(), "too long", "reading %s", name)
	}
	entries, err := os.ReadDir(top)
	assert.NoError(t, err, "made %v", entries)
	assert.Zero(t, entries, "made %v", entries)
	for _, good := range []string{strings.Repeat("d/", maxParts-1) + "f", strings.Repeat("./", 600) + "f"} {
		_, err := tree.write(good, []byte("x"))
		assert.NoError(t, err, "%.20s…", good)
	}
	if runtime.GOOS == "windows" {
		return // links need a privilege there
	}
	link(t, strings.TrimSuffix(strings.Repeat("d/", 60), "/"), top, "far")
	_, err = tree.write("far/"+strings.Repeat("n/", 60)+"f", []byte("x"))
	assert.Error(t, err, "behind a link")
	assert.Contains(t, err.Error(), "too long", "behind a link")
}
