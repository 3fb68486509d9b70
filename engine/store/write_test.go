package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"chant/engine/store/local"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

func TestWrite_comparesFirst(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		have, old, next string // "(none)" is no file
		changed, exists bool
	}{
		"make":                 {have: "(none)", old: "(none)", next: "new"},
		"make an empty one":    {have: "(none)", old: "(none)", next: ""},
		"make what is there":   {have: "mine", old: "(none)", next: "new", exists: true},
		"make over an empty":   {have: "", old: "(none)", next: "new", exists: true},
		"replace":              {have: "old", old: "old", next: "new"},
		"replace an empty one": {have: "", old: "", next: "new"},
		"replace by itself":    {have: "old", old: "old", next: "old"},
		"replace what changed": {have: "mine", old: "old", next: "new", changed: true},
		"replace what is gone": {have: "(none)", old: "old", next: "new", changed: true},
		"remove":               {have: "old", old: "old", next: "(none)"},
		"remove what changed":  {have: "mine", old: "old", next: "(none)", changed: true},
		"remove what is gone":  {have: "(none)", old: "old", next: "(none)", changed: true},
	} {
		p := newProject(t)
		path := SpecsDir + "/sub/x.md"
		if c.have != "(none)" {
			p.put(path, c.have)
		}
		bytesOf := func(s string) []byte {
			if s == "(none)" {
				return nil
			}
			return []byte(s)
		}
		err := p.Write(ctx, p.home, path, bytesOf(c.old), bytesOf(c.next))
		changed, isChanged := errors.AsType[*ChangedError](err)
		exists, isExists := errors.AsType[*ExistsError](err)
		assert.Equal(t, c.changed, isChanged, "%s", name)
		assert.Equal(t, c.exists, isExists, "%s", name)
		assert.Equal(t, c.changed || c.exists, err != nil, "%s", name)
		assert.False(t, isChanged && changed.Path != path, "%s: the error names another file: %v", name, err)
		assert.False(t, isExists && exists.Path != path, "%s: the error names another file: %v", name, err)
		want := c.next
		if err != nil {
			want = c.have
		}
		assert.Equal(t, want, p.file(path), "%s: the file", name)
		_, held := lockfile.HeldBy(p.LockPath("write"))
		assert.False(t, held, "%s: the lock is still held", name)
	}
}

func TestWrite_errorsNameTheFile(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		`"a.md" changed while it was being edited`: &ChangedError{"a.md"},
		`"a.md" already exists`:                    &ExistsError{"a.md"},
	} {
		assert.Equal(t, want, err.Error())
	}
}

func TestWrite_leavesNoTrace(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	for i := range 3 {
		assert.NoError(t, p.Write(context.Background(), p.home, SpecPath(idA), []byte(p.file(SpecPath(idA))), fmt.Append(nil, i)))
	}
	left := leftovers(t, filepath.Join(p.home, SpecsDir), ".gitkeep", idA+".md")
	assert.True(t, left == nil, "in specs: %q", left)
	left = leftovers(t, filepath.Join(p.home, ".chant", "cache"), ".gitignore", ".temp")
	assert.True(t, left == nil, "in the cache: %q", left)
	left = leftovers(t, filepath.Join(p.home, ".chant", "cache", ".temp"))
	assert.True(t, left == nil, "temporary files: %q", left)
	got := p.git("status", "--porcelain")
	assert.Equal(t, " M "+SpecPath(idA), got)
}

func TestWrite_refusesLinkAndKeepsMode(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no such modes and links")
	}
	p := newProject(t)
	p.put("elsewhere/real.md", "old")
	real, link := filepath.Join(p.home, "elsewhere/real.md"), filepath.Join(p.home, SpecPath("x"))
	assert.NoError(t, errors.Join(os.Chmod(real, 0o600), os.Symlink("../../elsewhere/real.md", link)))
	err := p.Write(context.Background(), p.home, SpecPath("x"), []byte("old"), []byte("new"))
	if _, ok := errors.AsType[*local.FileError](err); !ok || get(t, real) != "old" {
		t.Errorf("writing through a link: %v, the file behind it is %q", err, get(t, real))
	}
	assert.NoError(t, p.Write(context.Background(), p.home, "elsewhere/real.md", []byte("old"), []byte("new")))
	info, err := os.Stat(real)
	assert.NoError(t, err)
	assert.Equal(t, 0o600, info.Mode().Perm())
	assert.Equal(t, "new", get(t, real))
}

