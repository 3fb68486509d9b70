package work

import (
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestMerge_withRun lands what is completed on its branch, once, and refuses every other stage with the next step.
func TestMerge_withRun(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		at   stage
		want string // of the refusal
	}{
		{agentDied(), "state | chant finalize " + runtest.ID},
		{failed(), "state | chant finalize " + runtest.ID},
		{completed(), ""},
		{landed(), "state | chant show " + runtest.ID + ` | spec "` + runtest.ID + `" has landed already`},
	} {
		t.Run(tc.at.name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			tc.at.take(t, r)
			before := r.Git("for-each-ref")
			result, err := Merge(t.Context(), r.P, MergeInput{ID: runtest.ID})
			if tc.want != "" {
				got := enginetest.Refusal(err)
				assert.HasPrefix(t, got, tc.want)
				assert.Equal(t, before, r.Git("for-each-ref"))
				return
			}
			assert.NoError(t, err)
			assert.True(t, result.Landed, "%+v, %v", result, err)
			assert.Equal(t, spec.Completed, result.Status)
			assert.Equal(t, "yes\n", r.Target("done.txt"))
			assert.Equal(t, r.Git("rev-parse", "main"), result.Landing)
			assert.NotZero(t, result.Changed)
			assert.Equal(t, 1, result.Changed.Files)
			assert.Equal(t, "", result.Worktree)
			assert.False(t, engine.Exists(r.Trees.Tree), "changed %+v, worktree %q", result.Changed, result.Worktree)
			_, err = Merge(t.Context(), r.P, MergeInput{ID: runtest.ID})
			assert.Contains(t, enginetest.Refusal(err), "has landed already", "a second time")
		})
	}
}

// TestMerge_keepsWorktree keeps worktree and branch if a person asks for it; then only a Cleanup that a person asks for
// removes them.
func TestMerge_keepsWorktree(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	completed().take(t, r)
	result, err := Merge(t.Context(), r.P, MergeInput{ID: runtest.ID, KeepWorktree: true})
	assert.NoError(t, err)
	assert.True(t, result.Landed, "%+v, %v", result, err)
	assert.True(t, engine.Exists(r.Trees.Tree), "%+v, %v", result, err)
	assert.Equal(t, filepath.ToSlash(r.Trees.Tree), result.Worktree)
	for _, tc := range []struct{ dry, unasked, left bool }{{false, true, true}, {true, false, true}, {false, false, false}} {
		done, err := RemoveLeftovers(t.Context(), r.P, tc.dry, tc.unasked)
		if err != nil || engine.Exists(r.Trees.Tree) != tc.left {
			t.Errorf("%+v: %+v, %v, there: %t", tc, done, err, engine.Exists(r.Trees.Tree))
		}
		assert.NotEqual(t, tc.unasked, len(done) > 0, "%+v: lists %+v", tc, done)
	}
}

// TestMerge_rebaseOrAgent: the two ways to update a branch exclude each other, and a script cannot resolve conflicts.
func TestMerge_rebaseOrAgent(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	completed().take(t, r)
	tip := r.Git("rev-parse", r.Job.Branch)
	for want, in := range map[string]MergeInput{
		"usage | chant merge " + runtest.ID + " --auto | a branch is either rebased":              {Rebase: true, Agent: true},
		"usage | chant merge " + runtest.ID + ` --auto --provider claude | provider "shell" runs`: {Agent: true},
		"not_found |": {Agent: true, Provider: "nobody"},
	} {
		in.ID = runtest.ID
		if _, err := Merge(t.Context(), r.P, in); !strings.HasPrefix(enginetest.Refusal(err), want) {
			t.Errorf("%+v: %q, want %q", in, enginetest.Refusal(err), want)
		}
	}
	assert.Equal(t, tip, r.Git("rev-parse", r.Job.Branch), "a refusal moved the branch")
}
