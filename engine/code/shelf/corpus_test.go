package shelf_test

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine/code/shelf"
	"chant/engine/enginetest"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// worktree is a repository whose files are listed.
type worktree struct {
	*testing.T
	dir string
}

func newWorktree(t *testing.T, files map[string]string) *worktree {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	assert.NoError(t, err)
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
	assert.NoError(t, os.Remove(filepath.Join(w.dir, "gone.go")))
	if err := os.Symlink("a.go", filepath.Join(w.dir, "link.go")); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	m := w.read(shelf.Rules{}, nil)
	assert.Equal(t, ".gitignore a.go b/c.go forced.log new file.go", searched(m))
	f, ok := m.Find("a.go")
	want := w.git("rev-parse", "HEAD:a.go")
	assert.True(t, ok, "%+v, %v, want the blob %s", f, ok, want)
	assert.Equal(t, strings.TrimSpace(want), f.Hash)
	f, _ = m.Find("new file.go")
	assert.Equal(t, strings.TrimSpace(w.git("hash-object", "new file.go")), f.Hash, "the untracked file")
	_, ok = m.Find("out/d.go")
	assert.False(t, ok, "an ignored file is listed")
}

// TestRead_submodule lists the files of a submodule that is checked out.
func TestRead_submodule(t *testing.T) {
	t.Parallel()
	inner := newWorktree(t, map[string]string{"inner.go": "package inner\n"})
	w := newWorktree(t, map[string]string{"a.go": "package a\n"})
	w.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "sub dir")
	w.git("commit", "-qm", "Add a submodule")
	m := w.read(shelf.Rules{}, nil)
	assert.Equal(t, ".gitmodules a.go sub dir/inner.go", searched(m))
	m = w.settled(m)
	enginetest.Write(t, filepath.Join(w.dir, "sub dir"), "more.go", "package inner\n")
	assert.False(t, m.IsCurrent(t.Context()), "a new file in the submodule was not noticed")
	assert.Equal(t, ".gitmodules a.go sub dir/inner.go sub dir/more.go", searched(w.read(shelf.Rules{}, m)))
}

// TestRead_lineEnds takes the blob of a file that only line ends make differ.
func TestRead_lineEnds(t *testing.T) {
	t.Parallel()
	w := newWorktree(t, map[string]string{"a.go": "package a\n\nvar A = 1\n"})
	w.git("config", "core.autocrlf", "true")
	assert.NoError(t, os.Remove(filepath.Join(w.dir, "a.go")))
	w.git("checkout", "-q", "--", "a.go")
	assert.Contains(t, enginetest.Read(t, w.dir, "a.go"), "\r\n", "git has not changed the line ends")
	f, _ := w.read(shelf.Rules{}, nil).Find("a.go")
	assert.Equal(t, strings.TrimSpace(w.git("rev-parse", "HEAD:a.go")), f.Hash)
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
			assert.NoError(t, os.Mkdir(filepath.Join(w.dir, "empty"), 0o755))
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
		assert.Equal(t, c.why, why, "%s", name)
	}
	assert.Error(t, (shelf.Rules{Exclude: []string{"[a"}}).Valid(), "a glob that cannot be read is valid")
}

// TestManifest_stored reads what was stored, and never panics.
func TestManifest_stored(t *testing.T) {
	t.Parallel()
	w := newWorktree(t, map[string]string{"a.go": "package a\n", "b/c d.go": "package b\n", "go.sum": "x\n"})
	m := w.read(shelf.Rules{Exclude: []string{"x"}}, nil)
	data := m.Bytes()
	got, ok := shelf.OpenCorpus(data)
	assert.True(t, ok, "%+v, %v, want %+v", got, ok, m)
	assert.Equal(t, m.Root, got.Root)
	assert.Equal(t, m.Rules, got.Rules)
	assert.Equal(t, m.Files, got.Files)
	assert.Equal(t, m.Watched, got.Watched)
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
		got, want := f.Unit(), shelf.Unit(sum.Sum(nil)[:12])
		assert.Equal(t, want, got, "%q", f.Path)
	}
}

func (w *worktree) update(before *shelf.Manifest) *shelf.Manifest {
	w.Helper()
	repo, err := gitops.Open(w.dir)
	if err != nil {
		w.Fatal(err)
	}
	m, err := shelf.UpdateCorpus(w.Context(), repo, w.dir, shelf.Rules{}, before)
	if err != nil {
		w.Fatal(err)
	}
	return m
}

