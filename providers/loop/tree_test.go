package loop

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
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
		if err := os.Symlink(target, filepath.Join(top, name)); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := openTree(top)
	if err != nil {
		t.Fatal(err)
	}
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
		if src, _, err := tree.read(way); !isDenied(err) {
			t.Errorf("reading %q: %q, %v", way, src, err)
		}
		if at, err := tree.write(way, []byte("overwritten")); !isDenied(err) {
			t.Errorf("writing %q: %q, %v", way, at, err)
		}
		if err := tree.eachFile(t.Context(), way, "", func(string) error { return nil }); !isDenied(err) {
			t.Errorf("listing %q: %v", way, err)
		}
	}
	if after := snapshot(t, home); after != before {
		t.Errorf("something changed:\n%s\nbefore:\n%s", after, before)
	}
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
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	defer tree.close()
	for _, name := range []string{
		"a/b", "./a//b", "a/../a/b", "dir/b", "a/again", "abs", top + "/a/b", filepath.Join(home, "alias", "a", "b"), "a/.github/b",
	} {
		if src, at, err := tree.read(name); err != nil || string(src) != "inside" || at != "a/b" && at != "a/.github/b" {
			t.Errorf("%q: %q at %q, %v", name, src, at, err)
		}
	}
	for name, want := range map[string]string{"dangling": "new", "x/y/z": "x/y/z", "dir/new": "a/new", ".gitignore": ".gitignore"} {
		if at, err := tree.write(name, []byte("written")); err != nil || at != want || read(t, top, want) != "written" {
			t.Errorf("%q: at %q, %v", name, at, err)
		}
	}
}

// TestTree_keepsMode: a file stays the file that it is.
func TestTree_keepsMode(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	write(t, top, "script", "long old content")
	if err := os.Chmod(filepath.Join(top, "script"), 0o700); err != nil {
		t.Fatal(err)
	}
	tree, err := openTree(top)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.close()
	if _, err := tree.write("script", []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(top, "script"))
	if err != nil || read(t, top, "script") != "new" || runtime.GOOS != "windows" && info.Mode() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	for _, name := range []string{"", " ", ".", "nothing", "no/thing", "script/x"} {
		if _, _, err := tree.read(name); err == nil || isDenied(err) || errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func link(t *testing.T, target, top, name string) {
	t.Helper()
	path := filepath.Join(top, name)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

// TestTree_long: a path that git or the system could not remove is not made, not even its
// first folder, by whatever way.
func TestTree_long(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	tree, err := openTree(top)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.close()
	for name, bad := range map[string]string{
		"many parts":    strings.Repeat("d/", 3000) + "f",
		"just too many": strings.Repeat("d/", maxParts) + "f",
		"many bytes":    strings.Repeat(strings.Repeat("d", 200)+"/", 6) + "f",
		"a long name":   "e/" + strings.Repeat("d", 256),
		"from the top":  filepath.ToSlash(top) + "/" + strings.Repeat("d/", 200) + "f",
		"with dots":     "x/../" + strings.Repeat("./d/", 200) + "f",
	} {
		if _, err := tree.write(bad, []byte("x")); err == nil || !strings.Contains(err.Error(), "too long") || !strings.Contains(err.Error(), "at most") || len(err.Error()) > 400 {
			t.Errorf("writing %s: %v", name, err)
		}
		if _, _, err := tree.read(bad); err == nil || !strings.Contains(err.Error(), "too long") {
			t.Errorf("reading %s: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(top); err != nil || len(entries) != 0 {
		t.Errorf("made %v, %v", entries, err)
	}
	for _, good := range []string{strings.Repeat("d/", maxParts-1) + "f", strings.Repeat("./", 600) + "f"} {
		if _, err := tree.write(good, []byte("x")); err != nil {
			t.Errorf("%.20s…: %v", good, err)
		}
	}
	if runtime.GOOS == "windows" {
		return // links need a privilege there
	}
	link(t, strings.TrimSuffix(strings.Repeat("d/", 60), "/"), top, "far")
	if _, err := tree.write("far/"+strings.Repeat("n/", 60)+"f", []byte("x")); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("behind a link: %v", err)
	}
}
