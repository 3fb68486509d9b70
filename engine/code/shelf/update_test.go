package shelf_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine/code/shelf"
	"chant/gitops"
)

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

// told is all that a manifest says except for stamps, which differ while files are new.
func told(m *shelf.Manifest) string {
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
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
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
				if got, want := told(m), told(w.read(shelf.Rules{}, nil)); got != want {
					t.Fatalf("after %s:\n%s\nwant\n%s", strings.Join(done, ", "), only(got, want), only(want, got))
				}
				if again := w.update(m); told(again) != told(m) {
					t.Fatalf("after %s the same worktree is\n%s\nand then\n%s", strings.Join(done, ", "), told(m), told(again))
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
	if w.update(m) != m {
		t.Error("nothing has changed, but there is another manifest")
	}
}
