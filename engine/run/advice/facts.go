package advice

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
	"chant/engine/prompt"
	"chant/engine/run"

	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
	"chant/providers/cli"
)

// Facts is what is known about a spec and its run. Status, diagnose, show, the summary of many
// runs and the hints of errors all conclude from it, so that they name the same next step.
type Facts struct {
	of      *spec.Spec
	graph   *spec.Graph
	History *journal.History
	held    bool      // a process has the run
	state   string    // of the run, see RunState
	way     next.Step // out of a conflict with the target, see stepOutOfConflict
	foreign string    // its branch, if chant did not start that, see findForeignBranch; else ""
	glance  Glance    // at its run
	shell   bool      // a script works it, which does the same each time
	edited  bool      // its branch, or home's copy of it, has changed since the last attempt ended
	empty   bool      // its branch contains no work
	early   string    // why the last attempt ended before its agent began, so that its branch was taken back; else ""
	vacuous bool      // it has nothing to verify
	settle  next.Step // for a driver whose members are done, see spec.File.DriverNext
	asks    string    // the oldest open question of its agents, "" without one
	met     string    // the limit of the spec that its agents have used up, "" if none is used up

	clash      *engine.Error             // why work cannot apply the edit of home's copy, nil if it can
	commit     func(next.Step) next.Step // returns a step, or the commit of an edit in home that has to precede it
	onlyByName func(*spec.Spec) bool     // OnlyByName, for the spec or a member of it
}

// Gather finds out what is known about a spec and its run.
func Gather(ctx context.Context, p *engine.Project, g *spec.Graph, s *spec.Spec) (Facts, error) {
	h, err := journal.ReadHistory(p.Store, s.ID)
	if err != nil {
		// A journal that cannot be read leaves only the reason in the spec.
		h = &journal.History{}
	}
	_, held := p.Store.Holder(s.ID)
	l := Facts{of: s, graph: g, History: h, held: held, glance: GlanceAt(p, s), met: usage.SpecLimitReached(p, s, h), vacuous: NothingToVerify(p, s), shell: usage.ProviderOf(p, s) == cli.ShellName}
	l.onlyByName = func(s *spec.Spec) bool { return OnlyByName(p, s) }
	l.commit = func(step next.Step) next.Step { return engine.StepAfterCommit(ctx, p, step) }
	l.state = l.glance.State
	asked, err := question.OpenBox(p.Store.Files, p.Now).List(question.OfSpec(s.ID))
	if err != nil {
		return l, err
	}
	if open := question.WithState(asked, question.Open); len(open) > 0 {
		l.asks = OneLine(open[0].Prompt)
	}
	// The provider that worked last counts, since a flag may have named another than the settings.
	if last := h.Last(); last != nil && !last.Gone && last.Taken.Provider != "" {
		l.shell = last.Taken.Provider == cli.ShellName
	}
	if l.foreign, err = findForeignBranch(ctx, p, s, h); err != nil {
		return l, err
	}
	if l.way, err = stepOutOfConflict(ctx, p, s, l.code()); err != nil {
		return l, err
	}
	if g.OpenDriver(s.ID) {
		driver, err := p.Store.Get(ctx, s.ID)
		if err != nil {
			return l, err
		}
		l.settle = driver.DriverNext()
	}
	if s.Branch == "" {
		l.early = EarlyEnd(p, s, h)
		return l, nil
	}
	tip, err := p.Repo.Resolve(ctx, "refs/heads/"+s.Branch)
	if err != nil {
		// A branch that is gone cannot have changed.
		return l, nil //nolint:nilerr
	}
	if last := h.Last(); last != nil && !last.Gone {
		l.edited, l.clash = run.EditedAtHome(ctx, p, s, h)
		l.edited = l.edited || last.Tip != "" && last.Tip != tip
		err = RefuseStrayCommits(ctx, p, s, h)
		if stray, ok := errors.AsType[*engine.Error](err); ok {
			l.clash, err = stray, nil
		}
		if err != nil {
			return l, err
		}
	}
	l.empty = hasNoWork(ctx, p, s)
	return l, nil
}

