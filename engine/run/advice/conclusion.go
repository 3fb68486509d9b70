package advice

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/text"
)

// conclusion says in one sentence why a spec has its present state, and what to do next.
type conclusion struct {
	Why  string
	Next next.Step
	work string // what work would do, if Next alone does not say that; Conclude adds it to Why
}

// Advice returns the next step with the reason for it.
func (c conclusion) Advice() next.Advice { return c.Next.Because("%s", c.Why) }

func conclude(step next.Step, format string, args ...any) conclusion {
	return conclusion{Why: fmt.Sprintf(format, args...), Next: step}
}

// concludeWork concludes that work is the next step, and describes what work would do.
func concludeWork(id, work, format string, args ...any) conclusion {
	return conclusion{Why: fmt.Sprintf(format, args...), Next: next.Work.On(id), work: work}
}

// Conclude returns why the spec has its present state, and the next step. If that is work but a
// limit of the spec is used up, the next step is to raise the limit, because no agent would start.
func (l Facts) Conclude() conclusion {
	at := l.concludeFromStatus()
	short := at.Why
	if at.work != "" {
		at.Why += "; " + at.work
	}
	// First of all, since an approval covers only what is committed.
	if commit := l.commit(at.Next); !commit.Equal(at.Next) {
		return conclusion{Why: at.Why + "; your edit of it is not committed, and an approval covers only what is committed", Next: commit}
	}
	if l.met == "" || !at.Next.Equal(next.Work.On(l.of.ID)) {
		return at
	}
	// Its reason may have named the limit already.
	if !strings.Contains(short, l.met) {
		short += ": " + l.met
	}
	return conclusion{Why: short + "; no agent starts until its limits are raised", Next: next.Edit.On(l.of.ID)}
}

func (l Facts) concludeFromStatus() conclusion {
	s, g := l.of, l.graph
	switch {
	// Before the state of the run: nothing that a foreign branch says is believed.
	case l.foreign != "":
		return concludeForeignBranch(s, l.foreign)
	case l.held && l.asks != "":
		return conclude(next.Answer.On(s.ID), "its agent asks: %s", l.asks)
	case l.held && l.state == Waiting:
		return conclude(next.Takeover.On(s.ID), "its agent waits for you")
	case l.glance.Queue != nil:
		return conclude(next.Queue.On(), "%s", l.glance.Queue.Why())
	case l.held:
		return conclude(next.Log.On(s.ID).Flag("follow"), "a process is at work on it")
	// Before an interrupted run, since the work is complete and no agent has to start again.
	case !MergeAgainStep(s, l.History).IsZero():
		return conclude(MergeAgainStep(s, l.History), "its work is complete; updating its branch from the target was interrupted at step %q", l.History.InterruptedStep())
	case l.state == Interrupted:
		return concludeWork(s.ID, "work resumes it, reset drops it", "its run was interrupted%s", interruptedAt(l.History))
	case l.clash != nil:
		return conclude(l.clash.Next, "%s", l.clash.Message)
	case s.Branch != "":
		return l.concludeStoppedRun()
	case s.Status == spec.Completed:
		return l.concludeLanded()
	case s.Status == spec.InProgress:
		return conclude(next.Finalize.On(s.ID), "being worked by hand, without a run")
	case s.Status == spec.Cancelled:
		return conclude(next.Reset.On(s.ID), "cancelled")
	case s.Status != spec.Pending:
		return l.concludeStoppedRun()
	case g.OpenDriver(s.ID):
		return conclude(l.settle, "all its members are done")
	case g.Container(s.ID):
		return l.concludeDriver()
	case g.Blocked(s.ID):
		return concludeBlocked(g, s.ID)
	}
	if l.early != "" {
		return conclude(l.next(next.Work.On(s.ID)), "the last attempt could not begin: %s", firstAndError(l.early))
	}
	if l.onlyByName(s) {
		return conclude(next.Edit.On(s.ID), "it %s", WhyOnlyByName)
	}
	return conclude(next.Work.On(s.ID), "ready")
}