// describeManifest returns all that a manifest contains except for stamps, which differ while files are new.
func describeManifest(m *shelf.Manifest) string {
	var b strings.Builder
	for _, f := range m.Files {
		fmt.Fprintln(&b, f.Path, f.Hash, f.Skipped, f.Failed)
	}
	var watched []string
	for _, one := range m.Watched {
		watched = append(watched, one.Path)
	}
	slices.Sort(watched)
	return b.String() + strings.Join(watched, "\n")
}

// only returns the lines of one text that another has not.
func only(text, other string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !slices.Contains(strings.Split(other, "\n"), strings.TrimSuffix(line, "\n")) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// change makes a change as people, agents and git make it.
func (w *worktree) change(r *rand.Rand) string {
	w.Helper()
	folders := []string{".", "a", "a/b", "c", "c/d/e", "vendor/x", "ignored", "new" + fmt.Sprint(r.IntN(3))}
	names := []string{"one.go", "two.py", "three.md", "skip.tmp", "lf.txt"}
	name := filepath.ToSlash(filepath.Join(folders[r.IntN(len(folders))], names[r.IntN(len(names))]))
	full := filepath.Join(w.dir, filepath.FromSlash(name))
	act := r.IntN(16)
	text := fmt.Sprintf("text %d\n", r.IntN(1000))
	switch act {
	case 0, 1, 2, 3:
		if info, err := os.Lstat(filepath.Dir(full)); err == nil && !info.IsDir() {
			_ = os.Remove(filepath.Dir(full))
		}
		if info, err := os.Lstat(full); err == nil && info.Mode()&os.ModeSymlink != 0 {
			_ = os.Remove(full)
		}
		w.write(name, text)
	case 4:
		_ = os.Remove(full)
	case 5:
		if filepath.Dir(full) != w.dir {
			_ = os.RemoveAll(filepath.Dir(full))
		}
	case 6: // as editors save
		if _, err := os.Lstat(filepath.Dir(full)); err == nil {
			w.write(name+".new~", text)
			_ = os.Rename(full+".new~", full)
		}
	case 7:
		_ = os.Rename(filepath.Join(w.dir, "a"), filepath.Join(w.dir, "c", "moved"))
	case 8:
		w.write(".gitignore", []string{"*.tmp\nignored\n", "*.tmp\n", "a/b\n", "*.tmp\n*~\n"}[r.IntN(4)])
	case 9:
		w.git("add", "-A")
	case 10:
		w.git("add", "-A")
		w.git("commit", "-q", "--allow-empty", "-m", "more")
	case 11:
		_ = os.Remove(full)
		_ = os.Symlink("elsewhere", full)
	case 12:
		w.write("nested/.git/HEAD", "ref: refs/heads/main\n")
		w.write("nested/inner.go", text)
	case 13:
		_ = os.MkdirAll(filepath.Join(w.dir, "empty", fmt.Sprint(r.IntN(3))), 0o755)
	case 14:
		w.git("checkout", "-q", "--", ".")
	case 15:
		_ = os.Chmod(full, 0o600)
	}
	return fmt.Sprintf("%d %s", act, name)
}

// TestUpdate: whatever happens to a worktree, a manifest brought up to date says what one says that is made anew.
func TestUpdate(t *testing.T) {
	t.Parallel()
	for seed := range enginetest.SizeOf(2, 6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(seed), 1))
			w := newWorktree(t, map[string]string{
				".gitignore": "*.tmp\nignored\n", "one.go": "1", "a/two.py": "2", "a/b/three.md": "3", "c/d/e/one.go": "4", "vendor/x/one.go": "5",
				".gitattributes": "lf.txt text eol=crlf\n", "lf.txt": "a\r\nb\r\n",
			})
			m := w.update(nil)
			var done []string
			for range 40 {
				for range 1 + r.IntN(3) {
					done = append(done, w.change(r))
				}
				m = w.update(m)
				if got, want := describeManifest(m), describeManifest(w.read(shelf.Rules{}, nil)); got != want {
					t.Fatalf("after %s:\n%s\nwant\n%s", strings.Join(done, ", "), only(got, want), only(want, got))
				}
				if again := w.update(m); describeManifest(again) != describeManifest(m) {
					t.Fatalf("after %s the same worktree is\n%s\nand then\n%s", strings.Join(done, ", "), describeManifest(m), describeManifest(again))
				}
			}
		})
	}
}

// TestUpdate_same: without a change the manifest itself is returned, once it has settled.
func TestUpdate_same(t *testing.T) {
	t.Parallel()
	w := newWorktree(t, map[string]string{"a.go": "package a\n", "b/c.go": "package b\n"})
	m := w.settled(w.update(nil))
	assert.True(t, w.update(m) == m, "nothing has changed, but there is another manifest")
}
