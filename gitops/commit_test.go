package gitops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
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
	assert.Equal(t, before, state())
	assert.Equal(t, hash, s.git("rev-parse", "HEAD"), "the commit holds something else")
	assert.Equal(t, "spec dir/é spec.md\x00", s.git("show", "--format=", "--name-only", "-z", "HEAD"), "the commit holds something else")
	assert.NotContains(t, s.git("diff-files"), "spec.md", "the entry's times were not noted")
	assert.Equal(t, "", s.git("fsck", "--strict"))
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
		assert.Equal(t, c.want, strings.ReplaceAll(s.git("ls-tree", "-r", "--name-only", here), "\n", " "), "%s", name)
		edits, err := s.objects.WriteFiles(ctx, s.top, c.files)
		assert.NoError(t, err)
		byIndex, err := s.foreign().objects.Graft(ctx, s.git("rev-parse", "HEAD^{tree}"), edits)
		assert.NoError(t, err, "%s: by index", name)
		assert.Equal(t, here, byIndex, "%s: by index", name)
	}
}

func TestCommitFiles_unchanged(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	tip := s.git("rev-parse", "HEAD")
	o := CommitOptions{Files: []File{file("base.txt", "base\n")}, Message: "nothing"}
	hash, changed, err := s.CommitFiles(ctx, o)
	assert.Equal(t, tip, hash)
	assert.False(t, changed, "%q, %v, %v", hash, changed, err)
	assert.NoError(t, err)
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
		_, _, err := s.CommitFiles(ctx, c.o)
		assert.IsError(t, err, c.want, "%s", name)
	}
	for _, path := range []string{"", ".", "/abs", "../out", "a/../b", ".git/config", "sub/.GIT/x", "a//b", "nul\x00"} {
		_, _, err := s.CommitFiles(ctx, CommitOptions{Files: []File{file(path, "x")}})
		assert.Error(t, err, "path %q was taken", path)
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
			assert.NoError(t, os.RemoveAll(filepath.Join(dir, "sub")))
		}
		_, changed, err := s.CommitFiles(ctx, o)
		assert.NoError(t, err, "%s", name)
		assert.True(t, changed, "%s: %v, %v", name, changed, err)
	}
	for _, dir := range []string{s.top, linked, detached} {
		assert.Equal(t, "", gitIn(t, dir, "status", "--porcelain"), "%s", dir)
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
	assert.Equal(t, "81", s.git("rev-list", "--count", "HEAD"))
	assert.Equal(t, "", s.git("diff", "--cached", "--name-status"), "the index lags behind")
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
