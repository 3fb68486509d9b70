package guard

import (
	"context"
	"errors"
	"slices"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/store/message"
	"chant/engine/store/touched"
	"chant/gitops"
)

// Decisions returns what people have decided about a run that completes, for the message of its complete commit: each
// change that was accepted although a run may not make it, and an approval that was waived. A clone without evidence
// and without this machine's journal reads it there.
func Decisions(ctx context.Context, g *Guard) ([]message.Trailer, error) {
	var out []message.Trailer
	if t := g.Journal.History().Trusted; g.Accepted || t != nil && t.Accepted {
		accepted, err := g.acceptedChanges(ctx)
		if err != nil {
			return nil, err
		}
		for _, what := range accepted[:min(len(accepted), message.MaxAccepted)] {
			out = append(out, message.Trailer{Key: message.AcceptedTrailer, Value: g.Secrets.Text(what)})
		}
	}
	// An earlier attempt may have waived it, and the work is still of that run.
	skipped := slices.ContainsFunc(g.Journal.History().Attempts, func(a *journal.Attempt) bool { return !a.Gone && a.Job.SkipApproval })
	start, err := g.Trusted(ctx)
	if err != nil || !g.Job.SkipApproval && !skipped {
		return out, err
	}
	start.Fields.Approval = g.ApprovedStart(start)
	if hold := start.ApprovalBlock(); hold.Exists() && hold.Waivable() {
		out = append(out, message.Trailer{Key: message.WaivedTrailer, Value: describeWaived(hold)})
	}
	return out, nil
}

func describeWaived(hold spec.Hold) string { return "the spec " + hold.String() }

// acceptedChanges lists the changes of the run that a person has accepted: those on the branch, and those beside it that were
// found.
func (g *Guard) acceptedChanges(ctx context.Context) ([]string, error) {
	base, err := g.Base(ctx)
	if err != nil {
		return nil, err
	}
	start, err := g.SpecAt(ctx, base)
	// The run has added the spec.
	if errors.Is(err, gitops.ErrNotFound) {
		start, err = g.Trusted(ctx)
	}
	if err != nil {
		return nil, err
	}
	rules, err := g.rules(ctx, start, base)
	if err != nil {
		return nil, err
	}
	things, err := g.commits().Changes(ctx, base, "refs/heads/"+g.Job.Branch, rules)
	if err != nil {
		return nil, err
	}
	out, err := g.SecretsIn(ctx, base, "refs/heads/"+g.Job.Branch)
	if err != nil {
		return nil, err
	}
	weak, err := g.weakenedSince(ctx, base)
	if err != nil {
		return nil, err
	}
	for _, w := range weak.deciding(g.Settings.Verify.Weakened) {
		out = append(out, w.String())
	}
	for _, t := range things {
		// A run may change programs.
		if t.Kind != touched.Program {
			out = append(out, t.String())
		}
	}
	for _, a := range g.Journal.History().Attempts {
		if out = append(out, a.Behind...); a.Agent != nil {
			out = append(out, a.Agent.Behind...)
		}
	}
	// Accepting is a decision also where nothing can be named.
	if len(out) == 0 {
		out = append(out, "all changes of the run")
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// ReportDropped reports the files that the run's spec named when it started and no longer names.
func ReportDropped(ctx context.Context, g *Guard) error {
	start, err := g.Trusted(ctx)
	if err != nil {
		return err
	}
	now, err := g.OwnSpec(ctx)
	if err != nil {
		// CheckUntampered has put it back or reported it.
		return nil
	}
	var seen []string
	for _, file := range touched.DroppedFiles(start, now) {
		seen = append(seen, "the spec no longer names "+file+", whose drift is then not reported")
	}
	return g.report("in the run", seen)
}
