package shelf_test

import (
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine/code/shelf"
	"chant/engine/enginetest"
	"chant/gitops"
)

// worktree is a repository whose files are listed.
type worktree struct {
	*testing.T
	dir string
}

func newWorktree(t *testing.T, files map[string]string) *worktree {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Repository(t, dir)
	w := &worktree{t, dir}
	for name, text := range files {
		w.write(name, text)
	}
	enginetest.CommitAll(t, dir)
	return w
}

func (w *worktree) write(name, text string) {
	w.Helper()
	enginetest.Write(w.T, w.dir, name, text)
}

func (w *worktree) git(args ...string) string {
	w.Helper()
	return enginetest.Git(w.T, w.dir, args...)
}

func (w *worktree) read(rules shelf.Rules, before *shelf.Manifest) *shelf.Manifest {
	w.Helper()
	repo, err := gitops.Open(w.dir)
	if err != nil {
		w.Fatal(err)
	}
	m, err := shelf.ReadCorpus(w.Context(), repo, w.dir, rules, before)
	if err != nil {
		w.Fatal(err)
	}
	return m
}

// settled reads again until nothing is as new as the clock: then a manifest is current.
func (w *worktree) settled(m *shelf.Manifest) *shelf.Manifest {
	w.Helper()
	for range 10_000 {
		if m.IsCurrent(w.Context()) {
			return m
		}
		m = w.read(shelf.Rules{}, m)
	}
	w.Fatal("nothing has changed, and the manifest is not current")
	return nil
}

// searched returns the paths that are searched, separated by spaces.
func searched(m *shelf.Manifest) string {
	var names []string
	for _, f := range m.Searched() {
		names = append(names, f.Path)
	}
	return strings.Join(names, " ")
}

// TestRead lists what git lists.
func TestRead(t *testing.T) {
	t.Parallel()
	w := newWorktree(t, map[string]string{"a.go": "package a\n", "b/c.go": "package b\n", "gone.go": "package a\n", ".gitignore": "*.log\n/out\n", "forced.log": "no\n"})
	w.git("add", "-f", "forced.log")
	w.git("commit", "-qm", "Add an ignored file")
	w.write("new file.go", "package a\n")
	w.write("a.log", "ignored\n")
	w.write("out/d.go", "package ignored\n")
	if err := os.Remove(filepath.Join(w.dir, "gone.go")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.go", filepath.Join(w.dir, "link.go")); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	m := w.read(shelf.Rules{}, nil)
	if got := searched(m); got != ".gitignore a.go b/c.go forced.log new file.go" {
		t.Errorf("searched are %q", got)
	}
	f, ok := m.Find("a.go")
	if want := w.git("rev-parse", "HEAD:a.go"); !ok || f.Hash != strings.TrimSpace(want) {
		t.Errorf("%+v, %v, want the blob %s", f, ok, want)
	}
	f, _ = m.Find("new file.go")
	if want := w.git("hash-object", "new file.go"); f.Hash != strings.TrimSpace(want) {
		t.Errorf("the untracked file is %q, want %s", f.Hash, want)
	}
	if _, ok = m.Find("out/d.go"); ok {
		t.Error("an ignored file is listed")
	}
}

// TestRead_submodule lists the files of a submodule that is checked out.
func TestRead_submodule(t *testing.T) {
	t.Parallel()
	inner := newWorktree(t, map[string]string{"inner.go": "package inner\n"})
	w := newWorktree(t, map[string]string{"a.go": "package a\n"})
	w.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "sub dir")
	w.git("commit", "-qm", "Add a submodule")
	m := w.read(shelf.Rules{}, nil)
	if got := searched(m); got != ".gitmodules a.go sub dir/inner.go" {
		t.Errorf("searched are %q", got)
	}
	m = w.settled(m)
	enginetest.Write(t, filepath.Join(w.dir, "sub dir"), "more.go", "package inner\n")
	if m.IsCurrent(t.Context()) {
		t.Error("a new file in the submodule was not noticed")
	}
	if got := searched(w.read(shelf.Rules{}, m)); got != ".gitmodules a.go sub dir/inner.go sub dir/more.go" {
		t.Errorf("searched are %q", got)
	}
}

// TestRead_lineEnds takes the blob of a file that only line ends make differ.
func TestRead_lineEnds(t *testing.T) {
	t.Parallel()
	w := newWorktree(t, map[string]string{"a.go": "package a\n\nvar A = 1\n"})
	w.git("config", "core.autocrlf", "true")
	if err := os.Remove(filepath.Join(w.dir, "a.go")); err != nil {
		t.Fatal(err)
	}
	w.git("checkout", "-q", "--", "a.go")
	if text := enginetest.Read(t, w.dir, "a.go"); !strings.Contains(text, "\r\n") {
		t.Fatalf("git has not changed the line ends: %q", text)
	}
	f, _ := w.read(shelf.Rules{}, nil).Find("a.go")
	if want := strings.TrimSpace(w.git("rev-parse", "HEAD:a.go")); f.Hash != want {
		t.Errorf("the blob is %q, want %s", f.Hash, want)
	}
}

