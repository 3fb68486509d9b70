package rootdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// folder makes a folder beside one with a file that must stay as it is, and checks that in the end.
func folder(t *testing.T) (root *os.Root, outside string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("links need rights here")
	}
	base := t.TempDir()
	outside = filepath.Join(base, "outside")
	dir := filepath.Join(base, "dir")
	if err := errors.Join(os.Mkdir(outside, 0o755), os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(outside, "file"), []byte("kept"), 0o644)); err != nil {
		t.Fatal(err)
	}
	root, err := Open(dir)
	assert.NoError(t, err)
	t.Cleanup(func() {
		_ = root.Close()
		text, err := os.ReadFile(filepath.Join(outside, "file"))
		found, listErr := os.ReadDir(outside)
		assert.NoError(t, err, "outside, the file is %v", found)
		assert.NoError(t, listErr, "outside, the file is %v", found)
		assert.Equal(t, "kept", string(text), "outside, the file is %v", found)
		assert.Equal(t, 1, len(found), "outside, the file is %v", found)
	})
	return root, outside
}

// TestWrite: a file gets its content, whatever is in its place, and nothing outside is changed. What would lead out above it
// is an error.
func TestWrite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plant func(dir, outside string) error
		fails bool
	}{
		"nothing": {func(string, string) error { return nil }, false},
		"a file": {func(dir, _ string) error {
			return errors.Join(os.Mkdir(dir+"/a", 0o755), os.WriteFile(dir+"/a/b", []byte("old"), 0o600))
		}, false},
		"a link": {func(dir, outside string) error {
			return errors.Join(os.Mkdir(dir+"/a", 0o755), os.Symlink(outside+"/file", dir+"/a/b"))
		}, false},
		"a link to nothing": {func(dir, outside string) error {
			return errors.Join(os.Mkdir(dir+"/a", 0o755), os.Symlink(outside+"/new", dir+"/a/b"))
		}, false},
		"a second name": {func(dir, outside string) error {
			return errors.Join(os.Mkdir(dir+"/a", 0o755), os.Link(outside+"/file", dir+"/a/b"))
		}, false},
		"a folder":             {func(dir, _ string) error { return os.MkdirAll(dir+"/a/b/c", 0o755) }, false},
		"a link above":         {func(dir, outside string) error { return os.Symlink(outside, dir+"/a") }, true},
		"a relative one above": {func(dir, _ string) error { return os.Symlink("../outside", dir+"/a") }, true},
		"a link within":        {func(dir, _ string) error { return errors.Join(os.Mkdir(dir+"/x", 0o755), os.Symlink("x", dir+"/a")) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, outside := folder(t)
			assert.NoError(t, c.plant(root.Name(), outside))
			assert.Equal(t, c.fails, Write(root, "a/b", []byte("new"), 0o640) != nil)
			if c.fails {
				return
			}
			assert.True(t, Holds(root, "a/b", []byte("new")), "it does not hold the new content")
			found, err := List(root, "a")
			assert.NoError(t, err, "left behind: %v", found)
			assert.Equal(t, 1, len(found), "left behind: %v", found)
		})
	}
}

// TestRead: only a plain file of a usual size is read, and no pipe is waited for.
func TestRead(t *testing.T) {
	t.Parallel()
	root, outside := folder(t)
	dir := root.Name()
	err := errors.Join(os.WriteFile(dir+"/file", []byte("text"), 0o644), os.WriteFile(dir+"/large", make([]byte, 11), 0o644),
		os.Symlink(outside+"/file", dir+"/out"), os.Symlink("file", dir+"/in"), os.Mkdir(dir+"/folder", 0o755), makePipe(dir+"/pipe"))
	assert.NoError(t, err)
	for name, want := range map[string]string{"file": "text", "in": "text", "large": "", "out": "", "folder": "", "pipe": "", "none": ""} {
		text, err := Read(root, name, 10)
		assert.Equal(t, want, string(text), "%s", name)
		assert.Equal(t, want != "", err == nil, "%s", name)
	}
}

// TestOpen: a link is no folder.
func TestOpen(t *testing.T) {
	t.Parallel()
	root, outside := folder(t)
	assert.NoError(t, os.Symlink(outside, root.Name()+"/link"))
	for name, want := range map[string]error{root.Name() + "/link": ErrNotFolder, outside + "/file": ErrNotFolder, outside + "/none": fs.ErrNotExist} {
		_, err := Open(name)
		assert.IsError(t, err, want, "%s", name)
	}
}

