package gitops

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestNear_asGit: how commits of a small random history are related, and what lies between them, is what git answers,
// also in a shallow clone, with grafts, and far apart.
func TestNear_asGit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		commits, branches int // of the history
		alter             func(*sandbox, []string)
	}{
		"one line":    {commits: 12, branches: 1},
		"with merges": {commits: 30, branches: 3},
		"long":        {commits: 60, branches: 1},
		"grafted": {commits: 12, branches: 2, alter: func(s *sandbox, all []string) {
			s.write(".git/info/grafts", all[len(all)-1]+" "+all[0]+"\n")
		}},
		"shallow": {commits: 12, branches: 1, alter: func(s *sandbox, all []string) {
			s.write(".git/shallow", all[6]+"\n")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			rng := rand.New(rand.NewPCG(uint64(len(name)), 1))
			all := randomHistory(s, rng, tc.commits, tc.branches)
			if tc.alter != nil {
				tc.alter(s, all)
			}
			for range 15 {
				wantRelated(s, all[rng.IntN(len(all))], all[rng.IntN(len(all))])
			}
			wantRelated(s, all[0], all[len(all)-1])
		})
	}
}

// randomHistory commits onto random earlier commits, the latest of as many branches, and merges some of them.
func randomHistory(s *sandbox, rng *rand.Rand, commits, branches int) []string {
	s.t.Helper()
	tree := s.git("write-tree")
	messages := []string{"plain\n", "no newline", "two lines at its end\n\n", "subject\n\nbody\n\nKey: value\n", "\n\nbegins late\n"}
	var all, tips []string
	for i := range commits {
		args := []string{"commit-tree", tree, "-m", fmt.Sprintf("%d %s", i, messages[rng.IntN(len(messages))])}
		at := rng.IntN(branches)
		if len(tips) > 0 {
			at = min(at, len(tips))
			args = append(args, "-p", tips[min(at, len(tips)-1)])
		}
		if len(tips) > 1 && rng.IntN(4) == 0 {
			args = append(args, "-p", tips[(at+1)%len(tips)])
		}
		hash := s.git(args...)
		all = append(all, hash)
		if at < len(tips) {
			tips[at] = hash
		} else {
			tips = append(tips, hash)
		}
	}
	return all
}

// wantRelated compares the three questions about two commits with git's answers.
func wantRelated(s *sandbox, a, b string) {
	s.t.Helper()
	ctx := context.Background()
	ask := func(args ...string) (string, bool) {
		cmd := exec.Command("git", args...)
		cmd.Dir = s.top
		out, err := cmd.Output()
		if err != nil && cmd.ProcessState.ExitCode() != 1 {
			s.t.Fatal(err)
		}
		return strings.TrimSpace(string(out)), err == nil
	}
	_, want := ask("merge-base", "--is-ancestor", a, b)
	if got, err := s.IsAncestor(ctx, a, b); err != nil || got != want {
		s.t.Errorf("IsAncestor(%.7s, %.7s) = %t (%v), want %t", a, b, got, err, want)
	}
	bases, found := ask("merge-base", "--all", a, b)
	got, err := s.MergeBase(ctx, a, b)
	if !found && !errors.Is(err, ErrNotFound) || found && !slices.Contains(strings.Fields(bases), got) {
		s.t.Errorf("MergeBase(%.7s, %.7s) = %.7s (%v), want %q", a, b, got, err, bases)
	}
	between, err := s.Log(ctx, a, b)
	if err != nil {
		s.t.Fatal(err)
	}
	printed, err := s.Log(ctx, "", b)
	if err != nil {
		s.t.Fatal(err)
	}
	hashes, _ := ask("rev-list", b, "^"+a)
	var listed []string
	for _, c := range between {
		listed = append(listed, c.Hash)
		i := slices.IndexFunc(printed, func(o Commit) bool { return o.Hash == c.Hash })
		if i < 0 || !reflect.DeepEqual(printed[i], c) {
			s.t.Errorf("%.7s is read as %+v, git prints %+v", c.Hash, c, printed)
		}
	}
	if strings.Join(listed, "\n") != hashes {
		s.t.Errorf("Log(%.7s, %.7s) = %q, want %q", a, b, listed, hashes)
	}
}

// TestNear_replaced: a commit that has other content than its name says is not believed, and not remembered.
func TestNear_replaced(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	first := s.git("rev-parse", "HEAD")
	second := must[string](t)(s.CommitOn(t.Context(), first, []File{file("a", "2")}, "second"))
	third := must[string](t)(s.CommitOn(t.Context(), second, []File{file("a", "3")}, "third"))
	stranger := s.git("commit-tree", "-m", "stranger", first+"^{tree}")
	path := func(hash string) string { return filepath.Join(s.top, ".git", "objects", hash[:2], hash[2:]) }
	kept := must[[]byte](t)(os.ReadFile(path(second)))
	false2 := must[[]byte](t)(os.ReadFile(path(s.git("commit-tree", "-p", stranger, "-m", "other", first+"^{tree}"))))
	for _, text := range [][]byte{false2, kept} {
		assert.NoError(t, errors.Join(os.Remove(path(second)), os.WriteFile(path(second), text, 0o600)))
		repo := opened(t, s.top)
		got, want := repo.IsAhead(t.Context(), first, third), string(text) == string(kept)
		assert.Equal(t, want, got)
		assert.False(t, repo.IsAhead(t.Context(), stranger, third), "ahead: %v, want %v", got, want)
	}
}