// TestIsCurrent notices each change, and reading again finds what a first reading would find.
func TestIsCurrent(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(w *worktree){
		"a file of the same size":     func(w *worktree) { w.write("a.go", "package b\n") },
		"a longer file":               func(w *worktree) { w.write("a.go", "package a // more\n") },
		"a new file":                  func(w *worktree) { w.write("new.go", "package a\n") },
		"one in an empty folder":      func(w *worktree) { w.write("empty/new.go", "package a\n") },
		"one in a new folder":         func(w *worktree) { w.write("x/y/new.go", "package a\n") },
		"a file that was removed":     func(w *worktree) { _ = os.Remove(filepath.Join(w.dir, "a.go")) },
		"one that was renamed":        func(w *worktree) { w.git("mv", "a.go", "z.go") },
		"a rule for ignored files":    func(w *worktree) { w.write(".gitignore", "b\n") },
		"a private rule":              func(w *worktree) { w.write(".git/info/exclude", "free.go\n") },
		"another branch":              func(w *worktree) { w.git("checkout", "-q", "other") },
		"a file that git now follows": func(w *worktree) { w.git("add", "-f", "a.log") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorktree(t, map[string]string{"a.go": "package a\n", "b/c.go": "package b\n", ".gitignore": "*.log\n"})
			w.T = t
			w.git("checkout", "-qb", "other")
			w.write("b/c.go", "package c\n")
			w.git("commit", "-qam", "Change a file")
			w.git("checkout", "-q", "-")
			w.write("a.log", "ignored\n")
			if err := os.Mkdir(filepath.Join(w.dir, "empty"), 0o755); err != nil {
				t.Fatal(err)
			}
			w.write("free.go", "package a\n")
			before := w.settled(w.read(shelf.Rules{}, nil))
			if change(w); before.IsCurrent(t.Context()) {
				t.Error("the change was not noticed")
			}
			if again, anew := contents(w.read(shelf.Rules{}, before)), contents(w.read(shelf.Rules{}, nil)); !maps.Equal(again, anew) || maps.Equal(again, contents(before)) {
				t.Errorf("read again\n%v\nread anew\n%v\nbefore\n%v", again, anew, contents(before))
			}
		})
	}
}

// contents returns the blobs of a manifest by their paths.
func contents(m *shelf.Manifest) map[string]string {
	all := map[string]string{}
	for _, f := range m.Files {
		all[f.Path] = f.Hash + " " + f.Skipped
	}
	return all
}

// TestRules_excluded leaves out what the rules say, each with its reason.
func TestRules_excluded(t *testing.T) {
	t.Parallel()
	rules := shelf.Rules{Exclude: []string{"legacy", "**/*.sql"}, Include: []string{"vendor/ours/**", "gen.go"}, MaxBytes: 50_000}
	for name, c := range map[string]struct {
		size int64
		text string
		why  string
	}{
		"a.go":                {10, "package a\n", ""},
		"legacy/a.go":         {10, "package a\n", "excluded by legacy"},
		"db/x.sql":            {10, "select 1\n", "excluded by **/*.sql"},
		"vendor/x/a.go":       {10, "package x\n", "vendored (vendor/)"},
		"vendor/ours/a.go":    {10, "package x\n", ""},
		"vendored.go":         {10, "package x\n", ""},
		"web/node_modules/a":  {10, "x\n", "vendored (node_modules/)"},
		"go.sum":              {10, "x\n", "written by a package manager"},
		"app.min.js":          {10, "x\n", "minified or drawn"},
		"big.go":              {50_001, "", "larger than 50000 bytes"},
		"data.bin":            {10, "a\x00b", "binary"},
		"made.go":             {10, "// Code generated by x. DO NOT EDIT.\n\npackage a\n", "generated"},
		"gen.go":              {10, "// Code generated by x. DO NOT EDIT.\n\npackage a\n", ""},
		"guide.md":            {10, "// Code generated by x. DO NOT EDIT.\n", ""},
		"says.go":             {10, "package a\n\n// Read reads what was generated.\n", ""},
		"one-line.js":         {10, strings.Repeat("a", 20_001), "minified"},
		"vendor/ours/bin.dat": {10, "a\x00b", "binary"},
	} {
		why := rules.Path(name)
		if why == "" {
			why = rules.Size(c.size)
		}
		if why == "" {
			why = rules.Content(name, []byte(c.text))
		}
		if why != c.why {
			t.Errorf("%s: %q, want %q", name, why, c.why)
		}
	}
	if err := (shelf.Rules{Exclude: []string{"[a"}}).Valid(); err == nil {
		t.Error("a glob that cannot be read is valid")
	}
}

// TestManifest_stored reads what was stored, and never panics.
func TestManifest_stored(t *testing.T) {
	t.Parallel()
	w := newWorktree(t, map[string]string{"a.go": "package a\n", "b/c d.go": "package b\n", "go.sum": "x\n"})
	m := w.read(shelf.Rules{Exclude: []string{"x"}}, nil)
	data := m.Bytes()
	got, ok := shelf.OpenCorpus(data)
	if !ok || got.Root != m.Root || got.Rules != m.Rules || !slices.Equal(got.Files, m.Files) || !slices.Equal(got.Watched, m.Watched) {
		t.Errorf("%+v, %v, want %+v", got, ok, m)
	}
	for n := range data {
		shelf.OpenCorpus(data[:n])
		broken := slices.Clone(data)
		broken[n] ^= 0xff
		shelf.OpenCorpus(broken)
	}
}

// TestUnit: a unit is the hash of the standard library.
func TestUnit(t *testing.T) {
	t.Parallel()
	for _, f := range []shelf.File{{}, {Path: "a/b.go"}, {Path: "é/\xff", Hash: "0123456789abcdef0123456789abcdef01234567"}} {
		sum := fnv.New128a()
		sum.Write([]byte(f.Hash + "\x00" + f.Path)) // a hash takes all
		if got, want := f.Unit(), shelf.Unit(sum.Sum(nil)[:12]); got != want {
			t.Errorf("%q: %x, want %x", f.Path, got, want)
		}
	}
}
