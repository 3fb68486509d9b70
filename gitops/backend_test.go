package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		if fmt.Sprint(here) != fmt.Sprint(there) {
			t.Errorf("%+v, %+v", here, there)
		}
		if got := must[[]byte](t)(byGit.ReadFile(ctx, "trunk", "base.txt")); string(got) != "base\n" {
			t.Errorf("%q", got)
		}
		if _, err := byGit.ReadBlob(ctx, strings.Repeat("1", 40)); !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := byGit.ReadFile(canceled, "trunk", "base.txt"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
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
	if got := fmt.Sprint(must[[]Ref](t)(s.Branches(ctx, "chant")), must[Head](t)(s.Head(ctx, s.top))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, err := s.refs.Read(ctx, "refs/heads/chan"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	s.commit("a.txt", "a\n")
	if got := s.git("status", "--porcelain"); got != "" {
		t.Error(got)
	}
	s.git("checkout", "-q", "--orphan", "new")
	if head, err := s.Head(ctx, s.top); !errors.Is(err, ErrUnborn) || head.Branch != "new" {
		t.Error(head, err)
	}
	s.git("checkout", "-qf", "--detach", "trunk")
	if head := must[Head](t)(s.Head(ctx, s.top)); head.Branch != "" || head.Hash != s.git("rev-parse", "trunk") {
		t.Error(head)
	}
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
	if err := os.Remove(filepath.Join(s.top, "base.txt")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.CommitFiles(ctx, CommitOptions{Files: files, Message: "many"}); err != nil {
		t.Fatal(err)
	}
	if got := s.git("status", "--porcelain") + s.git("fsck", "--strict"); got != "" {
		t.Fatal(got)
	}
	if got := s.git("show", "HEAD:x.up") + s.git("show", "HEAD:y.id") + s.git("show", "HEAD:z.txt"); got != "SHOUT$Id$a\nb" {
		t.Fatalf("%q", got)
	}
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
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), "dubious ownership") {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// A worktree that goes away under an open Repo takes nothing but itself.
func TestOpen_worktreeRemovedLater(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.git("branch", "side")
	path := filepath.Join(t.TempDir(), "w")
	if err := s.AddWorktree(ctx, path, "side"); err != nil {
		t.Fatal(err)
	}
	r := must[*Repo](t)(Open(path))
	if err := r.RemoveWorktree(ctx, path); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.CommitFiles(ctx, CommitOptions{Dir: r.Home(), Branch: "side", Files: []File{file("a", "a")}, Message: "m"}); err != nil {
		t.Error(err)
	}
	must[[]Worktree](t)(r.Worktrees(ctx))
	must[[]byte](t)(r.ReadFile(ctx, "side", "a"))
	if _, err := r.Status(ctx, path); !errors.Is(err, ErrNotRepository) {
		t.Error(err)
	}
}
