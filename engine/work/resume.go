package work

import (
	"context"
	"errors"
	"slices"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// resume finds the attempt to resume, one whose process was killed or stopped, and the step at
// which it resumes. If the agent has ended, that is collect, even where branch and journal say
// that the spec is completed, because an agent that killed chant could have written both. It is
// the landing only if that has happened. After an update of the branch from the target it is
// collect, too. If this machine has a key and the journal is sealed with it, the attempt resumes after
// the last step that ended. A nil run means that a new attempt has to begin or, for complete work that was
// not to land or whose update was interrupted, that a person has to ask for the next step.
func (w *Working) resume(ctx context.Context) (*run.Run, journal.Step, error) {
	p, s, h := w.Project, w.Spec, w.Held
	open := h.History.Open()
	// A run that was stopped has closed its attempt, and its pause shows that it can resume.
	if last := h.History.Last(); open == nil && s.Status == spec.Paused && last != nil && !last.Gone {
		open = last
	}
	if open == nil || s.Branch == "" {
		return nil, "", nil
	}
	facts, err := run.ReadFacts(ctx, p, &s.Spec, h.History)
	if err != nil {
		return nil, "", err
	}
	job := resumedJob(open, w.Input)
	tree, err := engine.TreeOf(ctx, p, s.ID)
	if err != nil {
		return nil, "", err
	}
	at := resumable{
		status: s.Status, tree: tree != "", done: advice.IsWorkComplete(&s.Spec, h.History), noMerge: job.NoMerge,
		cutShort: h.History.InterruptedStep() != "", caughtUp: open.IsCaughtUp(), ended: open.Agent != nil, passed: open.Agent != nil && open.Agent.OK,
	}
	from := at.step()
	if from == "" {
		return nil, "", nil
	}
	sealed, err := sealedStep(ctx, p, h, s, tree)
	if err != nil {
		return nil, "", err
	}
	// A journal that is sealed can be believed as to what was found, so less has to be repeated.
	if sealed != "" && from != journal.Land {
		from = sealed
	}
	r := run.NewRun(p, facts.Rest(job, from), h.History)
	r.Commit = open.Commit
	r.Judge.Resume(open.Report)
	// After an update of the branch, the report is of the agent that resolved conflicts.
	if !at.wasUpdated() {
		r.Launcher.Resume(open.Agent)
	}
	r.Trees.Use(tree, r.Launcher.Agent != nil)
	if from != journal.Land {
		return r, from, nil
	}
	// Asked of the target itself, since an agent could have written that the work is complete.
	landed, err := r.Lander.HasLanded(ctx, r.LastComplete())
	if landed || err != nil {
		return r, from, err
	}
	// The killed process may have written files of a merge that the target never got.
	if err := r.Lander.PutBack(ctx); err != nil {
		return nil, "", err
	}
	if sealed == "" {
		// The work is judged again, whatever branch and journal say.
		sealed = journal.Collect
	}
	r.Steps = facts.Rest(job, sealed).Steps
	return r, sealed, nil
}

// resumable is what is known about an attempt that was killed or stopped.
type resumable struct {
	status   spec.Status
	tree     bool // its worktree exists
	done     bool // its work is complete
	noMerge  bool // it ends once the spec is completed on its branch
	cutShort bool // its process died while it updated the branch from the target
	caughtUp bool // the branch was updated from the target
	ended    bool // its agent has ended
	passed   bool // and reported success
}

// wasUpdated reports whether the branch of complete work was updated from the target last, by a rebase or by an agent
// that resolved conflicts.
func (a resumable) wasUpdated() bool { return a.caughtUp && a.done && a.tree && !a.cutShort }

// step returns where the attempt resumes: at collect, at the landing if that has happened, or "" for a new attempt.
func (a resumable) step() journal.Step {
	switch {
	// Bringing a branch up to date costs an agent, so a person asks for it again.
	case a.cutShort && a.done:
		return ""
	case a.wasUpdated():
		return journal.Collect
	case a.status == spec.Completed && a.noMerge:
		return ""
	case a.status == spec.Completed:
		return journal.Land
	// A stopped agent has not done its work, so its run resumes only if it had reported success.
	case a.ended && a.tree && (a.status == spec.InProgress || a.status == spec.Paused && a.passed):
		return journal.Collect
	}
	return ""
}

// resumedJob returns the job of an attempt that resumes: as it was opened, with no_merge and
// keep_worktree as they were given last.
func resumedJob(a *journal.Attempt, in WorkInput) journal.Job {
	job := a.Job
	job.Attempt = a.Number
	job.NoMerge, job.KeepTree = a.Taken.NoMerge || in.NoMerge, a.Taken.KeepTree || in.KeepWorktree
	return job
}

// sealedStep returns the step at which an attempt resumes whose process died, if its journal is sealed: the one after the
// last step that ended, or the one during which the process died. It is "" if the journal is not sealed, or if branch or
// worktree are not as that step left them, so that the work must be collected and judged again.
func sealedStep(ctx context.Context, p *engine.Project, h *engine.Held, s *spec.File, tree string) (journal.Step, error) {
	open := h.History.Open()
	if !h.History.Sealed || open == nil || s.Branch == "" {
		return "", nil
	}
	// The seal proves what the journal says, not that the branch is still the same.
	tip, err := p.Repo.ReadCommit(ctx, "refs/heads/"+s.Branch)
	if errors.Is(err, gitops.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	step := nextSealed(open)
	var asLeft bool
	switch step {
	case journal.Verify:
		asLeft, err = isCollected(ctx, p, open, tip, tree)
	case journal.Complete:
		asLeft, err = isVerified(ctx, p, open, tip, tree)
	case journal.Land:
		asLeft = open.Commit == tip.Hash
	}
	if !asLeft || err != nil {
		return "", err
	}
	return step, nil
}

// nextSealed returns the step of an attempt that comes next, by its journal; "" for those before collect has ended.
func nextSealed(a *journal.Attempt) journal.Step {
	state := a.Steps[a.Last]
	ended := state == journal.Done
	switch {
	// What failed is not repeated from the middle.
	case state == journal.Failed:
		return ""
	case a.Last == journal.Collect && ended, a.Last == journal.Verify && !ended:
		return journal.Verify
	case a.Last == journal.Verify, a.Last == journal.Complete && !ended:
		return journal.Complete
	case a.Last == journal.Complete, a.Last == journal.Land:
		return journal.Land
	}
	return ""
}

// isCollected reports whether the branch is where collecting has left it, with nothing uncommitted in the worktree.
func isCollected(ctx context.Context, p *engine.Project, a *journal.Attempt, tip gitops.Commit, tree string) (bool, error) {
	if tree == "" || a.Collected != tip.Hash {
		return false, nil
	}
	changed, err := p.Repo.Status(ctx, tree)
	return err == nil && len(changed) == 0, err
}

// isVerified reports whether the branch has the tree that was verified, apart from the spec itself, which the process may
// have completed before it died.
func isVerified(ctx context.Context, p *engine.Project, a *journal.Attempt, tip gitops.Commit, tree string) (bool, error) {
	if tree == "" || a.Report.Tree == "" || !a.Report.Verified {
		return false, nil
	}
	diff, err := p.Repo.Diff(ctx, a.Report.Tree, tip.Tree)
	if errors.Is(err, gitops.ErrNotFound) {
		return false, nil
	}
	// The process may have completed the spec before it died.
	for _, c := range diff {
		if c.Path != store.SpecPath(a.Job.ID) {
			return false, err
		}
	}
	return err == nil, err
}

// skipPrepared lets a new attempt begin after the set-up of the worktree if its process died between that and its agent,
// and its journal is sealed: set-up commands then do not run a second time. Once an agent has begun, they do, since it may
// have changed what they made.
func (w *Working) skipPrepared(ctx context.Context, r *run.Run) error {
	h := w.Held
	open := h.History.Open()
	// Once an agent has begun, it may have changed what set-up made.
	if !h.History.Sealed || open == nil || open.AgentBegan() || open.Steps[journal.Setup] != journal.Done {
		return nil
	}
	tree, err := engine.TreeOf(ctx, w.Project, h.ID)
	if err != nil || tree == "" || !r.Whole(tree) {
		return err
	}
	at := slices.Index(r.Steps, journal.Prompt)
	if at < 0 {
		return nil
	}
	r.Trees.Use(tree, false)
	r.Steps = r.Steps[at:]
	return nil
}
