package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// What the binary reads must equal what is read in process.
func TestBatch_readsTheSame(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	byGit := s.foreign()
	t.Cleanup(byGit.objects.Close)
	for range 3 {
		here := must[[]Entry](t)(s.ReadDir(ctx, "trunk", "sub"))
		there := must[[]Entry](t)(byGit.ReadDir(ctx, "trunk", "sub"))
		assert.Equal(t, fmt.Sprint(there), fmt.Sprint(here))
		assert.Equal(t, "base\n", string(must[[]byte](t)(byGit.ReadFile(ctx, "trunk", "base.txt"))))
		_, err := byGit.ReadBlob(ctx, strings.Repeat("1", 40))
		assert.IsError(t, err, ErrNotFound)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, err := byGit.ReadFile(canceled, "trunk", "base.txt")
	assert.IsError(t, err, context.Canceled)
}

// foreign opens the repository as one whose objects go-git cannot read.
func (s *sandbox) foreign() *Repo {
	site := *s.site
	site.Format.Foreign = true
	return newRepo(&site)
}

func TestRefs_byGit(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.git("branch", "chant/a")
	s.git("branch", "chantier")
	want := fmt.Sprint(must[[]Ref](t)(s.Branches(ctx, "chant")), must[Head](t)(s.Head(ctx, s.top)))
	s.site.Format.Reftable = true
	assert.Equal(t, want, fmt.Sprint(must[[]Ref](t)(s.Branches(ctx, "chant")), must[Head](t)(s.Head(ctx, s.top))))
	_, err := s.refs.Read(ctx, "refs/heads/chan")
	assert.IsError(t, err, ErrNotFound)
	s.commit("a.txt", "a\n")
	assert.Equal(t, "", s.git("status", "--porcelain"))
	s.git("checkout", "-q", "--orphan", "new")
	head, err := s.Head(ctx, s.top)
	assert.IsError(t, err, ErrUnborn)
	assert.Equal(t, "new", head.Branch)
	s.git("checkout", "-qf", "--detach", "trunk")
	head = must[Head](t)(s.Head(ctx, s.top))
	assert.Equal(t, "", head.Branch)
	assert.Equal(t, s.git("rev-parse", "trunk"), head.Hash)
}

func TestCommitFiles_many(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.write(".gitattributes", "*.up filter=up\n*.id ident\n")
	s.git("config", "filter.up.clean", "tr a-z A-Z")
	s.git("config", "core.autocrlf", "input")
	s.git("add", "-A")
	s.git("commit", "-qm", "attributes")
	files := []File{file("x.up", "shout"), file("y.id", "$Id: x $\n"), file("z.txt", "a\r\nb\r\n"), {Path: "base.txt"}, file("empty", "")}
	for i := range 300 {
		files = append(files, file(fmt.Sprintf("many/%03d é.md", i), fmt.Sprint(i)))
	}
	for _, f := range files {
		if f.Content != nil {
			s.write(f.Path, string(f.Content))
		}
	}
	assert.NoError(t, os.Remove(filepath.Join(s.top, "base.txt")))
	_, _, err := s.CommitFiles(ctx, CommitOptions{Files: files, Message: "many"})
	assert.NoError(t, err)
	assert.Equal(t, "", s.git("status", "--porcelain")+s.git("fsck", "--strict"))
	assert.Equal(t, "SHOUT$Id$a\nb", s.git("show", "HEAD:x.up")+s.git("show", "HEAD:y.id")+s.git("show", "HEAD:z.txt"))
}

func TestGitError_dubiousOwnership(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	if os.Getuid() != 0 || os.Chown(s.top, 12345, 12345) != nil || os.Chown(filepath.Join(s.top, ".git"), 12345, 12345) != nil {
		t.Skip("needs the right to give files away")
	}
	_, statusErr := s.Status(t.Context(), s.top)
	_, _, commitErr := s.CommitFiles(t.Context(), CommitOptions{Files: []File{file("a", "a")}, Message: "m"})
	_, resolveErr := s.Resolve(t.Context(), "trunk~0")
	for i, err := range []error{statusErr, commitErr, resolveErr, s.FastForward(t.Context(), s.top, "trunk")} {
		var failed *GitError
		assert.True(t, errors.As(err, &failed), "%d: %v", i, err)
		assert.Contains(t, err.Error(), "dubious ownership", "%d", i)
	}
}

// A worktree that goes away under an open Repo takes nothing but itself.
func TestOpen_worktreeRemovedLater(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.git("branch", "side")
	path := filepath.Join(t.TempDir(), "w")
	assert.NoError(t, s.AddWorktree(ctx, path, "side"))
	r := opened(t, path)
	assert.NoError(t, r.RemoveWorktree(ctx, path))
	_, _, err := r.CommitFiles(ctx, CommitOptions{Dir: r.Home(), Branch: "side", Files: []File{file("a", "a")}, Message: "m"})
	assert.NoError(t, err)
	must[[]Worktree](t)(r.Worktrees(ctx))
	must[[]byte](t)(r.ReadFile(ctx, "side", "a"))
	_, err = r.Status(ctx, path)
	assert.IsError(t, err, ErrNotRepository)
}
