package work

import (
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/run/runtest"
	"chant/engine/spec"
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
				if got := enginetest.Refusal(err); !strings.HasPrefix(got, tc.want) || r.Git("for-each-ref") != before {
					t.Errorf("%q, want %q", got, tc.want)
				}
				return
			}
			if err != nil || !result.Landed || result.Status != spec.Completed || r.Target("done.txt") != "yes\n" || result.Landing != r.Git("rev-parse", "main") {
				t.Errorf("%+v, %v", result, err)
			}
			if result.Changed == nil || result.Changed.Files != 1 || result.Worktree != "" || engine.Exists(r.Tree) {
				t.Errorf("changed %+v, worktree %q", result.Changed, result.Worktree)
			}
			if _, err := Merge(t.Context(), r.P, MergeInput{ID: runtest.ID}); !strings.Contains(enginetest.Refusal(err), "has landed already") {
				t.Errorf("a second time: %v", err)
			}
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
	if err != nil || !result.Landed || !engine.Exists(r.Tree) || result.Worktree != filepath.ToSlash(r.Tree) {
		t.Fatalf("%+v, %v", result, err)
	}
	for _, tc := range []struct{ dry, unasked, left bool }{{false, true, true}, {true, false, true}, {false, false, false}} {
		done, err := RemoveLeftovers(t.Context(), r.P, tc.dry, tc.unasked)
		if err != nil || engine.Exists(r.Tree) != tc.left {
			t.Errorf("%+v: %+v, %v, there: %t", tc, done, err, engine.Exists(r.Tree))
		}
		if names := len(done) > 0; names == tc.unasked {
			t.Errorf("%+v: lists %+v", tc, done)
		}
	}
}

// TestMerge_rebaseOrAgent: the two ways to update a branch exclude each other, and a script cannot resolve conflicts.
func TestMerge_rebaseOrAgent(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	completed().take(t, r)
	tip := r.Git("rev-parse", r.Job.Branch)
	for want, in := range map[string]MergeInput{
		"usage | chant merge " + runtest.ID + " --agent | a branch is either rebased":              {Rebase: true, Agent: true},
		"usage | chant merge " + runtest.ID + ` --agent --provider claude | provider "shell" runs`: {Agent: true},
		"not_found |": {Agent: true, Provider: "nobody"},
	} {
		in.ID = runtest.ID
		if _, err := Merge(t.Context(), r.P, in); !strings.HasPrefix(enginetest.Refusal(err), want) {
			t.Errorf("%+v: %q, want %q", in, enginetest.Refusal(err), want)
		}
	}
	if now := r.Git("rev-parse", r.Job.Branch); now != tip {
		t.Errorf("a refusal moved the branch to %s", now)
	}
}
