package gitops

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"chant/gitops/worktrees"
)

// TestRenewTree: what an agent has left in a worktree does not reach the next one that gets it.
func TestRenewTree(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, spoil := range map[string]func(s *sandbox, tree string){
		"nothing": func(*sandbox, string) {},
		"edited":  func(s *sandbox, tree string) { writeFile(s.t, filepath.Join(tree, "same.txt"), "evil\n") },
		"hidden":  func(s *sandbox, tree string) { hideChange(s, tree) },
		"assumed": func(s *sandbox, tree string) {
			gitIn(s.t, tree, "update-index", "--assume-unchanged", "same.txt")
			writeFile(s.t, filepath.Join(tree, "same.txt"), "evil\n")
		},
		"staged": func(s *sandbox, tree string) {
			writeFile(s.t, filepath.Join(tree, "x"), "x")
			gitIn(s.t, tree, "add", "-A")
		},
		"ignored":      func(s *sandbox, tree string) { writeFile(s.t, filepath.Join(tree, "deps/evil.js"), "evil") },
		"a repository": func(s *sandbox, tree string) { gitIn(s.t, tree, "init", "-q", "inner") },
		"removed":      func(s *sandbox, tree string) { remove(s, tree, "same.txt") },
		"a link": func(s *sandbox, tree string) {
			remove(s, tree, "same.txt")
			if err := os.Symlink(filepath.Join(s.top, "same.txt"), filepath.Join(tree, "same.txt")); err != nil {
				s.t.Skip(err)
			}
		},
		"another name": func(s *sandbox, tree string) {
			if err := os.Link(filepath.Join(tree, "same.txt"), filepath.Join(s.t.TempDir(), "outside")); err != nil {
				s.t.Skip(err)
			}
		},
		"modes": func(s *sandbox, tree string) {
			if err := errors.Join(os.Chmod(filepath.Join(tree, "same.txt"), 0o400), os.Chmod(filepath.Join(tree, "sub"), 0o500)); err != nil {
				s.t.Fatal(err)
			}
		},
		"other line ends": func(s *sandbox, tree string) { writeFile(s.t, filepath.Join(tree, "lines.sh"), "one\r\n") },
		"a keyword":       func(s *sandbox, tree string) { writeFile(s.t, filepath.Join(tree, "keyword"), "$Id: evil $\n") },
		"a folder that is a link": func(s *sandbox, tree string) {
			elsewhere := filepath.Join(s.t.TempDir(), "sub")
			writeFile(s.t, filepath.Join(elsewhere, "deep/file.txt"), "one\n")
			if err := errors.Join(os.RemoveAll(filepath.Join(tree, "sub")), os.Symlink(elsewhere, filepath.Join(tree, "sub"))); err != nil {
				s.t.Skip(err)
			}
		},
		"a repository in a tracked folder": func(s *sandbox, tree string) {
			gitIn(s.t, s.t.TempDir(), "init", "-q", "--separate-git-dir", s.t.TempDir()+"/git", filepath.Join(tree, "sub"))
		},
		"not executable": func(s *sandbox, tree string) {
			s.git("config", "core.fileMode", "false")
			if err := os.Chmod(filepath.Join(tree, "run.sh"), 0o644); err != nil {
				s.t.Fatal(err)
			}
			if err := s.SwitchTree(ctx, tree, "trunk~1"); err != nil { // writes the mark
				s.t.Fatal(err)
			}
		},
		"writable for all": func(s *sandbox, tree string) {
			if err := os.Chmod(filepath.Join(tree, "same.txt"), 0o666); err != nil {
				s.t.Fatal(err)
			}
		},
		"times": func(s *sandbox, tree string) {
			if err := os.Chtimes(filepath.Join(tree, "same.txt"), time.Time{}, time.Now().Add(time.Hour)); err != nil {
				s.t.Fatal(err)
			}
		},
		"in the place of a submodule": func(s *sandbox, tree string) {
			writeFile(s.t, filepath.Join(tree, "module/evil.js"), "evil")
			s.git("update-index", "--add", "--cacheinfo", "160000,"+s.git("rev-parse", "trunk")+",module")
			s.git("commit", "-qm", "with a submodule")
		},
		"files of git": func(s *sandbox, tree string) {
			dir := must[string](s.t)(s.GitDir(tree))
			writeFile(s.t, filepath.Join(dir, "evil"), "evil")
			gitIn(s.t, tree, "update-ref", "refs/worktree/evil", "HEAD")
		},
		"no index": func(s *sandbox, tree string) {
			if err := os.Remove(filepath.Join(must[string](s.t)(s.GitDir(tree)), "index")); err != nil {
				s.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.write(".gitignore", "deps/\n")
			s.write("same.txt", "same\n")
			s.write(".gitattributes", "*.sh text\nkeyword ident\n")
			s.write("lines.sh", "one\n")
			s.write("keyword", "$Id$\n")
			s.write("run.sh", "true\n")
			if err := os.Chmod(filepath.Join(s.top, "run.sh"), 0o755); err != nil {
				t.Fatal(err)
			}
			s.git("add", "-A")
			s.git("commit", "-qm", "one")
			tree := filepath.Join(t.TempDir(), "tree")
			s.git("worktree", "add", "-q", "--detach", tree)
			s.write("new.txt", "new\n")
			s.git("add", "-A")
			s.git("commit", "-qm", "two")
			if err := s.SwitchTree(ctx, tree, "trunk~1"); err != nil {
				t.Fatal(err)
			}
			spoil(s, tree)
			if err := s.RenewTree(ctx, tree, "trunk"); err != nil {
				t.Fatal(err)
			}
			for path, want := range map[string]string{"same.txt": "same\n", "new.txt": "new\n", "sub/deep/file.txt": "one\n", "deps/evil.js": "", "x": "", "inner/.git/HEAD": "",
				"lines.sh": "one\n", "keyword": "$Id: " + s.git("rev-parse", "trunk:keyword") + " $\n", "sub/.git": "", "module/evil.js": ""} {
				got, err := os.ReadFile(filepath.Join(tree, path))
				if string(got) != want || want == "" && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: %q, %v; want %q", path, got, err, want)
				}
			}
			info, err := os.Lstat(filepath.Join(tree, "same.txt"))
			if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o600 != 0o600 {
				t.Errorf("%v, %v", info, err)
			}
			fresh := filepath.Join(t.TempDir(), "fresh")
			s.git("worktree", "add", "-q", "--detach", fresh, "trunk")
			for _, path := range []string{"same.txt", "run.sh"} {
				want, wantErr := os.Stat(filepath.Join(fresh, path))
				got, err := os.Stat(filepath.Join(tree, path))
				if err := errors.Join(err, wantErr); err != nil {
					t.Fatal(err)
				}
				if got.Mode() != want.Mode() || got.ModTime().After(want.ModTime()) {
					t.Errorf("%s: %s of %s, want %s", path, got.Mode(), got.ModTime(), want.Mode())
				}
			}
			dir := must[string](t)(s.GitDir(tree))
			if _, err := os.Lstat(filepath.Join(dir, "evil")); err == nil || gitIn(t, tree, "for-each-ref", "refs/worktree") != "" {
				t.Error("something was left in the folder of git")
			}
			if got := gitIn(t, tree, "status", "--porcelain", "--ignored") + gitIn(t, tree, "ls-files", "-v", "same.txt"); got != "H same.txt" {
				t.Errorf("git shows %q", got)
			}
		})
	}
	s := newSandbox(t)
	if err := s.RenewTree(ctx, s.Home(), "trunk"); err == nil {
		t.Error("the main worktree was renewed")
	}
	tree, other := filepath.Join(t.TempDir(), "tree"), filepath.Join(t.TempDir(), "other")
	for _, path := range []string{tree, other} {
		s.git("worktree", "add", "-q", "--detach", path)
		if err := s.SwitchTree(ctx, path, "trunk"); err != nil {
			t.Fatal(err)
		}
	}
	link := must[[]byte](t)(os.ReadFile(filepath.Join(tree, ".git")))
	writeFile(t, filepath.Join(tree, ".git"), "gitdir: "+must[string](t)(s.GitDir(other))+"\n")
	if err := s.RenewTree(ctx, tree, "trunk"); !errors.Is(err, ErrNotRepository) {
		t.Errorf("with the git folder of another worktree: %v", err)
	}
	writeFile(t, filepath.Join(tree, ".git"), string(link))
	s.git("config", "core.eol", "crlf")
	if err := s.RenewTree(ctx, tree, "trunk"); !errors.Is(err, worktrees.ErrOtherCheckout) {
		t.Errorf("with other settings: %v", err)
	}
}

// hideChange changes a file so that the index takes it for unchanged: the times of the new content with the name of the
// old one.
func hideChange(s *sandbox, tree string) {
	s.t.Helper()
	if runtime.GOOS == "windows" {
		s.t.Skip("the index is another")
	}
	good := gitIn(s.t, tree, "rev-parse", ":same.txt")
	writeFile(s.t, filepath.Join(tree, "same.txt"), "evil\n")
	gitIn(s.t, tree, "add", "same.txt")
	evil := gitIn(s.t, tree, "rev-parse", ":same.txt")
	path := filepath.Join(must[string](s.t)(s.GitDir(tree)), "index")
	text, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	old, _ := hex.DecodeString(evil)
	name, _ := hex.DecodeString(good)
	text = bytes.Replace(text[:len(text)-sha1.Size], old, name, 1)
	if i := bytes.Index(text, []byte("TREE")); i > 0 {
		text = text[:i] // the cached trees, which git can do without
	}
	sum := sha1.Sum(text)
	if err := os.WriteFile(path, append(text, sum[:]...), 0o644); err != nil {
		s.t.Fatal(err)
	}
	gitIn(s.t, tree, "fsck")
}
