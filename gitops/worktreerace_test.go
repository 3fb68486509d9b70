package gitops

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/gofrs/flock"
)

func TestWorktree_concurrent(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	root := t.TempDir()
	var group sync.WaitGroup
	for i := range 8 {
		branch := fmt.Sprintf("chant/%d", i)
		s.git("branch", branch)
		group.Go(func() {
			path := filepath.Join(root, fmt.Sprint(i), "w") // one base name for all
			if err := s.AddWorktree(ctx, path, branch); err != nil {
				t.Error(err)
			} else if err := s.RemoveWorktree(ctx, path, true); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// Half a worktree looks like a broken one to a prune, be it of ours or of a person.
func TestWorktree_pruneMeanwhile(t *testing.T) {
	t.Parallel()
	for name, prune := range map[string]func(s *sandbox, r *Repo) error{
		"of ours": func(_ *sandbox, r *Repo) error { return r.PruneWorktrees(context.Background()) },
		"by hand": func(s *sandbox, _ *Repo) error { s.git("worktree", "prune"); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, root, stop := newSandbox(t), t.TempDir(), make(chan struct{})
			var adders, pruners sync.WaitGroup
			pruners.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						if err := prune(s, s.Repo); err != nil {
							t.Error(err)
						}
					}
				}
			})
			for worker := range 2 {
				r := must[*Repo](t)(Open(s.top)) // of its own, as another process would have
				adders.Go(func() {
					for i := range 15 {
						if err := r.AddDetached(context.Background(), filepath.Join(root, fmt.Sprint(worker, i)), "trunk"); err != nil {
							t.Error(err)
						}
					}
				})
			}
			adders.Wait()
			close(stop)
			pruners.Wait()
			if all := must[[]Worktree](t)(s.Worktrees(context.Background())); len(all) != 31 {
				t.Errorf("%d worktrees", len(all))
			}
		})
	}
}

func TestWorktree_turns(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	can := func(try func(*flock.Flock) (bool, error)) bool {
		lock := s.worktreeLock()
		defer lock.Unlock()
		return must[bool](t)(try(lock))
	}
	leave := s.adding(ctx)
	if !can((*flock.Flock).TryRLock) || can((*flock.Flock).TryLock) {
		t.Error("an add must keep out prunes and let in adds")
	}
	leave()
	leave = s.pruning(ctx)
	if can((*flock.Flock).TryRLock) || can((*flock.Flock).TryLock) {
		t.Error("a prune must be alone")
	}
	leave()
	if !can((*flock.Flock).TryLock) {
		t.Error("the turn was not given back")
	}
}

func TestContended(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]bool{
		"fatal: could not open '.git/worktrees/w/gitdir' for writing: No such file or directory": true,
		"fatal: could not open '.git/worktrees/w/locked' for writing: No such file or directory": true,
		"fatal: could not create directory of '.git/worktrees/w': No such file or directory":     true,
		"fatal: not a git repository: /r/.git/worktrees/w":                                       true,
		"fatal: update_ref failed for ref 'HEAD': couldn't set 'HEAD'":                           true,
		"fatal: Unable to create '/r/.git/index.lock': File exists.":                             true,
		"fatal: could not open 'x' for writing: No such file or directory":                       false,
		"fatal: '.chant/worktrees/x' already exists":                                             false,
	} {
		failed := &GitError{Args: []string{"worktree", "add"}, ExitCode: 128, Stderr: stderr}
		if got := contended(fmt.Errorf("wrapped: %w", failed)); got != want {
			t.Errorf("%q: %v", stderr, got)
		}
	}
	if contended(&GitError{Args: []string{"status"}, Stderr: "fatal: not a git repository: /r/.git/worktrees/w"}) {
		t.Error("a worktree that is gone does not come back")
	}
	if contended(nil) || contended(errors.New("could not lock config file")) {
		t.Error("an error that is not git's")
	}
}
