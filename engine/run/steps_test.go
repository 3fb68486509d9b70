package run_test

import (
	"context"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// work is what an honest agent leaves.
func work() map[string]string { return map[string]string{"done.txt": "yes\n"} }

// TestThrough_stopped stops a run as each of its steps begins. Before an agent nothing stays of it; afterwards it is
// paused on its branch with all that was left; complete work stays completed. Begun again it lands, once.
func TestThrough_stopped(t *testing.T) {
	t.Parallel()
	for step, want := range map[journal.Step]spec.Status{
		journal.Branch: spec.Pending, journal.Worktree: spec.Pending, journal.Setup: spec.Pending, journal.Prompt: spec.Pending,
		journal.Collect: spec.Paused, journal.Verify: spec.Paused, journal.Complete: spec.Paused,
		journal.Land: spec.Completed,
	} {
		t.Run(string(step), func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			enginetest.Commit(t, dir, map[string]string{runtest.Own: runtest.Plain})
			main := enginetest.Git(t, dir, "rev-parse", "main")
			r := runtest.New(t, p, dir, journal.Job{})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r.OnStep = func(at journal.Step, state journal.State) {
				if at == step && state == journal.Begin {
					cancel()
				}
			}
			begin := func(anew bool) {
				t.Helper()
				assert.NoError(t, r.Begin(t.Context(), anew))
			}
			begin(true)
			err := r.Through(ctx, journal.Branch, journal.Prompt)
			if err == nil {
				r.Leave(work())
				assert.NoError(t, r.Journal.Record(journal.Agent, journal.Begin, nil))
				r.Launcher.Agent = &journal.AgentReport{OK: true}
				assert.NoError(t, r.Journal.Record(journal.Agent, journal.Done, r.Launcher.Agent))
				r.Journal.Reread(read(t, r))
				begin(false)
				err = r.Through(ctx, journal.Collect, journal.Clean)
			}
			assert.Error(t, err, "it was not stopped")
			assert.Equal(t, want, r.Status(), "status %v", err)
			assert.Equal(t, main, r.Git("rev-parse", "main"))
			got := read(t, r).Last()
			assert.True(t, got != nil, "the attempt is open: %+v", got)
			assert.True(t, got.Closed, "the attempt is open: %+v", got)
			branch := enginetest.TryGit(t, dir, "rev-parse", "-q", "--verify", "refs/heads/"+r.Job.Branch) == nil
			assert.Equal(t, want != spec.Pending, branch)
			if !branch {
				assert.Equal(t, 1, strings.Count(r.Git("worktree", "list", "--porcelain"), "worktree "))
				return
			}
			next := runtest.New(t, p, dir, journal.Job{Attempt: 1})
			next.Trees.Use(r.Trees.Tree, true)
			next.Launcher.Resume(r.Launcher.Agent)
			assert.NoError(t, next.Begin(t.Context(), false))
			assert.NoError(t, next.Through(t.Context(), journal.Collect, journal.Clean))
			if got := r.Git("rev-list", "--count", "--merges", "main"); got != "1" || r.Target("done.txt") != "yes\n" {
				t.Errorf("main has %s merges, done.txt %q", got, r.Target("done.txt"))
			}
		})
	}
}

func read(t *testing.T, r *runtest.Run) *journal.History {
	t.Helper()
	h, err := journal.ReadHistory(r.P.Store, runtest.ID)
	assert.NoError(t, err)
	return h
}

// TestThrough_journal writes one record before and one after each step, and nothing in between that a reader does not
// know.
func TestThrough_journal(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Agent(work())
	r.Completed()
	assert.NoError(t, r.Lands())
	h := read(t, r)
	last := h.Last()
	for _, step := range []journal.Step{
		journal.Branch, journal.Worktree, journal.Setup, journal.Prompt, journal.Collect, journal.Verify, journal.Complete, journal.Land,
	} {
		assert.Equal(t, journal.Done, last.Steps[step], "%s", step)
	}
	assert.True(t, last.Closed, "last attempt %+v", last)
	assert.True(t, last.Report.Verified, "last attempt %+v", last)
	assert.NotEqual(t, "", last.Commit)
	assert.Equal(t, r.Lander.Landing, last.Landing)
	assert.Equal(t, "", last.Reason)
}

// TestThrough_unverified fails a run whose criterion does not hold: the branch has the work, the status and the reason,
// and the next attempt begins on it.
func TestThrough_unverified(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Agent(map[string]string{"other.txt": "x\n"})
	r.Fails(r.To(journal.Clean), spec.ReasonUnverified, "the criterion does not hold")
	s, err := r.P.Store.Get(t.Context(), runtest.ID)
	assert.NoError(t, err)
	assert.Equal(t, spec.Failed, s.Status)
	assert.Equal(t, spec.ReasonUnverified, s.Fields.ReasonCode)
	assert.Contains(t, s.Fields.Reason, "does not hold")
	next := runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 2})
	assert.NoError(t, next.Begin(t.Context(), true))
	assert.NoError(t, next.Through(t.Context(), journal.Branch, journal.Prompt))
	if next.Status() != spec.InProgress || next.Trees.Tree != r.Trees.Tree {
		t.Errorf("status %s in %q", next.Status(), next.Trees.Tree)
	}
	next.Agent(work())
	assert.NoError(t, next.To(journal.Clean))
	assert.NotEqual(t, "", r.Target("other.txt"), "the work of one attempt is missing")
	assert.NotEqual(t, "", r.Target("done.txt"), "the work of one attempt is missing")
}

