package work

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/journal"
	"chant/engine/run/runtest"
	"chant/engine/spec"
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
			if _, err := r.P.Store.Append(runtest.ID, rec); err != nil {
				t.Fatal(err)
			}
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
		if err := r.Lands(); err != nil {
			t.Fatal(err)
		}
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
					if enginetest.CodeOf(t, err) != engine.State || r.Git("rev-parse", "main") != main || r.Status() != spec.Completed {
						t.Errorf("%v, %s", err, r.Status())
					}
					return
				}
				want, err2 := spec.Next(spec.InProgress, ev)
				if err != nil || err2 != nil || result.Status != want || r.Status() != want {
					t.Fatalf("%+v, %s, %v", result, r.Status(), err)
				}
				if left := r.Git("branch", "--list", r.Job.Branch); left != "" || engine.Exists(r.Tree) {
					t.Errorf("branch %q, tree there: %t", left, engine.Exists(r.Tree))
				}
				refs := rescued(r)
				if (refs != "") != (tc.made != "") || len(result.Rescued) > 0 != (tc.made != "") {
					t.Fatalf("rescued %q, reported %q", refs, result.Rescued)
				}
				kept := false
				for _, ref := range strings.Split(r.Git("for-each-ref", "--format=%(refname)", "refs/chant/rescue/"), "\n") {
					kept = kept || tc.made != "" && enginetest.TryGit(t, r.Dir, "cat-file", "-e", ref+":"+tc.made) == nil
				}
				if kept != (tc.made != "") {
					t.Errorf("%s is not in any of %s", tc.made, refs)
				}
				if _, err := dropRun(t.Context(), r.P, runtest.ID, ev); enginetest.CodeOf(t, err) != engine.State {
					t.Errorf("a second time: %v", err)
				}
			})
		}
	}
}

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
			if got := r.Status(); got != spec.Failed {
				t.Fatal(got)
			}
			main := r.Git("rev-parse", "main")
			if tc.fix != nil {
				r.Agent(tc.fix)
			}
			result, err := Finalize(t.Context(), r.P, FinalizeInput{ID: runtest.ID})
			if code := enginetest.CodeOf(t, err); code != tc.code || r.Status() != tc.want || result.Landed || r.Git("rev-parse", "main") != main {
				t.Errorf("code %q, %s, %+v, %v", code, r.Status(), result, err)
			}
			if _, err := Finalize(t.Context(), r.P, FinalizeInput{ID: runtest.ID}); tc.code == "" && enginetest.CodeOf(t, err) != engine.State {
				t.Errorf("a second time: %v", err)
			}
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
				if err != nil || result.Status != tc.want || r.Status() != tc.want {
					t.Errorf("%+v, %v, %s", result, err, r.Status())
				}
			}
			if tc.at.name == "agent died" {
				if text := enginetest.Read(t, r.Tree, "half.txt"); text != "half of it\n" {
					t.Errorf("the agent's file contains %q", text)
				}
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
	if err != nil {
		t.Fatal(err)
	}
	if got.SpecID != runtest.ID || got.Status != spec.Paused || got.Branch != r.Job.Branch || got.Worktree != r.Tree || got.OpenAll != 1 || len(got.Open) != 1 {
		t.Errorf("%+v", got)
	}
	if !strings.HasPrefix(got.Analysis, `1 attempt, which ended at step "agent"`) || !strings.HasSuffix(got.Analysis, "1 of 1 criteria are open or have a command to run") || got.Command != "" {
		t.Errorf("%q, command %q", got.Analysis, got.Command)
	}
	if got.Suggest.String() != "chant finalize "+runtest.ID {
		t.Errorf("next %q", got.Suggest)
	}
}

// TestRecover settles runs whose process died: undone when no agent had started, else paused with everything the agent
// left committed. A run that has ended or landed is not found.
func TestRecover(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		at      stage
		what    string // "" when nothing is found
		settled bool
		want    spec.Status
	}{
		{began(), "undone: no agent had started", true, spec.Pending},
		{agentDied(), "paused, with what the agent had left committed", true, spec.Paused},
		{failed(), "", false, spec.Failed},
		{landed(), "", false, spec.Completed},
	} {
		t.Run(tc.at.name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			tc.at.take(t, r)
			h, err := engine.Hold(t.Context(), r.P, runtest.ID, "recover")
			if err != nil {
				t.Fatal(err)
			}
			found, settled, err := RecoverHeld(t.Context(), r.P, h, false)
			if releaseErr := h.Release(); err != nil || releaseErr != nil || settled != tc.settled || (found != nil) != (tc.what != "") {
				t.Fatalf("%+v, %t, %v, %v", found, settled, err, releaseErr)
			}
			if found != nil && (found.What != tc.what || found.ID != runtest.ID) {
				t.Errorf("%+v, want %q", found, tc.what)
			}
			if got := r.Status(); got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
			if tc.at.name == "agent died" && r.Git("show", r.Job.Branch+":half.txt") != "half of it" {
				t.Error("what the agent left is not on the branch")
			}
		})
	}
}

// TestWorktrees lists the trees of runs with their size, the number of uncommitted files and what is wrong with them.
func TestWorktrees(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	agentDied().take(t, r)
	r.Git("worktree", "add", "-q", "--detach", filepath.Join(t.TempDir(), "mine"))
	got, err := Worktrees(t.Context(), r.P, WorktreeInput{})
	if err != nil || got.Total != 1 || len(got.Worktrees) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	v := got.Worktrees[0]
	if v.SpecID != runtest.ID || v.Branch != r.Job.Branch || v.Status != "in_progress" || v.Run != "interrupted" || v.Uncommitted != 1 || v.Problem != "" || v.Holder != 0 {
		t.Errorf("%+v", v)
	}
	if least := int64(len("half of it\n") + len(runtest.Plain)); v.Bytes < least || v.Created == "" {
		t.Errorf("%d bytes, created %q", v.Bytes, v.Created)
	}
	if err := os.RemoveAll(r.Tree); err != nil {
		t.Fatal(err)
	}
	if got, err := Worktrees(t.Context(), r.P, WorktreeInput{Limit: 1}); err != nil || got.Total != 1 || got.Worktrees[0].Problem != "its folder is gone" {
		t.Errorf("%+v, %v", got, err)
	}
}
