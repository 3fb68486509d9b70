package guard

import (
	"context"
	"fmt"
	"strings"

	"chant/engine/code/weakened"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
)

// comparedBranch is what the commits between two of the branch weaken.
type comparedBranch struct {
	from, to string
	work     weakened.Work
	found    weakened.Found
}

// Weakened returns which checks the branch weakens since it left the target, from its commits alone; nothing if the settings
// do not look for that.
func (g *Guard) Weakened(ctx context.Context) (weakened.Found, error) {
	base, err := g.Base(ctx)
	if err != nil {
		return weakened.Found{}, err
	}
	c, err := g.weakenedSince(ctx, base)
	return c.found, err
}

// weakenedSince compares the branch with a commit. The last answer is remembered: a run asks several times.
func (g *Guard) weakenedSince(ctx context.Context, from string) (comparedBranch, error) {
	if g.Settings.Verify.Weakened == spec.WeakenedOff {
		return comparedBranch{}, nil
	}
	tip, err := g.Repo.Resolve(ctx, "refs/heads/"+g.Job.Branch)
	if err != nil || g.weakened.from == from && g.weakened.to == tip {
		return g.weakened, err
	}
	start, err := g.Trusted(ctx)
	if err != nil {
		return comparedBranch{}, err
	}
	c := comparedBranch{from: from, to: tip, work: weakened.WorkOn(start, g.Settings.Verify, g.Settings.SetupCmd)}
	if c.found, err = weakened.Between(ctx, g.Repo, from, tip, c.work); err == nil {
		g.weakened = c
	}
	return c, err
}

// CheckWeakened checks that the settings let the work land with the checks that it weakens, or that a person has accepted
// them, where that counts. What needs no decision is announced while the work is judged.
func (g *Guard) CheckWeakened(ctx context.Context) error {
	refuse := g.Settings.Verify.Weakened == spec.WeakenedRefuse
	if g.Accepted && !refuse {
		return nil
	}
	since, err := g.Base(ctx)
	if err != nil {
		return err
	}
	// Where weakened checks are refused, no person accepts them but by the setting.
	if !refuse {
		if since, err = g.acceptedCommit(ctx); err != nil {
			return err
		}
	}
	c, err := g.weakenedSince(ctx, since)
	if err != nil {
		return err
	}
	var names []string
	for _, w := range c.deciding(g.Settings.Verify.Weakened) {
		names = append(names, w.String())
	}
	return weakenedFailure(names, g.Settings.Verify.Weakened)
}

// weakenedFailure is the failure of work that weakens some checks, nil for none.
func weakenedFailure(names []string, set spec.Weakened) error {
	if len(names) == 0 {
		return nil
	}
	f := &journal.Failure{Kind: spec.ReasonWeakened, Details: names, Message: "the work weakens checks: " + strings.Join(attempt.ClipList(names), "; ")}
	if more := len(names) - attempt.MaxNamed; more > 0 {
		f.Message += fmt.Sprintf("; and %d more", more)
	}
	if set == spec.WeakenedRefuse {
		f.Message = "verify.weakened is refuse, and " + f.Message
		f.Next = next.EditFile(store.ConfigPath)
	}
	return f
}

// deciding returns the findings for which the settings want a decision.
func (c comparedBranch) deciding(set spec.Weakened) []criteria.Weakened {
	var out []criteria.Weakened
	for _, w := range c.found.Findings {
		if w.NeedsDecision(set, c.work.Commands) {
			out = append(out, w)
		}
	}
	return out
}

// ReportWeakened announces which checks the branch weakens without the need of a decision, and what was not compared.
func (g *Guard) ReportWeakened(ctx context.Context) error {
	base, err := g.Base(ctx)
	if err != nil {
		return err
	}
	c, err := g.weakenedSince(ctx, base)
	if err != nil {
		return err
	}
	var seen []string
	for _, w := range c.found.Findings {
		if !w.NeedsDecision(g.Settings.Verify.Weakened, c.work.Commands) {
			seen = append(seen, "a check was weakened: "+w.String())
		}
	}
	if c.found.Cut != "" {
		seen = append(seen, c.found.Cut)
	}
	return g.report("in the run", seen)
}
