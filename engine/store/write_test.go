package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"chant/engine/local"
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
	if left := leftovers(t, filepath.Join(p.home, ".chant", "cache"), ".gitignore"); left != nil {
		t.Errorf("in the cache: %q", left)
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
