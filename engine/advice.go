package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/gitops"
	"chant/providers/cli"
)

// standing is how a spec stands, in one sentence, and what to do next, in one
// command.
type standing struct{ Why, Next string }

func stands(next, format string, args ...any) standing {
	return standing{fmt.Sprintf(format, args...), next}
}

// look is what is known of a spec for that. Status, diagnose, show, what work reports of many
// and the hints of errors all take the next step from it, so that they name the same one.
type look struct {
	of      *spec.Spec
	graph   *spec.Graph
	history *run.History
	held    bool   // a process has the run
	state   string // of the run, see runState
	way     string // out of a conflict with the target, see wayOut
	foreign string // the branch that has the name of its run's and was not started by chant, "" when none is
	glance  Glance // at its run
	shell   bool   // a script works it, which does the same each time
	edited  bool   // its branch, or home's copy of it, has changed since the last attempt ended
	empty   bool   // its branch has no work on it
	vacuous bool   // it has nothing to verify
	met     string // the limit of the spec that its agents have used up, "" while there is some left

	clash  *Error                   // why work cannot take the edit of home's copy, nil where it can
	commit func(next string) string // a step, or the commit of an edit in home that has to come before it
}

// lookAt finds out what is known of a spec.
func (e *Engine) lookAt(ctx context.Context, g *spec.Graph, s *spec.Spec) (look, error) {
	h, err := run.ReadHistory(e.store, s.ID)
	if err != nil {
		h = &run.History{} // the spec's own reason has to do
	}
	_, held := e.store.Holder(s.ID)
	l := look{of: s, graph: g, history: h, held: held, glance: e.glance(s), met: e.limitMet(s, h), vacuous: e.vacuous(s), shell: e.providerOf(s) == cli.ShellName}
	l.commit = func(next string) string { return e.afterCommit(ctx, next) }
	l.state = l.glance.State
	if last := h.Last(); last != nil && !last.Gone && last.Taken.Provider != "" {
		l.shell = last.Taken.Provider == cli.ShellName
	}
	if l.foreign, err = e.notStarted(ctx, s, h); err != nil {
		return l, err
	}
	if l.way, err = e.wayOut(ctx, s, l.code()); err != nil {
		return l, err
	}
	if s.Branch == "" {
		return l, nil
	}
	tip, err := e.repo.Resolve(ctx, "refs/heads/"+s.Branch)
	if err != nil {
		return l, nil //nolint:nilerr // a branch that is gone has not changed
	}
	if last := h.Last(); last != nil && !last.Gone {
		l.edited, l.clash = e.editedAtHome(ctx, s, h)
		l.edited = l.edited || last.Tip != "" && last.Tip != tip
	}
	l.empty = e.workless(ctx, s)
	return l, nil
}

// workless reports whether nothing but .chant differs on a spec's branch from where it left
// the target.
func (e *Engine) workless(ctx context.Context, s *spec.Spec) bool {
	target, err := e.target(ctx)
	if err != nil {
		return false
	}
	base, err := e.repo.MergeBase(ctx, "refs/heads/"+target, "refs/heads/"+s.Branch)
	if err != nil {
		return false
	}
	changes, err := e.repo.Diff(ctx, base, "refs/heads/"+s.Branch)
	return err == nil && !slices.ContainsFunc(changes, func(c gitops.Change) bool { return !strings.HasPrefix(c.Path, store.Dir+"/") })
}

// advised gives an error about a spec the next step that status and diagnose name for it.
func (e *Engine) advised(ctx context.Context, id, what string, err error) error {
	if err == nil {
		return nil
	}
	known, ok := errors.AsType[*Error](wrap(err, id))
	if !ok || !advisable(err) {
		return err
	}
	calm := context.WithoutCancel(ctx)
	_, g, graphErr := e.graph(calm)
	if graphErr != nil || g.Spec(id) == nil {
		return known
	}
	l, lookErr := e.lookAt(calm, g, g.Spec(id))
	next := l.conclude().Next
	if lookErr != nil || next == "" {
		return known
	}
	f, ok := errors.AsType[*run.Failure](err)
	if ok && f.Next != "" && (l.next("") != f.Next || next == "chant work "+id) {
		return known // it names the way itself: trying again would meet the same
	}
	if next == "chant "+what+" "+id && what != "work" {
		next = "chant edit " + id // it was just tried, and would end in the same way
	}
	known.Hint = next
	return known
}

