package advice

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/agent"
	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/usage"
	"chant/gitops"
	"chant/providers/cli"
)

// standing is how a spec stands, in one sentence, and what to do next.
type standing struct {
	Why  string
	Next next.Step
	work string // what work does then, where that is not all of Next; Conclude adds it to Why
}

func stands(step next.Step, format string, args ...any) standing {
	return standing{Why: fmt.Sprintf(format, args...), Next: step}
}

// untilWorked is how a spec stands until it is worked, and what work then does.
func untilWorked(id, work, format string, args ...any) standing {
	return standing{Why: fmt.Sprintf(format, args...), Next: next.Work.On(id), work: work}
}

// look is what is known of a spec for that. Status, diagnose, show, what work reports of many
// and the hints of errors all take the next step from it, so that they name the same one.
type look struct {
	of      *spec.Spec
	graph   *spec.Graph
	History *journal.History
	held    bool      // a process has the run
	state   string    // of the run, see runState
	way     next.Step // out of a conflict with the target, see wayOut
	foreign string    // the branch that has the name of its run's and was not started by chant, "" when none is
	glance  Glance    // at its run
	shell   bool      // a script works it, which does the same each time
	edited  bool      // its branch, or home's copy of it, has changed since the last attempt ended
	empty   bool      // its branch has no work on it
	vacuous bool      // it has nothing to verify
	met     string    // the limit of the spec that its agents have used up, "" while there is some left

	clash  *engine.Error             // why work cannot take the edit of home's copy, nil where it can
	commit func(next.Step) next.Step // a step, or the commit of an edit in home that has to come before it
}

// LookAt finds out what is known of a spec.
func LookAt(ctx context.Context, p *engine.Project, g *spec.Graph, s *spec.Spec) (look, error) {
	h, err := journal.ReadHistory(p.Store, s.ID)
	if err != nil {
		h = &journal.History{} // the spec's own reason has to do
	}
	_, held := p.Store.Holder(s.ID)
	l := look{of: s, graph: g, History: h, held: held, glance: GlanceAt(p, s), met: usage.LimitMet(p, s, h), vacuous: Vacuous(p, s), shell: agent.ProviderOf(p, s) == cli.ShellName}
	l.commit = func(step next.Step) next.Step { return engine.AfterCommit(ctx, p, step) }
	l.state = l.glance.State
	if last := h.Last(); last != nil && !last.Gone && last.Taken.Provider != "" {
		l.shell = last.Taken.Provider == cli.ShellName
	}
	if l.foreign, err = notStarted(ctx, p, s, h); err != nil {
		return l, err
	}
	if l.way, err = wayOut(ctx, p, s, l.code()); err != nil {
		return l, err
	}
	if s.Branch == "" {
		return l, nil
	}
	tip, err := p.Repo.Resolve(ctx, "refs/heads/"+s.Branch)
	if err != nil {
		return l, nil //nolint:nilerr // a branch that is gone has not changed
	}
	if last := h.Last(); last != nil && !last.Gone {
		l.edited, l.clash = run.EditedAtHome(ctx, p, s, h)
		l.edited = l.edited || last.Tip != "" && last.Tip != tip
	}
	l.empty = workless(ctx, p, s)
	return l, nil
}

// workless reports whether nothing but .chant differs on a spec's branch from where it left
// the target.
func workless(ctx context.Context, p *engine.Project, s *spec.Spec) bool {
	target, err := engine.Target(ctx, p)
	if err != nil {
		return false
	}
	base, err := p.Repo.MergeBase(ctx, "refs/heads/"+target, "refs/heads/"+s.Branch)
	if err != nil {
		return false
	}
	changes, err := p.Repo.Diff(ctx, base, "refs/heads/"+s.Branch)
	return err == nil && !slices.ContainsFunc(changes, func(c gitops.Change) bool { return !strings.HasPrefix(c.Path, store.Dir+"/") })
}

// advised gives an error about a spec the next step that status and diagnose name for it.
func advised(ctx context.Context, p *engine.Project, id, what string, err error) error {
	if err == nil {
		return nil
	}
	known, ok := errors.AsType[*engine.Error](engine.Wrap(err, id))
	if !ok || !advisable(err) {
		return err
	}
	calm := context.WithoutCancel(ctx)
	_, g, graphErr := engine.Graph(calm, p)
	if graphErr != nil || g.Spec(id) == nil {
		return known
	}
	l, lookErr := LookAt(calm, p, g, g.Spec(id))
	step := l.Conclude().Next
	if lookErr != nil || step.IsZero() {
		return known
	}
	f, ok := errors.AsType[*journal.Failure](err)
	if ok && !f.Next.IsZero() && (!l.next(next.Step{}).Equal(f.Next) || step.Equal(next.Work.On(id))) {
		return known // it names the way itself: trying again would meet the same
	}
	if tried := next.Op(what); tried != next.Work && step.Equal(tried.On(id)) {
		step = next.Edit.On(id) // it was just tried, and would end in the same way
	}
	known.Next = step
	return known
}

