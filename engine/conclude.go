package engine

import (
	"cmp"
	"fmt"
	"strings"

	"chant/engine/run"
	"chant/engine/spec"
)

// standing is how a spec stands, in one sentence, and what to do next, in one
// command.
type standing struct{ Why, Next string }

func stands(next, format string, args ...any) standing {
	return standing{fmt.Sprintf(format, args...), next}
}

// look is what is known of a spec for that.
type look struct {
	of      *spec.Spec
	graph   *spec.Graph
	history *run.History
	held    bool   // a process has the run
	state   string // of the run, see runState
	way     string // out of a conflict with the target, see wayOut
	foreign string // the branch that has the name of its run's and was not started by chant, "" when none is
	met     string // the limit of the spec that its agents have used up, "" while there is some left
}

// reason is what stopped the run.
func (l look) reason() string {
	if last := l.history.Last(); l.of.Fields.Reason == "" && last != nil && !last.Gone {
		return last.Reason
	}
	return l.of.Fields.Reason
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
	if l.met == "" || at.Next != "chant work "+l.of.ID {
		return at
	}
	why, _, _ := strings.Cut(at.Why, "; work ")
	if !strings.Contains(why, l.met) {
		why += ": " + l.met
	}
	return standing{why + "; no agent begins unless its limits say more", "chant edit " + l.of.ID}
}

func (l look) standing() standing {
	s, g := l.of, l.graph
	switch {
	case l.foreign != "":
		return foreignBranch(l.foreign)
	case l.held:
		return stands("chant log "+s.ID+" --follow", "a process is at work on it")
	case mergeAgain(s, l.history) != "":
		return stands(mergeAgain(s, l.history), "its work is complete; bringing its branch up to date was interrupted while at %q", l.history.CutShort())
	case l.state == interrupted:
		return stands("chant work "+s.ID, "its run was interrupted while at %q; work goes on with it, reset drops it", stepOf(l.history))
	case s.Branch != "":
		return l.ofRun()
	case s.Status == spec.Completed:
		return stands("chant verify "+s.ID, "completed and landed")
	case s.Status == spec.InProgress:
		return stands("chant finalize "+s.ID, "being worked by hand, without a run")
	case s.Status == spec.Cancelled:
		return stands("chant reset "+s.ID, "cancelled")
	case s.Status != spec.Pending:
		return l.ofRun()
	case g.OpenDriver(s.ID):
		return stands(s.DriverNext(), "all its members are done")
	case g.Container(s.ID):
		return stands("chant list", "it only holds members and completes with the last of them")
	case g.Blocked(s.ID):
		return blocked(g, s.ID)
	}
	return stands("chant work "+s.ID, "ready")
}

// ofRun concludes for a spec whose run stands still.
func (l look) ofRun() standing {
	s, reason := l.of, l.reason()
	switch {
	case s.Status == spec.NeedsAttention && l.graph.OpenDriver(s.ID):
		return stands(s.DriverNext(), "the driver stays open%s", because(reason))
	case s.Status == spec.Completed && !s.Landed && run.TakenBack(reason):
		return stands("chant reset "+s.ID, "completed on its branch, but not landed%s", because(reason))
	case s.Status == spec.Completed && !s.Landed && unapproved(s, l.history) != "":
		why := unapproved(s, l.history)
		return stands(approvalHint(s, why), "completed on its branch, but not landed: it %s", why)
	case s.Status == spec.Completed && !s.Landed && l.history.CompleteCommit() == "":
		return stands("chant finalize "+s.ID, "its branch says that it is completed, but chant has not completed it in this repository")
	case s.Status == spec.Completed && !s.Landed:
		return stands(l.next("chant merge "+s.ID), "completed on its branch, but not landed%s", because(reason))
	case s.Status == spec.Completed:
		return stands("chant verify "+s.ID, "completed and landed")
	case s.Status == spec.Failed && s.ApprovalBlock() == spec.RefusedApproval:
		return stands("chant edit "+s.ID, "the last attempt failed, and the spec was rejected")
	case s.Status == spec.Failed:
		return stands("chant work "+s.ID, "the last attempt failed%s; work tries again on the same branch, reset begins anew", because(reason))
	case s.Status == spec.NeedsAttention && s.Branch == "" && strings.HasPrefix(reason, run.NoLonger):
		return stands("chant work "+s.ID, "it was completed%s; work has it done again, finalize completes it when it was mended", because(reason))
	case s.Status == spec.NeedsAttention:
		return stands(cmp.Or(attentionHint(s, reason, l.way), l.next("chant reset "+s.ID)), "a person has to look%s%s", because(reason), afterMerge(l.way))
	case s.AwaitsRetry():
		return stands("chant work "+s.ID, "its agent was put off%s; work asks it now", because(reason))
	case s.Status == spec.Paused:
		return stands("chant work "+s.ID, "stopped%s; work goes on with it", because(reason))
	case s.Status == spec.Cancelled:
		return stands("chant reset "+s.ID, "cancelled")
	}
	return stands("chant work "+s.ID, "it is %s on its branch", s.Status)
}

func blocked(g *spec.Graph, id string) standing {
	var waits []string
	for _, b := range g.Blockers(id) {
		waits = append(waits, b.ID+" ("+b.Why+")")
	}
	next := "chant diagnose " + g.Blockers(id)[0].ID
	driver, held := g.HeldByDriver(id)
	switch b := g.Blockers(id)[0]; {
	case driver != nil && b.ID == driver.ID:
		next = approvalHint(driver, held)
	case b.ID == id:
		next = "chant edit " + id
		if why := g.Spec(id).ApprovalBlock(); why == b.Why {
			next = approvalHint(g.Spec(id), why)
		}
	}
	return stands(next, "waits for %s", strings.Join(waits, ", "))
}

func stepOf(h *run.History) run.Step {
	if last := h.Last(); last != nil {
		return last.Last
	}
	return ""
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// attentionHint names the way on from what a person has to look at, "" where what stopped
// the run has named it.
func attentionHint(s *spec.Spec, reason, way string) string {
	switch {
	case strings.HasPrefix(reason, driftedPrefix):
		return "chant work " + s.ID + " --replay"
	case strings.HasPrefix(reason, run.TamperedPrefix):
		return "chant finalize " + s.ID + " --accept-changes"
	case way != "":
		return way
	case strings.Contains(reason, run.NotHolding), strings.HasPrefix(reason, run.BadOutputPrefix):
		return "chant work " + s.ID
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