// firstAndError returns the first line of a reason, and behind it the line with the error of what a command has printed: the
// first that looks like one, else the last. Tools such as npm say much after it.
func firstAndError(reason string) string {
	lines := strings.Split(strings.TrimSpace(reason), "\n")
	if len(lines) == 1 {
		return OneLine(lines[0])
	}
	shown := lines[len(lines)-1]
	if at := slices.IndexFunc(lines[1:], text.IsError); at >= 0 {
		shown = lines[1+at]
	}
	return OneLine(lines[0] + " " + strings.TrimSpace(shown))
}

// concludeLanded concludes for a spec that is completed and landed.
func (l Facts) concludeLanded() conclusion {
	if l.vacuous {
		return conclude(next.Show.On(l.of.ID), "completed and landed; there is %s", criteria.Nothing)
	}
	return conclude(next.Verify.On(l.of.ID), "completed and landed")
}

// concludeStoppedRun concludes for a spec whose run ended, or is paused.
func (l Facts) concludeStoppedRun() conclusion {
	s, reason := l.of, l.reason()
	switch {
	case s.Status == spec.Completed && s.Landed:
		return l.concludeLanded()
	case s.Status == spec.Completed:
		return l.concludeUnlanded(reason)
	case s.Status == spec.Failed:
		return l.concludeFailed(reason)
	case s.Status == spec.NeedsAttention:
		return l.concludeAttention(reason)
	case s.AwaitsRetry():
		return concludeWork(s.ID, "work starts its agent now", "its run is postponed%s", Because(reason))
	case s.Status == spec.Paused:
		return concludeWork(s.ID, "work resumes it", "stopped%s", Because(reason))
	case s.Status == spec.Cancelled:
		return conclude(next.Reset.On(s.ID), "cancelled")
	}
	return conclude(l.next(next.Work.On(s.ID)), "it is %s on its branch%s", s.Status, Because(reason))
}

// concludeUnlanded concludes for a spec that is completed on its branch. The order of the cases decides: what a person has
// refused comes before what a person can still allow.
func (l Facts) concludeUnlanded(reason string) conclusion {
	s, hold := l.of, MissingApproval(l.of, l.History)
	switch {
	case l.code() == spec.ReasonWithdrawn:
		return conclude(next.Reset.On(s.ID), "completed on its branch, but not landed%s", Because(reason))
	case hold.Exists():
		return conclude(approvalStep(s, hold), "completed on its branch, but not landed: it %s", hold)
	// An agent can write the status, but not the journal of this repository.
	case l.History.CompleteCommit() == "":
		return conclude(next.Finalize.On(s.ID), "its branch says that it is completed, but chant has not completed it in this repository")
	case s.WaitsToTurnGreen():
		return conclude(l.next(next.Work.On(s.Fields.RedFor)), "its tests fail as they must, and land with %s", s.Fields.RedFor)
	case l.code() == spec.ReasonUnapproved && l.edited:
		return conclude(next.Merge.On(s.ID), "completed on its branch, and approved since")
	}
	return conclude(l.next(next.Merge.On(s.ID)), "completed on its branch, but not landed%s", Because(reason))
}

// concludeAttention concludes for a spec that needs attention: a driver that stays open, or work that a person looks at.
func (l Facts) concludeAttention(reason string) conclusion {
	s := l.of
	switch {
	case l.graph.OpenDriver(s.ID):
		return conclude(l.settle, "the driver stays open%s", Because(reason))
	case s.Branch == "" && l.code() == spec.ReasonNoLonger:
		return concludeWork(s.ID, "work does it again, finalize completes it once it is fixed", "it was completed%s", Because(reason))
	}
	return conclude(attentionStep(s.ID, l.code(), l.way, l.empty).Or(l.next(next.Reset.On(s.ID))), "it needs your attention%s%s", Because(reason), afterMerge(l.way))
}

