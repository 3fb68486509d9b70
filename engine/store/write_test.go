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
		if isChanged != c.changed || isExists != c.exists || (err != nil) != (c.changed || c.exists) {
			t.Errorf("%s: %v", name, err)
		}
		if isChanged && changed.Path != path || isExists && exists.Path != path {
			t.Errorf("%s: the error names another file: %v", name, err)
		}
		want := c.next
		if err != nil {
			want = c.have
		}
		if got := p.file(path); got != want {
			t.Errorf("%s: the file holds %q, want %q", name, got, want)
		}
		if _, held := lockfile.HeldBy(p.LockPath("write")); held {
			t.Errorf("%s: the lock is still held", name)
		}
	}
}

func TestWrite_errorsNameTheFile(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		`"a.md" changed while it was being edited`: &ChangedError{"a.md"},
		`"a.md" already exists`:                    &ExistsError{"a.md"},
	} {
		if err.Error() != want {
			t.Errorf("%s, want %s", err, want)
		}
	}
}

func TestWrite_leavesNoTrace(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	for i := range 3 {
		if err := p.Write(context.Background(), p.home, SpecPath(idA), []byte(p.file(SpecPath(idA))), fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	if left := leftovers(t, filepath.Join(p.home, SpecsDir), ".gitkeep", idA+".md"); left != nil {
		t.Errorf("in specs: %q", left)
	}
	if left := leftovers(t, filepath.Join(p.home, ".chant", "cache"), ".gitignore", ".temp"); left != nil {
		t.Errorf("in the cache: %q", left)
	}
	if left := leftovers(t, filepath.Join(p.home, ".chant", "cache", ".temp")); left != nil {
		t.Errorf("temporary files: %q", left)
	}
	if got := p.git("status", "--porcelain"); got != " M "+SpecPath(idA) {
		t.Errorf("git sees %q", got)
	}
}

func TestWrite_refusesLinkAndKeepsMode(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no such modes and links")
	}
	p := newProject(t)
	p.put("elsewhere/real.md", "old")
	real, link := filepath.Join(p.home, "elsewhere/real.md"), filepath.Join(p.home, SpecPath("x"))
	if err := errors.Join(os.Chmod(real, 0o600), os.Symlink("../../elsewhere/real.md", link)); err != nil {
		t.Fatal(err)
	}
	err := p.Write(context.Background(), p.home, SpecPath("x"), []byte("old"), []byte("new"))
	if _, ok := errors.AsType[*local.FileError](err); !ok || get(t, real) != "old" {
		t.Errorf("writing through a link: %v, the file behind it is %q", err, get(t, real))
	}
	if err := p.Write(context.Background(), p.home, "elsewhere/real.md", []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o600 || get(t, real) != "new" {
		t.Errorf("the file is %v, %v, %q", info.Mode(), err, get(t, real))
	}
}

// TestLinks_outside reads and writes no spec through a link that leads out of the project, and names the link.
func TestLinks_outside(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "x.md"), []byte(withStatus("pending")), 0o600); err != nil {
		t.Fatal(err)
	}
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
		if wrong, ok := errors.AsType[*local.FileError](err); !ok || wrong.Path != c.link || src != nil {
			t.Errorf("%s: %q, %v, want an error that names %q", name, src, err, c.link)
		}
		if err := p.Write(context.Background(), p.home, path.Join(path.Dir(c.path), "new.md"), nil, []byte("new")); err == nil && c.link != c.path {
			t.Errorf("%s: a file was written behind the link", name)
		}
	}
	p := newProject(t, idA, "pending")
	if err := os.Symlink(idA+".md", filepath.Join(p.home, SpecPath("x"))); err != nil {
		t.Fatal(err)
	}
	if _, err := p.ReadTree(p.home, SpecPath("x")); err != nil {
		t.Errorf("a link within the project: %v", err)
	}
}

func TestWrite_notAFile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put(SpecsDir+"/x.md/inside", "")
	err := p.Write(context.Background(), p.home, SpecPath("x"), nil, []byte("new"))
	if err == nil || !strings.Contains(err.Error(), `"`+SpecPath("x")+`"`) {
		t.Errorf("a folder is written over: %v", err)
	}
}

func TestWrite_canceledWhileWaiting(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	path, err := p.Local(local.Locks, "write.lock")
	if err != nil {
		t.Fatal(err)
	}
	lock, err := lockfile.Acquire(path, "the test")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err = p.Write(ctx, p.home, SpecPath("x"), nil, []byte("new"))
	if _, held := errors.AsType[*lockfile.HeldError](err); !held || !errors.Is(err, context.Canceled) || p.file(SpecPath("x")) != "(none)" {
		t.Errorf("%v", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
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
			if strings.Count(text, fmt.Sprintf("%d %d\n", w, i)) != 1 {
				t.Fatalf("line %d of writer %d is lost or double:\n%s", i, w, text)
			}
		}
	}
}