// TestRemove: everything goes that is below, of any mode and depth, and nothing that links lead to.
func TestRemove(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]func(dir, outside string) error{
		"files": func(dir, _ string) error { return os.WriteFile(dir+"/a", nil, 0) },
		"links": func(dir, outside string) error {
			return errors.Join(os.Symlink(outside, dir+"/a"), os.Symlink("../outside/file", dir+"/b"))
		},
		"modes": func(dir, _ string) error {
			return errors.Join(os.MkdirAll(dir+"/a/b", 0o755), os.WriteFile(dir+"/a/b/c", nil, 0), os.Chmod(dir+"/a/b", 0), os.Chmod(dir+"/a", 0o500))
		},
		"a chain": func(dir, _ string) error { return chain(dir, 3000) },
	} {
		for _, slow := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				root, outside := folder(t)
				dir := root.Name() + "/x"
				assert.NoError(t, os.Mkdir(dir, 0o755))
				assert.NoError(t, plant(dir, outside))
				var err error
				if slow { // as if the first way had failed for want of rights or open files
					err = removeSlowly(root, "x")
				} else {
					err = Remove(dir)
				}
				assert.NoError(t, err)
				found, err := List(root, ".")
				assert.NoError(t, err, "left: %v", found)
				assert.Zero(t, found, "left: %v", found)
			})
		}
	}
	assert.NoError(t, Remove(filepath.Join(t.TempDir(), "none", "none")))
}

// chain makes folders in folders, more than a path can name.
func chain(dir string, levels int) error {
	root, err := Open(dir)
	for range levels {
		if err != nil {
			return err
		}
		var next *os.Root
		if err = root.Mkdir("d", 0o755); err == nil {
			next, err = root.OpenRoot("d")
		}
		err = errors.Join(err, root.Close())
		root = next
	}
	return errors.Join(err, root.Close())
}

// TestRemove_sideBySide has several remove the same folder, as runs that clean up after others do.
func TestRemove_sideBySide(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	for i := range 200 {
		assert.NoError(t, os.MkdirAll(filepath.Join(top, "x", strconv.Itoa(i%10), strconv.Itoa(i), "a", "b"), 0o755))
	}
	root, err := Open(top)
	assert.NoError(t, err)
	defer root.Close()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := removeSlowly(root, "x"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	_, err = root.Lstat("x")
	assert.IsError(t, err, fs.ErrNotExist)
}

// TestWalk: folders come before what they hold, links are not followed, and what is skipped is not walked.
func TestWalk(t *testing.T) {
	t.Parallel()
	root, outside := folder(t)
	dir := root.Name()
	if err := errors.Join(os.MkdirAll(dir+"/a/b", 0o755), os.WriteFile(dir+"/a/b/c", nil, 0o644), os.MkdirAll(dir+"/skip/x", 0o755), os.Symlink(outside, dir+"/a/out")); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := Walk(root, func(name string, kind fs.FileMode) error {
		got = append(got, name)
		if name == "skip" && kind.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	slices.Sort(got)
	want := "a a/b a/b/c a/out skip"
	assert.NoError(t, err)
	assert.Equal(t, want, strings.Join(got, " "))
}

// TestDropLinks: what is no folder above a path goes, and what it leads to stays.
func TestDropLinks(t *testing.T) {
	t.Parallel()
	root, outside := folder(t)
	assert.NoError(t, errors.Join(os.Mkdir(root.Name()+"/a", 0o755), os.Symlink(outside, root.Name()+"/a/b")))
	assert.Equal(t, "a/b", LinkAbove(root.Name(), "a/b/c/d"))
	assert.NoError(t, DropLinks(root, "a/b/c/d"))
	assert.Equal(t, "", LinkAbove(root.Name(), "a/b/c/d"))
}

// TestOverwrite writes over a file only if it is the expected one, and gets no longer.
func TestOverwrite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, have, content string
		want                error
	}{
		"shorter":           {"long text", "long text", "text", nil},
		"as long":           {"text", "text", "next", nil},
		"empty":             {"text", "text", "", nil},
		"longer":            {"text", "text", "long text", ErrNotFile},
		"changed":           {"next", "text", "tex", ErrNotFile},
		"longer meanwhile":  {"text and more", "text", "tex", ErrNotFile},
		"shorter meanwhile": {"te", "text", "tex", ErrNotFile},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "file")
		assert.NoError(t, os.WriteFile(path, []byte(c.file), 0o644))
		err := In(dir, func(root *os.Root) error { return Overwrite(root, "file", []byte(c.have), []byte(c.content)) })
		assert.IsError(t, err, c.want, "%s: %v", name, err)
		want := c.content
		if c.want != nil {
			want = c.file
		}
		text, err := os.ReadFile(path)
		assert.NoError(t, err)
		assert.Equal(t, want, string(text), name)
	}
}

// TestOverwrite_linked leaves a file alone that has another name outside, or is a link.
func TestOverwrite_linked(t *testing.T) {
	t.Parallel()
	root, outside := folder(t)
	for name, link := range map[string]func(old, name string) error{"hard": os.Link, "soft": os.Symlink} {
		assert.NoError(t, link(filepath.Join(outside, "file"), filepath.Join(root.Name(), name)))
		assert.Error(t, Overwrite(root, name, []byte("kept"), []byte("k")), name)
	}
}