// advisable reports whether an error is about how a spec's run stands.
func advisable(err error) bool {
	_, failed := errors.AsType[*journal.Failure](err)
	_, state := errors.AsType[*spec.StateError](err)
	return failed || state
}

// reason is what stopped the run.
func (l look) reason() string {
	if last := l.History.Last(); l.of.Fields.Reason == "" && last != nil && !last.Gone {
		return last.Reason
	}
	return l.of.Fields.Reason
}

// code is the kind of what stopped the run.
func (l look) code() spec.ReasonCode { return ReasonCode(l.of, l.History) }

// ReasonCode is the kind of reason for which a spec stands as it does: what chant wrote into its front matter, else into
// the journal of its last attempt. The text of the reason is never read.
func ReasonCode(s *spec.Spec, h *journal.History) spec.ReasonCode {
	if last := h.Last(); s.Fields.ReasonCode == "" && last != nil && !last.Gone {
		return last.Code
	}
	return s.Fields.ReasonCode
}

// next leads on from what stopped the run, else it is the usual step.
func (l look) next(usual next.Step) next.Step {
	if last := l.History.Last(); last != nil && !last.Gone {
		return last.Next.Or(usual)
	}
	return usual
}

// Conclude says how it stands. What only an agent could continue with does not while nothing
// is left of a limit of the spec.
func (l look) Conclude() standing {
	at := l.standing()
	short := at.Why
	if at.work != "" {
		at.Why += "; " + at.work
	}
	if commit := l.commit(at.Next); !commit.Equal(at.Next) {
		return standing{Why: at.Why + "; your edit of it is not committed, and an approval covers only what is committed", Next: commit}
	}
	if l.met == "" || !at.Next.Equal(next.Work.On(l.of.ID)) {
		return at
	}
	if !strings.Contains(short, l.met) { // its reason may have named it already
		short += ": " + l.met
	}
	return standing{Why: short + "; no agent starts until its limits are raised", Next: next.Edit.On(l.of.ID)}
}

func (l look) standing() standing {
	s, g := l.of, l.graph
	switch {
	case l.foreign != "":
		return foreignBranch(l.foreign)
	case l.held && l.state == Waiting:
		return stands(next.Takeover.On(s.ID), "its agent waits for you")
	case l.held:
		return stands(next.Log.On(s.ID).Flag("follow"), "a process is at work on it")
	case !MergeAgain(s, l.History).IsZero():
		return stands(MergeAgain(s, l.History), "its work is complete; updating its branch from the target was interrupted at step %q", l.History.CutShort())
	case l.state == Interrupted:
		return untilWorked(s.ID, "work resumes it, reset drops it", "its run was interrupted%s", whileAt(l.History))
	case l.clash != nil:
		return stands(l.clash.Next, "%s", l.clash.Message)
	case s.Branch != "":
		return l.ofRun()
	case s.Status == spec.Completed:
		return l.landed()
	case s.Status == spec.InProgress:
		return stands(next.Finalize.On(s.ID), "being worked by hand, without a run")
	case s.Status == spec.Cancelled:
		return stands(next.Reset.On(s.ID), "cancelled")
	case s.Status != spec.Pending:
		return l.ofRun()
	case g.OpenDriver(s.ID):
		return stands(s.DriverNext(), "all its members are done")
	case g.Container(s.ID):
		return heldOpen(g, s)
	case g.Blocked(s.ID):
		return blocked(g, s.ID)
	}
	return stands(next.Work.On(s.ID), "ready")
}

// landed concludes for a spec that is completed and landed.
func (l look) landed() standing {
	if l.vacuous {
		return stands(next.Show.On(l.of.ID), "completed and landed; there is %s", criteria.Nothing)
	}
	return stands(next.Verify.On(l.of.ID), "completed and landed")
}

