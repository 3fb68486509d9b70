// Package runtest takes runs through their steps in tests, without the agent: what an agent would do is done by the
// test, in the worktree that the run has made.
package runtest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
)

// ID is the spec that is worked.
const ID = "2026-01-02-001-abc"

// Own is the path of that spec's file.
const Own = store.SpecsDir + "/" + ID + ".md"

// Plain is a spec with one criterion, which holds once the file done.txt is there.
const Plain = "---\nstatus: pending\n---\n# Do it\n\n## Acceptance Criteria\n\n- [ ] It is done `$ test -f done.txt`\n"

// Run is a run whose worktree is there, with the project that it is in.
type Run struct {
	*run.Run
	T   *testing.T
	P   *engine.Project
	Dir string // of the person's checkout
}

// Start commits a spec and takes its first attempt up to where the agent would start.
func Start(t *testing.T, text string, change ...func(*attempt.Settings)) *Run {
	t.Helper()
	p, dir := enginetest.Project(t)
	return Of(t, p, dir, text, change...)
}

// Of is Start in a project that is there.
func Of(t *testing.T, p *engine.Project, dir, text string, change ...func(*attempt.Settings)) *Run {
	t.Helper()
	enginetest.Commit(t, dir, map[string]string{Own: text})
	r := New(t, p, dir, journal.Job{}, change...)
	if err := r.Begin(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if err := r.Through(t.Context(), journal.Branch, journal.Prompt); err != nil {
		t.Fatal(err)
	}
	return r
}

// New puts a run together that has not begun, by what the journal has.
func New(t *testing.T, p *engine.Project, dir string, job journal.Job, change ...func(*attempt.Settings)) *Run {
	t.Helper()
	facts, h := read(t, p)
	job.Provider = "shell"
	set := facts.Settings
	set.Prompt = "Do it."
	for _, c := range change {
		c(&set)
	}
	plan := facts.Start(job, set)
	plan.Job.Attempt = max(facts.Attempt, 1) // Begin decides whether it is new
	return &Run{Run: run.NewRun(p, plan, h), T: t, P: p, Dir: dir}
}

// Asked is the run as a person asks whether it is done, who may accept what it has changed.
func Asked(r *Run, accept bool) *Run {
	r.T.Helper()
	facts, h := read(r.T, r.P)
	return &Run{Run: run.NewRun(r.P, facts.Finish(journal.Job{Provider: "shell"}, accept), h), T: r.T, P: r.P, Dir: r.Dir}
}

// read reads the facts and the journal of the spec's run.
func read(t *testing.T, p *engine.Project) (run.Facts, *journal.History) {
	t.Helper()
	s, err := p.Store.Get(t.Context(), ID)
	if err != nil {
		t.Fatal(err)
	}
	h, err := journal.ReadSealed(p.Store, ID)
	if err != nil {
		t.Fatal(err)
	}
	facts, err := run.ReadFacts(t.Context(), p, &s.Spec, h)
	if err != nil {
		t.Fatal(err)
	}
	return facts, h
}

// Begin opens the attempt, or continues it.
func (r *Run) Begin(ctx context.Context, anew bool) error {
	r.Opens = anew
	return r.Run.Begin(ctx)
}

// Through takes the run from one step to another, both included.
func (r *Run) Through(ctx context.Context, from, to journal.Step) error {
	r.Steps = attempt.StepsBetween(from, to)
	return r.Execute(ctx)
}

// CatchUp brings the branch up to date by Rebase or Resolve and takes the run from there to its end.
func (r *Run) CatchUp(ctx context.Context, how journal.Step) error {
	r.Steps = append([]journal.Step{how}, attempt.StepsBetween(journal.Collect, journal.Clean)...)
	return r.Execute(ctx)
}

// Agent is what an agent does: it writes files into the worktree and commits them. A file without content is removed.
func (r *Run) Agent(files map[string]string) {
	r.T.Helper()
	r.Leave(files)
	enginetest.Git(r.T, r.Trees.Tree, "add", "-A")
	enginetest.Git(r.T, r.Trees.Tree, "-c", "user.name=agent", "-c", "user.email=agent@example.com", "commit", "-q", "--allow-empty", "-m", "work")
}

// Leave writes files into the worktree and commits nothing. A file without content is removed.
func (r *Run) Leave(files map[string]string) {
	r.T.Helper()
	for name, text := range files {
		if text == "" {
			enginetest.Git(r.T, r.Trees.Tree, "rm", "-q", "-f", "--", name)
			continue
		}
		enginetest.Write(r.T, r.Trees.Tree, name, text)
	}
}

// To takes the run from collecting what its agent has left to a step.
func (r *Run) To(step journal.Step) error {
	r.T.Helper()
	r.goOn()
	return r.Through(r.T.Context(), journal.Collect, step)
}

// Completed takes the run to its complete commit.
func (r *Run) Completed() *Run {
	r.T.Helper()
	if err := r.To(journal.Complete); err != nil {
		r.T.Fatal(err)
	}
	return r
}

// Lands takes the completed run to its landing.
func (r *Run) Lands() error {
	r.T.Helper()
	r.goOn()
	return r.Through(r.T.Context(), journal.Land, journal.Clean)
}

// goOn takes the attempt up again, as the journal has it.
func (r *Run) goOn() {
	r.T.Helper()
	h, err := journal.ReadSealed(r.P.Store, ID)
	if err == nil {
		r.Journal.Reread(h)
		err = r.Begin(r.T.Context(), false)
	}
	if err != nil {
		r.T.Fatal(err)
	}
}

// Git runs git in the person's checkout.
func (r *Run) Git(args ...string) string {
	r.T.Helper()
	return enginetest.Git(r.T, r.Dir, args...)
}

// Target is a file as the target has it, "" where it does not.
func (r *Run) Target(name string) string {
	r.T.Helper()
	src, err := r.P.Repo.ReadFile(r.T.Context(), "refs/heads/"+r.Job.Target, name)
	if err != nil {
		return ""
	}
	return string(src)
}

// Status is that of the spec, by the copy that counts.
func (r *Run) Status() spec.Status {
	r.T.Helper()
	s, err := r.P.Store.Get(r.T.Context(), ID)
	if err != nil {
		r.T.Fatal(err)
	}
	return s.Status
}

// Kind is that of the failure in err, "" where it is none.
func Kind(err error) spec.ReasonCode {
	if f, ok := errors.AsType[*journal.Failure](err); ok {
		return f.Kind
	}
	return ""
}

// Fails checks that err is a failure of this kind whose message has these words.
func (r *Run) Fails(err error, kind spec.ReasonCode, words ...string) {
	r.T.Helper()
	if Kind(err) != kind {
		r.T.Fatalf("failure %q (%v), want %q", Kind(err), err, kind)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			r.T.Errorf("%q lacks %q", err, w)
		}
	}
}