// advisable reports whether an error is about how a spec's run stands.
func advisable(err error) bool {
	_, failed := errors.AsType[*run.Failure](err)
	_, state := errors.AsType[*spec.StateError](err)
	return failed || state
}

// reason is what stopped the run.
func (l look) reason() string {
	if last := l.history.Last(); l.of.Fields.Reason == "" && last != nil && !last.Gone {
		return last.Reason
	}
	return l.of.Fields.Reason
}

// code is the kind of what stopped the run.
func (l look) code() spec.ReasonCode { return reasonCode(l.of, l.history) }

// reasonCode is the kind of reason for which a spec stands as it does: what chant wrote into its front matter, else into
// the journal of its last attempt. The text of the reason is never read.
func reasonCode(s *spec.Spec, h *run.History) spec.ReasonCode {
	if last := h.Last(); s.Fields.ReasonCode == "" && last != nil && !last.Gone {
		return last.Code
	}
	return s.Fields.ReasonCode
}

// next is the command that leads on from what stopped the run, else the usual one.
func (l look) next(usual string) string {
	if last := l.history.Last(); last != nil && !last.Gone {
		return cmp.Or(last.Next, usual)
	}
	return usual
}

// conclude says how it stands. What only an agent could go on with does not while nothing
// is left of a limit of the spec.
func (l look) conclude() standing {
	at := l.standing()
	if next := l.commit(at.Next); next != at.Next {
		return standing{at.Why + "; your edit of it is not committed, and an approval covers only what is committed", next}
	}
	if l.met == "" || at.Next != "chant work "+l.of.ID {
		return at
	}
	why, _, _ := strings.Cut(at.Why, "; work ")
	if !strings.Contains(why, l.met) {
		why += ": " + l.met
	}
	return standing{why + "; no agent starts until its limits are raised", "chant edit " + l.of.ID}
}

func (l look) standing() standing {
	s, g := l.of, l.graph
	switch {
	case l.foreign != "":
		return foreignBranch(l.foreign)
	case l.held && l.state == waiting:
		return stands("chant takeover "+s.ID, "its agent waits for you")
	case l.held:
		return stands("chant log "+s.ID+" --follow", "a process is at work on it")
	case mergeAgain(s, l.history) != "":
		return stands(mergeAgain(s, l.history), "its work is complete; updating its branch from the target was interrupted at step %q", l.history.CutShort())
	case l.state == interrupted:
		return stands("chant work "+s.ID, "its run was interrupted%s; work resumes it, reset drops it", whileAt(l.history))
	case l.clash != nil:
		return stands(l.clash.Hint, "%s", l.clash.Message)
	case s.Branch != "":
		return l.ofRun()
	case s.Status == spec.Completed:
		return l.landed()
	case s.Status == spec.InProgress:
		return stands("chant finalize "+s.ID, "being worked by hand, without a run")
	case s.Status == spec.Cancelled:
		return stands("chant reset "+s.ID, "cancelled")
	case s.Status != spec.Pending:
		return l.ofRun()
	case g.OpenDriver(s.ID):
		return stands(s.DriverNext(), "all its members are done")
	case g.Container(s.ID):
		return heldOpen(g, s)
	case g.Blocked(s.ID):
		return blocked(g, s.ID)
	}
	return stands("chant work "+s.ID, "ready")
}

// landed concludes for a spec that is completed and landed.
func (l look) landed() standing {
	if l.vacuous {
		return stands("chant show "+l.of.ID, "completed and landed; there is %s", verify.Nothing)
	}
	return stands("chant verify "+l.of.ID, "completed and landed")
}