// TestLinks_outside reads and writes no spec through a link that leads out of the project, and names the link.
func TestLinks_outside(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	assert.NoError(t, os.WriteFile(filepath.Join(outside, "x.md"), []byte(withStatus("pending")), 0o600))
	for name, c := range map[string]struct{ link, target, path string }{
		"a file":                  {SpecPath("x"), filepath.Join(outside, "x.md"), SpecPath("x")},
		"an archived file":        {ArchiveDir + "/2026-01-02/x.md", filepath.Join(outside, "x.md"), ArchiveDir + "/2026-01-02/x.md"},
		"a folder of the archive": {ArchiveDir + "/2026-01-02", outside, ArchiveDir + "/2026-01-02/x.md"},
		"the folder of specs":     {SpecsDir, outside, SpecPath("x")},
		"all of chant's files":    {Dir, outside, SpecPath("x")},
	} {
		p := newProject(t)
		link := filepath.Join(p.home, filepath.FromSlash(c.link))
		if c.link == Dir {
			if err := errors.Join(os.Mkdir(filepath.Join(outside, "specs"), 0o755), os.WriteFile(filepath.Join(outside, "specs", "x.md"), nil, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(os.RemoveAll(link), os.MkdirAll(filepath.Dir(link), 0o755), os.Symlink(c.target, link)); err != nil {
			t.Skip("no symbolic links here")
		}
		src, err := p.ReadTree(p.home, c.path)
		wrong, ok := errors.AsType[*local.FileError](err)
		assert.True(t, ok, "%s: %q, %v, want an error that names %q", name, src, err, c.link)
		assert.Equal(t, c.link, wrong.Path, "%s: %v", name, err)
		assert.True(t, src == nil, "%s: %q, %v, want an error that names %q", name, src, err, c.link)
		if err := p.Write(context.Background(), p.home, path.Join(path.Dir(c.path), "new.md"), nil, []byte("new")); err == nil && c.link != c.path {
			t.Errorf("%s: a file was written behind the link", name)
		}
	}
	p := newProject(t, idA, "pending")
	assert.NoError(t, os.Symlink(idA+".md", filepath.Join(p.home, SpecPath("x"))))
	_, err := p.ReadTree(p.home, SpecPath("x"))
	assert.NoError(t, err, "a link within the project")
}

func TestWrite_notAFile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put(SpecsDir+"/x.md/inside", "")
	err := p.Write(context.Background(), p.home, SpecPath("x"), nil, []byte("new"))
	assert.Error(t, err, "a folder is written over")
	assert.Contains(t, err.Error(), `"`+SpecPath("x")+`"`, "a folder is written over")
}

func TestWrite_canceledWhileWaiting(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	path, err := p.Local(local.Locks, "write.lock")
	assert.NoError(t, err)
	lock, err := lockfile.Acquire(path, "the test")
	assert.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err = p.Write(ctx, p.home, SpecPath("x"), nil, []byte("new"))
	_, held := errors.AsType[*lockfile.HeldError](err)
	assert.True(t, held, "%v", err)
	assert.IsError(t, err, context.Canceled)
	assert.Equal(t, "(none)", p.file(SpecPath("x")))
	assert.NoError(t, lock.Release())
}

// TestWrite_parallel: several writers add a line each, repeatedly, and compare-and-swap
// loses none.
func TestWrite_parallel(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	const writers, lines = 4, 10
	path := SpecPath("x")
	p.put(path, "")
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			mine := p.openAt(p.home)
			for i := 0; i < lines; {
				old, err := mine.ReadTree(p.home, path)
				if err != nil {
					t.Error(err)
					return
				}
				err = mine.Write(context.Background(), p.home, path, old, fmt.Appendf(old[:len(old):len(old)], "%d %d\n", w, i))
				if _, changed := errors.AsType[*ChangedError](err); changed {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				i++
			}
		})
	}
	wg.Wait()
	text := p.file(path)
	for w := range writers {
		for i := range lines {
			assert.Equal(t, 1, strings.Count(text, fmt.Sprintf("%d %d\n", w, i)), "line %d of writer %d is lost or double:", i, w)
		}
	}
}