// concludeFailed concludes for a spec whose last attempt failed: first by what people have decided about the spec.
func (l Facts) concludeFailed(reason string) conclusion {
	s := l.of
	rejected := s.ApprovalBlock().Kind == spec.HeldByRejection
	switch hold := MissingApproval(s, l.History); {
	case rejected && l.edited:
		return conclude(next.Approve.On(s.ID), "the last attempt failed, the spec was rejected, and it was edited since")
	case l.edited && hold.Exists():
		return conclude(approvalStep(s, hold), "the last attempt failed, and the spec %s", hold)
	case rejected:
		return conclude(next.Edit.On(s.ID), "the last attempt failed, and the spec was rejected")
	}
	return l.concludeAttempts(reason)
}

// concludeAttempts advises another attempt if that can have another outcome, because the agent
// reads what failed. A script would fail again, and so would an agent that has failed twice in
// the same way; then a person has to edit the spec.
func (l Facts) concludeAttempts(reason string) conclusion {
	id, attempts := l.of.ID, l.History.Attempts
	n := len(attempts)
	switch {
	case l.code() == spec.ReasonQuestion && l.asks != "":
		return conclude(next.Answer.On(id), "the last attempt ended with a question: %s", l.asks)
	case l.code() == spec.ReasonQuestion:
		return concludeWork(id, "work tries again, and its agent gets the answer", "the last attempt ended with a question, which is closed")
	case l.edited || n == 0:
		return conclude(next.Work.On(id), "the last attempt failed; it has been edited since, and work tries again on the same branch")
	case !attempts[n-1].Next.IsZero():
		return conclude(attempts[n-1].Next, "the last attempt failed%s", Because(reason))
	case attempts[n-1].Agent != nil && attempts[n-1].Agent.Refused:
		return conclude(next.Config.On().Flag("validate"), "the last attempt failed%s; work tries again once that is settled", Because(reason))
	case l.shell:
		return conclude(next.Edit.On(id), "the last attempt failed%s; its script would fail again, so edit the script or the criterion, then work it again", Because(reason))
	// The same reason twice: the agent has read what failed and could not mend it.
	case n > 1 && attempts[n-2].Reason == attempts[n-1].Reason:
		return conclude(next.Edit.On(id), "two attempts failed in the same way%s; edit the spec, then work it again", Because(reason))
	}
	return concludeWork(id, "work tries again on the same branch, reset starts over", "the last attempt failed%s", Because(reason))
}

// interruptedAt returns a phrase that says at which step a run was interrupted, as far as that is known.
func interruptedAt(h *journal.History) string {
	last := h.Last()
	switch {
	case last == nil:
		return " at an unknown step, because its journal is missing"
	case last.Last == "":
		return " before its first step"
	}
	return fmt.Sprintf(" at step %q", last.Last)
}

// Because returns a reason as the end of a sentence, "" without a reason.
func Because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// attentionStep returns the next step for a spec that needs attention, by the kind of its reason; the zero step if the
// failure itself names a step. way is the step out of a conflict with the target; empty means that the branch contains
// no work.
func attentionStep(id string, code spec.ReasonCode, way next.Step, empty bool) next.Step {
	switch code {
	case spec.ReasonDrifted:
		return next.Work.On(id).Flag("replay")
	case spec.ReasonTampered, spec.ReasonWeakened:
		if empty {
			// The forbidden change is all there is.
			return next.Reset.On(id)
		}
		return next.Finalize.On(id).Flag("accept-changes")
	case spec.ReasonConflict:
		return way
	case spec.ReasonMergedTree:
		return way.Or(next.Work.On(id))
	case spec.ReasonUnverified, spec.ReasonDriverOpen, spec.ReasonOutput, spec.ReasonReviewed:
		return next.Work.On(id)
	}
	return next.Step{}
}

// afterMerge returns a phrase that says what to do after a merge by hand, "" for any other step.
func afterMerge(way next.Step) string {
	if way.Shell == "" {
		return ""
	}
	return "; once it is merged and committed there, finalize and then merge land it"
}

// RetryText says when the agent of a postponed run is tried again. Programs read it too, so the time has its zone.
func RetryText(s *spec.Spec) string {
	return "a retry at " + s.Fields.Retry.Due().UTC().Format(time.RFC3339)
}