// ofRun concludes for a spec whose run stands still.
func (l look) ofRun() standing {
	s, reason := l.of, l.reason()
	switch {
	case s.Status == spec.NeedsAttention && l.graph.OpenDriver(s.ID):
		return stands(s.DriverNext(), "the driver stays open%s", because(reason))
	case s.Status == spec.Completed && !s.Landed && l.code() == spec.ReasonWithdrawn:
		return stands("chant reset "+s.ID, "completed on its branch, but not landed%s", because(reason))
	case s.Status == spec.Completed && !s.Landed && unapproved(s, l.history).Exists():
		hold := unapproved(s, l.history)
		return stands(approvalHint(s, hold), "completed on its branch, but not landed: it %s", hold)
	case s.Status == spec.Completed && !s.Landed && l.history.CompleteCommit() == "":
		return stands("chant finalize "+s.ID, "its branch says that it is completed, but chant has not completed it in this repository")
	case s.Status == spec.Completed && !s.Landed && l.code() == spec.ReasonUnapproved && l.edited:
		return stands("chant merge "+s.ID, "completed on its branch, and approved since") // it is not asked for any more
	case s.Status == spec.Completed && !s.Landed:
		return stands(l.next("chant merge "+s.ID), "completed on its branch, but not landed%s", because(reason))
	case s.Status == spec.Completed:
		return l.landed()
	case s.Status == spec.Failed && s.ApprovalBlock().Kind == spec.HeldByRejection && l.edited:
		return stands("chant approve "+s.ID, "the last attempt failed, the spec was rejected, and it was edited since")
	case s.Status == spec.Failed && l.edited && unapproved(s, l.history).Exists():
		return stands(approvalHint(s, unapproved(s, l.history)), "the last attempt failed, and the spec %s", unapproved(s, l.history))
	case s.Status == spec.Failed && s.ApprovalBlock().Kind == spec.HeldByRejection:
		return stands("chant edit "+s.ID, "the last attempt failed, and the spec was rejected")
	case s.Status == spec.Failed:
		return l.afterFailure(reason)
	case s.Status == spec.NeedsAttention && s.Branch == "" && l.code() == spec.ReasonNoLonger:
		return stands("chant work "+s.ID, "it was completed%s; work does it again, finalize completes it once it is fixed", because(reason))
	case s.Status == spec.NeedsAttention:
		return stands(cmp.Or(attentionHint(s.ID, l.code(), l.way, l.empty), l.next("chant reset "+s.ID)), "it needs your attention%s%s", because(reason), afterMerge(l.way))
	case s.AwaitsRetry():
		return stands("chant work "+s.ID, "its run is postponed%s; work starts its agent now", because(reason))
	case s.Status == spec.Paused:
		return stands("chant work "+s.ID, "stopped%s; work resumes it", because(reason))
	case s.Status == spec.Cancelled:
		return stands("chant reset "+s.ID, "cancelled")
	}
	return stands(l.next("chant work "+s.ID), "it is %s on its branch%s", s.Status, because(reason))
}

// afterFailure advises another attempt where it may go otherwise than the last one: an agent
// reads what failed. A script does the same again, and so does an agent that has failed twice
// in the same way; then the spec has to change.
func (l look) afterFailure(reason string) standing {
	id, attempts := l.of.ID, l.history.Attempts
	n := len(attempts)
	switch {
	case l.edited || n == 0:
		return stands("chant work "+id, "the last attempt failed%s; it has been edited since, and work tries again on the same branch", because(reason))
	case attempts[n-1].Next != "":
		return stands(attempts[n-1].Next, "the last attempt failed%s", because(reason))
	case attempts[n-1].Agent != nil && attempts[n-1].Agent.Refused:
		return stands("chant config --validate", "the last attempt failed%s; work tries again once that is settled", because(reason))
	case l.shell:
		return stands("chant edit "+id, "the last attempt failed%s; its script would fail again, so edit the script or the criterion, then work it again", because(reason))
	case n > 1 && attempts[n-2].Reason == attempts[n-1].Reason:
		return stands("chant edit "+id, "two attempts failed in the same way%s; edit the spec, then work it again", because(reason))
	}
	return stands("chant work "+id, "the last attempt failed%s; work tries again on the same branch, reset starts over", because(reason))
}

