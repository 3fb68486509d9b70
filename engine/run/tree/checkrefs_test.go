package tree_test

import (
	"path/filepath"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/run/runtest"
	"chant/engine/run/tree"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestUntouched_movedByPeople: a commit in the reflog of a person's worktree explains why the target moved. One in the
// reflog of a worktree that chant has created does not, since agents and criteria commit there.
func TestUntouched_movedByPeople(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		tree   func(r *runtest.Run) string // in which the commit is made
		during bool                        // the worktree is created during the check
		kind   spec.ReasonCode
	}{
		"a person's worktree":  {tree: func(r *runtest.Run) string { return filepath.Join(filepath.Dir(r.Dir), "mine") }},
		"a spare worktree":     {tree: spareOf, kind: spec.ReasonRepository},
		"a new spare worktree": {tree: spareOf, during: true, kind: spec.ReasonRepository},
		"a run's worktree off its branch": {
			tree: func(r *runtest.Run) string { return r.Trees.Tree }, kind: spec.ReasonRepository,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := placed(t)
			dir := tc.tree(r)
			prepare := func() {
				if dir == r.Trees.Tree {
					enginetest.Git(t, dir, "checkout", "-q", "--detach")
				} else {
					r.Git("worktree", "add", "-q", "--detach", dir, "main")
				}
			}
			if !tc.during {
				prepare()
			}
			err := r.Places.InPlace(t.Context(), r.Job.Branch, true, func(at tree.Place) error {
				if tc.during {
					prepare()
				}
				enginetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
				enginetest.Git(t, dir, "update-ref", "refs/heads/main", "HEAD")
				return r.Places.CheckUntouched(t.Context(), at)
			})
			if tc.kind == "" {
				assert.NoError(t, err)
				return
			}
			r.Fails(err, tc.kind, `branch "main"`)
		})
	}
}

func spareOf(r *runtest.Run) string { return filepath.Join(r.Dir, ".chant", "worktrees", ".spare-9") }
