package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// Half a worktree looks like a broken one to a prune of a person, and the end of another one takes the folder around it.
func TestWorktree_pruneMeanwhile(t *testing.T) {
	t.Parallel()
	for name, prune := range map[string]func(s *sandbox, r *Repo) error{
		"another ends": func(s *sandbox, r *Repo) error {
			path := filepath.Join(s.top, "other")
			err := r.AddDetached(context.Background(), path, "trunk")
			return errors.Join(err, os.RemoveAll(path), r.ForgetWorktree(path))
		},
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
				r := opened(t, s.top) // of its own, as another process would have
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
			assert.Equal(t, 31, len(must[[]Worktree](t)(s.Worktrees(context.Background()))))
		})
	}
}