// heldOpen concludes for a driver, which completes with the last of its members.
func heldOpen(g *spec.Graph, s *spec.Spec) standing {
	if hold := s.ApprovalBlock(); hold.Exists() {
		return stands(approvalHint(s, hold), "it only holds members, and it %s", hold)
	}
	for _, m := range g.Members(s.ID) {
		if !g.Done(m) && !g.Container(m) {
			return stands(blockerNext(g, s.ID, m), "it only holds members and completes with the last of them: %s is %s", m, memberState(g, m))
		}
	}
	return stands("chant list", "it only holds members and completes with the last of them")
}

// memberState is how a member stands, in a word or two.
func memberState(g *spec.Graph, id string) string {
	switch s := g.Spec(id); {
	case g.Ready(id):
		return "ready"
	case g.Blocked(id):
		return "blocked"
	case s.Status == spec.Completed:
		return "completed, but has not landed"
	default:
		return string(s.Status)
	}
}

func blocked(g *spec.Graph, id string) standing {
	var waits []string
	for _, b := range g.Blockers(id) {
		if what := b.Hold.For(); what != "" && b.ID == id {
			waits = append(waits, what)
			continue
		}
		waits = append(waits, b.ID+" ("+b.Why+")")
	}
	next := blockerNext(g, id, g.Blockers(id)[0].ID)
	driver, held := g.HeldByDriver(id)
	switch b := g.Blockers(id)[0]; {
	case driver != nil && b.ID == driver.ID:
		next = approvalHint(driver, held)
	case b.ID == id:
		next = "chant edit " + id
		if b.Hold.Exists() {
			next = approvalHint(g.Spec(id), b.Hold)
		}
	}
	return stands(next, "waits for %s", strings.Join(waits, ", "))
}

// blockerNext is the command that leads on where a spec waits for another one.
func blockerNext(g *spec.Graph, id, blocker string) string {
	dep := g.Spec(blocker)
	switch {
	case dep == nil: // a name that is not there, mistyped as a rule
		return "chant edit " + id
	case dep.Status == spec.Completed && dep.Branch == "": // landed, but on another branch
		return fmt.Sprintf("git switch %s && git merge %s", g.Spec(id).Target, dep.Target)
	case g.Ready(blocker) && !g.Container(blocker):
		return "chant work " + blocker
	}
	return "chant diagnose " + blocker
}

func stepOf(h *run.History) run.Step {
	if last := h.Last(); last != nil {
		return last.Last
	}
	return ""
}

// whileAt says at which step a run was interrupted, as far as that is known.
func whileAt(h *run.History) string {
	last := h.Last()
	switch {
	case last == nil:
		return " at an unknown step, because its journal is missing"
	case last.Last == "":
		return " before its first step"
	}
	return fmt.Sprintf(" at step %q", last.Last)
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// attentionHint is the command that leads on from a reason that needs a person's attention, "" where the failure itself
// names one. way leads out of a conflict with the target; empty means that there is no work on the branch.
func attentionHint(id string, code spec.ReasonCode, way string, empty bool) string {
	switch code {
	case spec.ReasonDrifted:
		return "chant work " + id + " --replay"
	case spec.ReasonTampered:
		if empty {
			return "chant reset " + id // there is nothing but the change
		}
		return "chant finalize " + id + " --accept-changes"
	case spec.ReasonConflict:
		return way
	case spec.ReasonMergedTree:
		return cmp.Or(way, "chant work "+id)
	case spec.ReasonUnverified, spec.ReasonDriverOpen, spec.ReasonOutput:
		return "chant work " + id
	}
	return ""
}

// afterMerge says what follows on a merge by hand.
func afterMerge(way string) string {
	if !strings.HasPrefix(way, "git ") {
		return ""
	}
	return "; once it is merged and committed there, chant finalize and then chant merge land it"
}
