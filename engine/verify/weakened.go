package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine/code/weakened"
	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/store/message"
	"chant/gitops"
)

// weakenedWork is what the work on a spec weakens in checks, and what was decided about that.
type weakenedWork struct {
	found    weakened.Found
	set      spec.Weakened // of the settings with which the work began
	purpose  weakened.Work
	accepted []string // what the commits of the work say that people have accepted
	squashed bool     // it has no commits of its own
}

// weakenedBy finds which checks the work on a spec weakens: from the commits of its run in a range, or from the whole range
// where these were squashed. Without a range, the commits of its branch are compared, and of work that has landed the
// evidence counts.
func weakenedBy(ctx context.Context, e *evidences, sub subject) (weakenedWork, error) {
	switch {
	case sub.changes != nil:
		return weakenedInRange(ctx, e, sub)
	case sub.s.Branch != "":
		run, err := NewJudging(e.p, sub.s, nil)
		if err != nil || run.Journal.History().Trusted == nil {
			return weakenedWork{}, err
		}
		found, err := run.Guard.Weakened(ctx)
		return weakenedWork{found: found}, err
	case sub.s.Status == spec.Completed:
		found, err := e.find(ctx, sub.s.ID)
		if found == nil || err != nil {
			return weakenedWork{}, err
		}
		return weakenedWork{found: weakened.Found{Findings: found.Weakened}}, nil
	}
	return weakenedWork{}, nil
}

func weakenedInRange(ctx context.Context, e *evidences, sub subject) (weakenedWork, error) {
	p, c := e.p, sub.changes
	was, err := p.Store.ReadAt(ctx, c.from, sub.s.ID)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) || was != nil && was.Status == spec.Completed {
		return weakenedWork{}, ignoreMissing(err)
	}
	r, err := runOf(ctx, p, sub)
	if err != nil {
		return weakenedWork{}, err
	}
	from, to, began := c.from, c.to, c.from
	work := weakenedWork{squashed: r.start == nil && r.complete == nil}
	switch {
	case r.start != nil && r.complete != nil:
		from, to, began = r.start.Hash, r.complete.Hash, r.start.Hash
		brought, err := mergedTargetCommits(ctx, p, c, r)
		if err != nil {
			return weakenedWork{}, err
		}
		// What the target has changed meanwhile is not of this run.
		if len(brought) > 0 {
			from = brought[0]
		}
	case work.squashed:
		if byMembers, err := judgedByMembersOnly(ctx, p, sub.s, was); err != nil || byMembers {
			return weakenedWork{}, err
		}
	default:
		// A person has completed it without a run.
		return weakenedWork{}, nil
	}
	settings, err := configAt(ctx, p, began)
	if err != nil || settings.Verify.Weakened == spec.WeakenedOff {
		return weakenedWork{}, err
	}
	start, err := p.Store.ReadAt(ctx, began, sub.s.ID)
	if errors.Is(err, gitops.ErrNotFound) {
		start, err = sub.s, nil
	}
	if err != nil {
		return weakenedWork{}, err
	}
	checks, err := checksAt(ctx, p, began)
	if err != nil {
		return weakenedWork{}, err
	}
	work.set, work.purpose = checks.Weakened, weakened.WorkOn(start, checks, settings.Worktree.Setup)
	for _, commit := range c.commits {
		if work.squashed || r.inside[commit.Hash] && recordsCompletion(commit, sub.s.ID) {
			work.accepted = append(work.accepted, message.Lines(commit, message.AcceptedTrailer)...)
		}
	}
	work.found, err = weakened.Between(ctx, p.Repo, from, to, work.purpose)
	return work, err
}

// ignoreMissing returns nil for what a commit does not have.
func ignoreMissing(err error) error {
	if errors.Is(err, gitops.ErrNotFound) {
		return nil
	}
	return err
}

// isAccepted reports whether a finding is among the changes that people have accepted, by its place and kind: secrets in
// its texts were replaced there.
func isAccepted(w criteria.Weakened, accepted []string) bool {
	place := fmt.Sprintf("%s:%d %s", w.File, w.Line, w.Kind)
	return slices.ContainsFunc(accepted, func(what string) bool { return what == place || strings.HasPrefix(what, place+":") }) ||
		len(accepted) >= message.MaxAccepted
}

// unaccepted describes the findings that needed a decision and have none.
func (w weakenedWork) unaccepted() []string {
	var out []string
	for _, one := range w.found.Findings {
		switch {
		case !one.NeedsDecision(w.set, w.purpose.Commands):
		case w.set == spec.WeakenedRefuse:
			out = append(out, "its work weakens a check, which verify.weakened refuses: "+one.String())
		case !isAccepted(one, w.accepted):
			out = append(out, "its work weakens a check, and no person has accepted that: "+one.String())
		}
	}
	return out
}

// unlike describes how evidence about the work differs from what its commits show. What depends on the commands of criteria
// is left out, since those of a run may have been added to.
func (w weakenedWork) unlike(e *RecordedEvidence) []string {
	ofCommands := func(one criteria.Weakened) bool {
		return slices.Contains([]criteria.WeakenedKind{criteria.TestConfigChanged, criteria.FailureIgnored, criteria.CheckChanged, criteria.NotComparable}, one.Kind)
	}
	var out []string
	for _, one := range w.found.Findings {
		// Versions of chant that did not look for it have accepted nothing of it either.
		known := len(e.Weakened) > 0 || isAccepted(one, w.accepted)
		if known && !ofCommands(one) && !slices.Contains(e.Weakened, one) {
			out = append(out, fmt.Sprintf("the evidence of commit %.7s leaves out a check that the work weakens: %s", e.Commit, one))
		}
	}
	for _, one := range e.Weakened {
		if !w.squashed && w.set != spec.WeakenedOff && !ofCommands(one) && !slices.Contains(w.found.Findings, one) {
			out = append(out, fmt.Sprintf("the evidence of commit %.7s names a weakened check that the work does not have: %s", e.Commit, one))
		}
	}
	return out
}

// WeakenedLines are the findings of the work as lines of text, with what was decided about them.
func (r VerifyResult) WeakenedLines() []string {
	var out []string
	for _, w := range r.Weakened {
		line := w.String()
		if isAccepted(w, r.accepted) {
			line += " (accepted)"
		}
		out = append(out, line)
	}
	if r.Uncompared != "" {
		out = append(out, r.Uncompared)
	}
	return out
}