// EarlyEnd returns why the set-up of the last attempt of a spec failed, so that the spec is pending again. It returns "" if the
// attempt did not end that way, or if a person has reset the spec or written the settings since. Whatever else kept an attempt
// from its agent may be gone by now, and work finds out.
func EarlyEnd(p *engine.Project, s *spec.Spec, h *journal.History) string {
	last := h.Last()
	if s.Status != spec.Pending || s.Branch != "" || last == nil || last.Gone || !last.Closed || last.AgentBegan() || last.Code != spec.ReasonSetup {
		return ""
	}
	info, err := os.Stat(filepath.Join(engine.Home(p), filepath.FromSlash(store.ConfigPath)))
	// The reason may be mended now, and work finds out.
	if err == nil && info.ModTime().After(last.Opened) {
		return ""
	}
	return last.Reason
}

// hasNoWork reports whether a spec's branch has changed nothing outside .chant since it
// branched off the target.
func hasNoWork(ctx context.Context, p *engine.Project, s *spec.Spec) bool {
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

// reason returns why the run stopped: from the spec, else from the journal of the last attempt.
func (l Facts) reason() string {
	if last := l.History.Last(); l.of.Fields.Reason == "" && last != nil && !last.Gone {
		return last.Reason
	}
	return l.of.Fields.Reason
}

// code returns the kind of that reason.
func (l Facts) code() spec.ReasonCode { return ReasonCode(l.of, l.History) }

// ReasonCode returns the kind of the reason for a spec's status: what chant wrote into its front matter, else into the
// journal of its last attempt. The text of the reason is never read.
func ReasonCode(s *spec.Spec, h *journal.History) spec.ReasonCode {
	if last := h.Last(); s.Fields.ReasonCode == "" && last != nil && !last.Gone {
		return last.Code
	}
	return s.Fields.ReasonCode
}

// next returns the next step that the last attempt recorded, else the usual step.
func (l Facts) next(usual next.Step) next.Step {
	if last := l.History.Last(); last != nil && !last.Gone {
		return last.Next.Or(usual)
	}
	return usual
}

// LastStep returns the last step that the newest attempt has begun, "" without a step.
func LastStep(h *journal.History) journal.Step {
	if last := h.Last(); last != nil {
		return last.Last
	}
	return ""
}

// NothingToVerify reports whether a spec has nothing to verify, or had nothing when it was completed. A driver is
// verified by its members.
func NothingToVerify(p *engine.Project, s *spec.Spec) bool {
	if s.Fields.Verification == string(criteria.Nothing) {
		return true
	}
	return !s.Fields.Type.Container() && !s.OwnChecks() && len(prompt.ProjectCommands(p, s.Fields.TargetFiles)) == 0
}

// OnlyByName reports whether a spec is worked only if a person names it: a task, which is written down as soon as one thinks
// of it, for whose work nothing is required yet. What WhyOnlyByName says of it follows "it".
func OnlyByName(p *engine.Project, s *spec.Spec) bool {
	return s.Fields.Task != "" && s.Status == spec.Pending && s.Branch == "" && NothingToVerify(p, s)
}

// ReadyOrBlocked reports whether a spec is worked where everything that is ready is, and whether it waits for something: as
// the graph says, but a task that OnlyByName means is not ready.
func ReadyOrBlocked(p *engine.Project, g *spec.Graph, s *spec.Spec) (ready, blocked bool) {
	ready, blocked = g.ReadyOrBlocked(s.ID)
	return ready && !OnlyByName(p, s), blocked
}

// NeedsCriteria is what makes a task ready of which OnlyByName is true, in words that follow "waits for".
const NeedsCriteria = "acceptance criteria"

// WhyOnlyByName is why a task is left out where everything that is ready is worked.
const WhyOnlyByName = "has no acceptance criteria yet, so it starts only when it is named"

// IsWorkComplete reports whether the work of a spec's run is complete, landed or not. Then chant
// starts no agent without being asked, and recovery after a crash only settles the run.
func IsWorkComplete(s *spec.Spec, h *journal.History) bool {
	return s.Branch != "" && h.WorkComplete() && slices.Contains([]spec.Status{spec.Completed, spec.NeedsAttention}, s.Status)
}

// MergeAgainStep returns the step that repeats an update of the branch of complete work whose
// process died; the zero step if there was none.
func MergeAgainStep(s *spec.Spec, h *journal.History) next.Step {
	at := h.InterruptedStep()
	if at == "" || !IsWorkComplete(s, h) {
		return next.Step{}
	}
	if at == journal.Rebase {
		return next.Merge.On(s.ID).Flag("rebase")
	}
	if by := h.Last().Taken.Provider; by != "" {
		return next.Merge.On(s.ID).Flag("auto").Set("provider", by)
	}
	return next.Merge.On(s.ID).Flag("auto")
}
