package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestWorktrees_likeGit compares what the files say with what git lists.
func TestWorktrees_likeGit(t *testing.T) {
	t.Parallel()
	admin := func(s *sandbox, name, file, content string) {
		s.write(filepath.Join(".git", "worktrees", name, file), content)
	}
	for name, c := range map[string]struct {
		prepare func(s *sandbox)
		asks    bool // the files do not say it
	}{
		"none":       {prepare: func(*sandbox) {}},
		"some":       {prepare: func(s *sandbox) { s.linked("b"); s.linked("a b é"); s.linked("a") }},
		"detached":   {prepare: func(s *sandbox) { s.linked("a"); s.git("checkout", "-q", "--detach") }},
		"locked":     {prepare: func(s *sandbox) { s.git("worktree", "lock", s.linked("a")); s.removeLinked("a") }},
		"gone":       {prepare: func(s *sandbox) { s.linked("a"); s.removeLinked("a") }},
		"half gone":  {prepare: func(s *sandbox) { s.linked("a"); s.remove("../linked/a/.git") }},
		"unborn":     {prepare: func(s *sandbox) { s.git("-C", s.linked("a"), "checkout", "-q", "--orphan", "new") }},
		"packed":     {prepare: func(s *sandbox) { s.linked("a"); s.git("pack-refs", "--all") }},
		"no gitdir":  {prepare: func(s *sandbox) { s.linked("a"); s.remove(".git/worktrees/a/gitdir") }},
		"empty link": {prepare: func(s *sandbox) { s.linked("a"); admin(s, "a", "gitdir", "\n") }},
		"no head":    {prepare: func(s *sandbox) { s.linked("a"); s.remove(".git/worktrees/a/HEAD") }, asks: true},
		"broken":     {prepare: func(s *sandbox) { s.linked("a"); admin(s, "a", "HEAD", "nothing\n") }, asks: true},
		"alias": {prepare: func(s *sandbox) {
			s.git("symbolic-ref", "refs/heads/alias", "refs/heads/trunk")
			s.git("symbolic-ref", "HEAD", "refs/heads/alias")
		}, asks: true},
		"branch moved by hand": {prepare: func(s *sandbox) { s.linked("a"); s.git("branch", "-m", "a", "deep/er") }},
		"rebase": {prepare: func(s *sandbox) {
			dir := s.linked("a")
			s.git("-C", dir, "commit", "-q", "--allow-empty", "-m", "a")
			s.git("-C", dir, "-c", "sequence.editor=sed -i s/^pick/edit/", "rebase", "-q", "-i", "--force-rebase", "trunk")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.git("config", "advice.detachedHead", "false")
			c.prepare(s)
			all, err := s.trees.FromFiles()
			assert.Equal(t, c.asks, errors.Is(err, ErrAskGit))
			assert.False(t, err != nil && !c.asks, "%v", err)
			want := must[[]Worktree](t)(s.trees.ByGit(context.Background()))
			if c.asks {
				all = must[[]Worktree](t)(s.Worktrees(context.Background()))
				all[0].Main = false
			}
			assert.Equal(t, want, all)
		})
	}
}

// linked adds a worktree beside the sandbox, on a branch of the same name.
func (s *sandbox) linked(name string) string {
	s.t.Helper()
	path := filepath.Join(s.top, "..", "linked", name)
	branch := strings.ReplaceAll(name, " ", "-")
	s.git("worktree", "add", "-q", "-b", branch, path)
	return path
}

func (s *sandbox) removeLinked(name string) {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.top, "..", "linked", name)); err != nil {
		s.t.Fatal(err)
	}
}

// TestWorktrees_bareLikeGit compares them for a bare repository.
func TestWorktrees_bareLikeGit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	bare, tree := filepath.Join(s.top, "..", "bare.git"), filepath.Join(s.top, "..", "tree")
	s.git("clone", "-q", "--bare", s.top, bare)
	s.git("-C", bare, "worktree", "add", "-q", tree, "trunk")
	repo := opened(t, tree)
	all := must[[]Worktree](t)(repo.trees.FromFiles())
	want := must[[]Worktree](t)(repo.trees.ByGit(context.Background()))
	assert.Equal(t, 2, len(all))
	assert.True(t, all[0].Bare, "%+v\ngit: %+v", all, want)
	assert.True(t, want[0].Bare, "%+v\ngit: %+v", all, want)
	assert.Equal(t, want[1:], all[1:])
}
