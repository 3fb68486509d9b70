package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestCommitFiles_leavesAllElse(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("base.txt", "base\nstaged\n")
	s.git("add", "base.txt")
	s.write("base.txt", "base\nstaged\nunstaged\n")
	s.write("sub/deep/file.txt", "edited\n")
	s.write("untracked é.txt", "mine\n")
	state := func() string {
		return s.git("status", "--porcelain=v2", "-z", "--untracked-files=all") + s.git("diff") + s.git("diff", "--cached") + s.git("ls-files", "-s", "base.txt")
	}
	before := state()
	hash := s.commit("spec dir/é spec.md", "# spec\n")
	if after := state(); after != before {
		t.Fatalf("before\n%s\nafter\n%s", before, after)
	}
	if s.git("rev-parse", "HEAD") != hash || s.git("show", "--format=", "--name-only", "-z", "HEAD") != "spec dir/é spec.md\x00" {
		t.Fatal("the commit holds something else")
	}
	if got := s.git("diff-files"); strings.Contains(got, "spec.md") {
		t.Fatalf("the entry's times were not noted: %q", got)
	}
	if got := s.git("fsck", "--strict"); got != "" {
		t.Fatal(got)
	}
}

func TestCommitFiles_shapes(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		files []File
		want  string // paths of the tree
	}{
		"add":                    {[]File{file("x/y/z", "z")}, "base.txt sub/deep/file.txt x/y/z"},
		"remove empties folders": {[]File{{Path: "sub/deep/file.txt"}}, "base.txt"},
		"remove missing":         {[]File{{Path: "no/such"}, file("a", "")}, "a base.txt sub/deep/file.txt"},
		"remove below a file":    {[]File{{Path: "base.txt/none"}, file("a", "")}, "a base.txt sub/deep/file.txt"},
		"file for folder":        {[]File{file("sub", "now a file")}, "base.txt sub"},
		"folder for file":        {[]File{file("base.txt/in", "in")}, "base.txt/in sub/deep/file.txt"},
		"removal keeps a folder": {[]File{{Path: "sub"}, file("a", "a")}, "a base.txt sub/deep/file.txt"},
		"sorted like git":        {[]File{file("sub.x", "1"), file("sub-x", "2")}, "base.txt sub-x sub.x sub/deep/file.txt"},
		"several in one folder":  {[]File{file("d/1", "1"), file("d/2", "2")}, "base.txt d/1 d/2 sub/deep/file.txt"},
		"executable":             {[]File{{Path: "run", Content: []byte("#!"), Executable: true}}, "base.txt run sub/deep/file.txt"},
		"remove and add":         {[]File{{Path: "base.txt"}, file("sub/deep/b", "b")}, "sub/deep/b sub/deep/file.txt"},
	} {
		s := newSandbox(t)
		here := must[string](t)(s.WriteTree(ctx, "HEAD", c.files))
		if got := strings.ReplaceAll(s.git("ls-tree", "-r", "--name-only", here), "\n", " "); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
		edits, err := s.objects.WriteFiles(ctx, s.top, c.files)
		if err != nil {
			t.Fatal(err)
		}
		if byIndex, err := s.foreign().objects.Graft(ctx, s.git("rev-parse", "HEAD^{tree}"), edits); err != nil || byIndex != here {
			t.Errorf("%s: by index %q, in process %q, %v", name, byIndex, here, err)
		}
	}
}

func TestCommitFiles_unchanged(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	tip := s.git("rev-parse", "HEAD")
	o := CommitOptions{Files: []File{file("base.txt", "base\n")}, Message: "nothing"}
	if hash, changed, err := s.CommitFiles(ctx, o); hash != tip || changed || err != nil {
		t.Fatalf("%q, %v, %v", hash, changed, err)
	}
}

func TestCommitFiles_refused(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	ok := []File{file("a", "a")}
	for name, c := range map[string]struct {
		o    CommitOptions
		want error
	}{
		"missing branch": {CommitOptions{Files: ok, Branch: "none"}, ErrNotFound},
		"other folder":   {CommitOptions{Files: ok, Dir: t.TempDir()}, ErrNotRepository},
		"below the top":  {CommitOptions{Files: ok, Dir: filepath.Join(s.top, "sub")}, ErrNotRepository},
	} {
		if _, _, err := s.CommitFiles(ctx, c.o); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, path := range []string{"", ".", "/abs", "../out", "a/../b", ".git/config", "sub/.GIT/x", "a//b", "nul\x00"} {
		if _, _, err := s.CommitFiles(ctx, CommitOptions{Files: []File{file(path, "x")}}); err == nil {
			t.Errorf("path %q was taken", path)
		}
	}
}

func TestCommitFiles_elsewhere(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	linked := filepath.Join(t.TempDir(), "linked")
	s.git("worktree", "add", "-q", "-b", "side", linked)
	s.git("branch", "nowhere")
	detached := filepath.Join(t.TempDir(), "detached")
	s.git("worktree", "add", "-q", "--detach", detached)
	for name, o := range map[string]CommitOptions{
		"branch of another worktree": {Branch: "side"},
		"branch checked out nowhere": {Branch: "nowhere"},
		"detached head":              {Dir: detached},
	} {
		o.Files, o.Message = []File{file("base.txt", "base\n"), file("gone.txt", "x\n"), {Path: "sub/deep/file.txt"}}, "elsewhere"
		for _, dir := range []string{linked, detached} {
			writeFile(t, filepath.Join(dir, "gone.txt"), "x\n")
			if err := os.RemoveAll(filepath.Join(dir, "sub")); err != nil {
				t.Fatal(err)
			}
		}
		if _, changed, err := s.CommitFiles(ctx, o); err != nil || !changed {
			t.Errorf("%s: %v, %v", name, changed, err)
		}
	}
	for _, dir := range []string{s.top, linked, detached} {
		if got := gitIn(t, dir, "status", "--porcelain"); got != "" {
			t.Errorf("%s: %q", dir, got)
		}
	}
}

func TestCommitFiles_concurrent(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			r, err := Open(s.top) // of its own, as another process would have
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 10 {
				f := []File{file(fmt.Sprintf("w%d/%d", worker, i), "x"), file("shared", fmt.Sprint(worker, i))}
				if _, _, err := r.CommitFiles(context.Background(), CommitOptions{Files: f, Message: "m"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if got := s.git("rev-list", "--count", "HEAD"); got != "81" {
		t.Errorf("%s commits", got)
	}
	if got := s.git("diff", "--cached", "--name-status"); got != "" {
		t.Errorf("the index lags behind: %q", got)
	}
}

func TestCommitFiles_againstGit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	// Others move the branch without knowing of our queue.
	var group sync.WaitGroup
	group.Go(func() {
		for range 10 {
			tip := s.git("rev-parse", "HEAD")
			hash := s.git("commit-tree", "-p", tip, "-m", "other", tip+"^{tree}")
			_ = s.UpdateRef(context.Background(), "refs/heads/trunk", hash, tip, "other")
		}
	})
	for i := range 10 {
		s.commit(fmt.Sprint("f", i), "x")
	}
	group.Wait()
	for i := range 10 {
		s.git("cat-file", "-e", fmt.Sprint("HEAD:f", i))
	}
}