// ofRun concludes for a spec whose run stands still.
func (l look) ofRun() standing {
	s, reason := l.of, l.reason()
	switch {
	case s.Status == spec.NeedsAttention && l.graph.OpenDriver(s.ID):
		return stands(s.DriverNext(), "the driver stays open%s", Because(reason))
	case s.Status == spec.Completed && !s.Landed && l.code() == spec.ReasonWithdrawn:
		return stands(next.Reset.On(s.ID), "completed on its branch, but not landed%s", Because(reason))
	case s.Status == spec.Completed && !s.Landed && Unapproved(s, l.History).Exists():
		hold := Unapproved(s, l.History)
		return stands(approvalStep(s, hold), "completed on its branch, but not landed: it %s", hold)
	case s.Status == spec.Completed && !s.Landed && l.History.CompleteCommit() == "":
		return stands(next.Finalize.On(s.ID), "its branch says that it is completed, but chant has not completed it in this repository")
	case s.Status == spec.Completed && !s.Landed && l.code() == spec.ReasonUnapproved && l.edited:
		return stands(next.Merge.On(s.ID), "completed on its branch, and approved since") // it is not asked for any more
	case s.Status == spec.Completed && !s.Landed:
		return stands(l.next(next.Merge.On(s.ID)), "completed on its branch, but not landed%s", Because(reason))
	case s.Status == spec.Completed:
		return l.landed()
	case s.Status == spec.Failed && s.ApprovalBlock().Kind == spec.HeldByRejection && l.edited:
		return stands(next.Approve.On(s.ID), "the last attempt failed, the spec was rejected, and it was edited since")
	case s.Status == spec.Failed && l.edited && Unapproved(s, l.History).Exists():
		return stands(approvalStep(s, Unapproved(s, l.History)), "the last attempt failed, and the spec %s", Unapproved(s, l.History))
	case s.Status == spec.Failed && s.ApprovalBlock().Kind == spec.HeldByRejection:
		return stands(next.Edit.On(s.ID), "the last attempt failed, and the spec was rejected")
	case s.Status == spec.Failed:
		return l.afterFailure(reason)
	case s.Status == spec.NeedsAttention && s.Branch == "" && l.code() == spec.ReasonNoLonger:
		return untilWorked(s.ID, "work does it again, finalize completes it once it is fixed", "it was completed%s", Because(reason))
	case s.Status == spec.NeedsAttention:
		return stands(attentionStep(s.ID, l.code(), l.way, l.empty).Or(l.next(next.Reset.On(s.ID))), "it needs your attention%s%s", Because(reason), afterMerge(l.way))
	case s.AwaitsRetry():
		return untilWorked(s.ID, "work starts its agent now", "its run is postponed%s", Because(reason))
	case s.Status == spec.Paused:
		return untilWorked(s.ID, "work resumes it", "stopped%s", Because(reason))
	case s.Status == spec.Cancelled:
		return stands(next.Reset.On(s.ID), "cancelled")
	}
	return stands(l.next(next.Work.On(s.ID)), "it is %s on its branch%s", s.Status, Because(reason))
}

// afterFailure advises another attempt where it may go otherwise than the last one: an agent
// reads what failed. A script does the same again, and so does an agent that has failed twice
// in the same way; then the spec has to change.
func (l look) afterFailure(reason string) standing {
	id, attempts := l.of.ID, l.History.Attempts
	n := len(attempts)
	switch {
	case l.edited || n == 0:
		return stands(next.Work.On(id), "the last attempt failed%s; it has been edited since, and work tries again on the same branch", Because(reason))
	case !attempts[n-1].Next.IsZero():
		return stands(attempts[n-1].Next, "the last attempt failed%s", Because(reason))
	case attempts[n-1].Agent != nil && attempts[n-1].Agent.Refused:
		return stands(next.Config.On().Flag("validate"), "the last attempt failed%s; work tries again once that is settled", Because(reason))
	case l.shell:
		return stands(next.Edit.On(id), "the last attempt failed%s; its script would fail again, so edit the script or the criterion, then work it again", Because(reason))
	case n > 1 && attempts[n-2].Reason == attempts[n-1].Reason:
		return stands(next.Edit.On(id), "two attempts failed in the same way%s; edit the spec, then work it again", Because(reason))
	}
	return untilWorked(id, "work tries again on the same branch, reset starts over", "the last attempt failed%s", Because(reason))
}

// StepOf is the last step that the newest attempt has begun, "" without one.
func StepOf(h *journal.History) journal.Step {
	if last := h.Last(); last != nil {
		return last.Last
	}
	return ""
}

// whileAt says at which step a run was interrupted, as far as that is known.
func whileAt(h *journal.History) string {
	last := h.Last()
	switch {
	case last == nil:
		return " at an unknown step, because its journal is missing"
	case last.Last == "":
		return " before its first step"
	}
	return fmt.Sprintf(" at step %q", last.Last)
}

// Because appends a reason to a sentence, "" without one.
func Because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// attentionStep leads on from a reason that needs a person's attention; none where the failure itself names a step. way
// leads out of a conflict with the target; empty means that there is no work on the branch.
func attentionStep(id string, code spec.ReasonCode, way next.Step, empty bool) next.Step {
	switch code {
	case spec.ReasonDrifted:
		return next.Work.On(id).Flag("replay")
	case spec.ReasonTampered:
		if empty {
			return next.Reset.On(id) // there is nothing but the change
		}
		return next.Finalize.On(id).Flag("accept-changes")
	case spec.ReasonConflict:
		return way
	case spec.ReasonMergedTree:
		return way.Or(next.Work.On(id))
	case spec.ReasonUnverified, spec.ReasonDriverOpen, spec.ReasonOutput:
		return next.Work.On(id)
	}
	return next.Step{}
}

// afterMerge says what follows on a merge by hand.
func afterMerge(way next.Step) string {
	if way.Shell == "" {
		return ""
	}
	return "; once it is merged and committed there, finalize and then merge land it"
}

// Vacuous reports whether a spec has nothing to verify, or had nothing when it was completed. A driver is verified by
// its members.
func Vacuous(p *engine.Project, s *spec.Spec) bool {
	if s.Fields.Verification == string(criteria.Nothing) {
		return true
	}
	return !s.Fields.Type.Container() && !criteria.PlanFor(s, s, p.Config.Verify).Any()
}

// RetryText says what a spec waits for whose agent was put off.
func RetryText(s *spec.Spec) string {
	return "a retry at " + s.Fields.Retry.Due().UTC().Format(time.RFC3339)
}
