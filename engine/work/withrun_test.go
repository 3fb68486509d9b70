package work

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// stage is how far the run of a test has come when its process dies.
type stage struct {
	name string
	take func(t *testing.T, r *runtest.Run)
}

func began() stage { return stage{"began", func(*testing.T, *runtest.Run) {}} }

// agentDied is a run whose process dies while its agent works; the agent has left a file that is not committed.
func agentDied() stage {
	return stage{"agent died", func(t *testing.T, r *runtest.Run) {
		for _, rec := range []journal.Record{{Step: journal.Open, State: journal.Note}, {Step: journal.Agent, State: journal.Begin}} {
			rec.Attempt = 1
			_, err := r.P.Store.Append(runtest.ID, rec)
			assert.NoError(t, err)
		}
		r.Leave(map[string]string{"half.txt": "half of it\n"})
	}}
}

func failed() stage {
	return stage{"failed", func(t *testing.T, r *runtest.Run) {
		r.Agent(map[string]string{"other.txt": "not what was asked for\n"})
		r.Fails(r.To(journal.Clean), spec.ReasonUnverified)
	}}
}

func completed() stage {
	return stage{"completed", func(_ *testing.T, r *runtest.Run) {
		r.Agent(map[string]string{"done.txt": "yes\n"})
		r.Completed()
	}}
}

func landed() stage {
	return stage{"landed", func(t *testing.T, r *runtest.Run) {
		r.Agent(map[string]string{"done.txt": "yes\n"})
		r.Completed()
		assert.NoError(t, r.Lands())
	}}
}

// rescued returns the refs that keep the work of dropped runs.
func rescued(r *runtest.Run) string { return r.Git("for-each-ref", "refs/chant/rescue/") }

// TestDrop_withRun resets and cancels runs of every stage: branch and worktree are removed, a ref keeps the work of the
// agent, and home's file gets the new status. A run that has landed is refused.
func TestDrop_withRun(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		at     stage
		made   string // a file of the agent that a ref has to keep
		refuse bool
	}{
		{began(), "", false},
		{agentDied(), "half.txt", false},
		{failed(), "other.txt", false},
		{completed(), "done.txt", false},
		{landed(), "", true},
	} {
		for _, ev := range []spec.Event{spec.Reset, spec.Cancel} {
			if ev == spec.Cancel && tc.made != "half.txt" {
				continue // both events share the code
			}
			t.Run(tc.at.name+"/"+string(ev), func(t *testing.T) {
				t.Parallel()
				r := runtest.Start(t, runtest.Plain)
				tc.at.take(t, r)
				main := r.Git("rev-parse", "main")
				result, err := dropRun(t.Context(), r.P, runtest.ID, ev)
				if tc.refuse {
					assert.Equal(t, engine.State, enginetest.CodeOf(t, err))
					assert.Equal(t, main, r.Git("rev-parse", "main"))
					assert.Equal(t, spec.Completed, r.Status())
					return
				}
				want, err2 := spec.Next(spec.InProgress, ev)
				assert.NoError(t, err)
				assert.NoError(t, err2)
				assert.Equal(t, want, result.Status)
				assert.Equal(t, want, r.Status())
				if left := r.Git("branch", "--list", r.Job.Branch); left != "" || engine.Exists(r.Trees.Tree) {
					t.Errorf("branch %q, tree there: %t", left, engine.Exists(r.Trees.Tree))
				}
				refs := rescued(r)
				assert.Equal(t, tc.made != "", refs != "", "rescued %q", result.Rescued)
				assert.Equal(t, tc.made != "", len(result.Rescued) > 0, "rescued %q", result.Rescued)
				kept := false
				for _, ref := range strings.Split(r.Git("for-each-ref", "--format=%(refname)", "refs/chant/rescue/"), "\n") {
					kept = kept || tc.made != "" && enginetest.TryGit(t, r.Dir, "cat-file", "-e", ref+":"+tc.made) == nil
				}
				assert.Equal(t, tc.made != "", kept, "%s", refs)
				_, err = dropRun(t.Context(), r.P, runtest.ID, ev)
				assert.Equal(t, engine.State, enginetest.CodeOf(t, err), "a second time")
			})
		}
	}
}

// TestFinalize_withRun judges what is committed on the branch of a run that failed, and completes it there without
// landing it.
func TestFinalize_withRun(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fix  map[string]string
		code engine.Code
		want spec.Status
	}{
		"fixed":     {map[string]string{"done.txt": "yes\n"}, "", spec.Completed},
		"not fixed": {nil, engine.Unverified, spec.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			failed().take(t, r)
			assert.Equal(t, spec.Failed, r.Status())
			main := r.Git("rev-parse", "main")
			if tc.fix != nil {
				r.Agent(tc.fix)
			}
			result, err := Finalize(t.Context(), r.P, FinalizeInput{ID: runtest.ID})
			code := enginetest.CodeOf(t, err)
			assert.Equal(t, tc.code, code)
			assert.Equal(t, tc.want, r.Status())
			assert.False(t, result.Landed, "%v %v %v", code, result, err)
			assert.Equal(t, main, r.Git("rev-parse", "main"))
			_, err = Finalize(t.Context(), r.P, FinalizeInput{ID: runtest.ID})
			assert.False(t, tc.code == "" && enginetest.CodeOf(t, err) != engine.State, "a second time: %v", err)
		})
	}
}

// TestPause_withRun settles a run whose process has died: its spec is paused, and all files of the agent stay in the
// tree. A run that has ended stays as it was.
func TestPause_withRun(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		at   stage
		want spec.Status
	}{
		{agentDied(), spec.Paused}, {failed(), spec.Failed}, {completed(), spec.Completed},
	} {
		t.Run(tc.at.name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			tc.at.take(t, r)
			for range 2 { // the second time there is nothing to do
				result, err := Pause(t.Context(), r.P, PauseInput{ID: runtest.ID})
				assert.NoError(t, err)
				assert.Equal(t, tc.want, result.Status)
				assert.Equal(t, tc.want, r.Status())
			}
			if tc.at.name == "agent died" {
				assert.Equal(t, "half of it\n", enginetest.Read(t, r.Trees.Tree, "half.txt"), "the agent's file contains")
			}
		})
	}
}

// TestTakeover_withRun returns the tree, the open criteria and how far the run came.
func TestTakeover_withRun(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	agentDied().take(t, r)
	got, err := Takeover(t.Context(), r.P, TakeoverInput{ID: "001"})
	assert.NoError(t, err)
	assert.Equal(t, runtest.ID, got.SpecID)
	assert.Equal(t, spec.Paused, got.Status)
	assert.Equal(t, r.Job.Branch, got.Branch)
	assert.Equal(t, r.Trees.Tree, got.Worktree)
	assert.Equal(t, 1, got.OpenAll)
	assert.Equal(t, 1, len(got.Open))
	assert.HasPrefix(t, got.Analysis, `1 attempt, which ended at step "agent"`)
	assert.HasSuffix(t, got.Analysis, "1 of 1 criteria are open or have a command to run")
	assert.Equal(t, "", got.Command)
	assert.Equal(t, "chant finalize "+runtest.ID, got.Suggest.String())
}