// TestCatchUp brings complete work up to date with a target that has moved, by replaying it.
func TestCatchUp(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		target map[string]string
		kind   spec.ReasonCode
	}{
		"elsewhere":          {map[string]string{"other.txt": "x\n"}, ""},
		"in conflict":        {map[string]string{"done.txt": "no\n"}, spec.ReasonConflict},
		"a criterion breaks": {map[string]string{"gate.txt": "x\n"}, spec.ReasonUnverified},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, strings.Replace(runtest.Plain, "test -f done.txt", "test -f done.txt && ! test -f gate.txt", 1))
			r.Agent(work())
			r.Completed()
			tip := r.Git("rev-parse", r.Job.Branch)
			enginetest.Commit(t, r.Dir, tc.target)
			next := runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 1})
			assert.NoError(t, next.Trees.NeedTree(t.Context()))
			assert.NoError(t, next.Begin(t.Context(), false))
			err := next.CatchUp(t.Context(), journal.Rebase)
			if tc.kind != "" {
				r.Fails(err, tc.kind)
				if tc.kind == spec.ReasonConflict && enginetest.TryGit(t, r.Dir, "merge-base", "--is-ancestor", tip, r.Job.Branch) != nil {
					t.Error("the branch no longer has the work as it was")
				}
				assert.Equal(t, tc.target["done.txt"], r.Target("done.txt"))
				return
			}
			assert.NoError(t, err)
			assert.NotEqual(t, 0, len(next.Trees.Rescued), "the branch as it was is kept")
			assert.Equal(t, tip, r.Git("rev-parse", next.Trees.Rescued[0]), "the branch as it was is kept")
			assert.Equal(t, "yes\n", r.Target("done.txt"), "the landing lacks a file")
			assert.Equal(t, "x\n", r.Target("other.txt"), "the landing lacks a file")
		})
	}
}

// finalizing returns the run as a process has it that a person asks whether the work is done, who may accept what it changed.
func finalizing(r *runtest.Run, accept bool) *runtest.Run {
	r.T.Helper()
	next := runtest.Asked(r, accept)
	if err := next.Trees.NeedTree(r.T.Context()); err != nil {
		r.T.Fatal(err)
	}
	return next
}

// TestFinish judges work at a person's request: what does not hold changes nothing, what holds is completed.
func TestFinish(t *testing.T) {
	t.Parallel()
	r := finalizing(runtest.Start(t, runtest.Plain), false)
	r.Leave(map[string]string{"other.txt": "x\n"})
	state := func() string {
		return r.Git("for-each-ref") + enginetest.Git(t, r.Trees.Tree, "status", "--porcelain") + enginetest.Read(t, r.Trees.Tree, runtest.Own)
	}
	before := state()
	r.Fails(r.Finish(t.Context()), spec.ReasonUnverified)
	assert.Equal(t, before, state())
	r = finalizing(r, false)
	r.Leave(work())
	assert.NoError(t, r.Finish(t.Context()))
	got := r.Status()
	assert.Equal(t, spec.Completed, got)
	assert.Equal(t, "yes", r.Git("show", r.Job.Branch+":done.txt"))
}

// TestFinish_accept completes what an agent changed and may not only when a person accepts it.
func TestFinish_accept(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Agent(map[string]string{"done.txt": "yes\n", ".chant/prompts/new.md": "x\n"})
	r = finalizing(r, false)
	r.Fails(r.Finish(t.Context()), spec.ReasonTampered, ".chant/prompts/new.md was added")
	r = finalizing(r, true)
	assert.NoError(t, r.Finish(t.Context()))
	assert.True(t, read(t, r).Trusted.Accepted, "the journal does not say that a person has accepted it")
	assert.NoError(t, runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 1}).Lands())
	assert.Equal(t, "x\n", r.Target(".chant/prompts/new.md"), "what was accepted has not landed")
}

// TestMeasure: the strength of criteria becomes part of the evidence of the landing. A stop meanwhile is one of the run, which is
// judged again when it resumes.
func TestMeasure(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Agent(work())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r.Measure = func(ctx context.Context) (*criteria.Strength, error) {
		cancel()
		return nil, ctx.Err()
	}
	assert.IsError(t, r.Through(ctx, journal.Collect, journal.Complete), context.Canceled)
	assert.Equal(t, spec.Paused, r.Status())
	r.Measure = func(context.Context) (*criteria.Strength, error) {
		return &criteria.Strength{Commit: r.Git("rev-parse", r.Job.Branch), Killed: 2}, nil
	}
	assert.NoError(t, r.Completed().Lands())
	assert.Equal(t, spec.Completed, r.Status())
	text, err := r.P.Repo.ReadNote(t.Context(), attempt.NotesRef, r.Lander.Landing)
	assert.NoError(t, err)
	note, err := criteria.ReadNote(text)
	assert.NoError(t, err)
	assert.Equal(t, 2, note.Strength.Killed)
}
