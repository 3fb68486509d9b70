package work

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/run"
	"chant/engine/run/judge"
	"chant/engine/run/landing"
	"chant/engine/spec"
	"chant/gitops/lockfile"
	"chant/markdown"
)

// completeDriver completes a driver whose members are all done, other than by the landing of the last of them: that was
// merged by hand or cancelled, or a crash came between. Criteria and commands of its own are judged on the target; where
// they do not hold, the driver stays open with its reason, and the error is Unverified. also makes further changes in the
// same commit, nil for none.
func completeDriver(ctx context.Context, p *engine.Project, g *spec.Graph, id, why string, also DocEdit) (WorkResult, error) {
	s, err := g.Spec(id).TickAsMembers(g.MemberSpecs(id))
	if err != nil {
		return WorkResult{}, err
	}
	target, err := run.TargetFor(ctx, p, s)
	if err != nil {
		return WorkResult{}, err
	}
	r := run.NewRun(p, journal.Job{ID: s.ID, Title: s.Title, Target: target}, &journal.History{}, run.SettingsOf(p))
	if s.OwnChecks() {
		if r.Job.RunID, err = run.RunID(p); err != nil {
			return WorkResult{}, err
		}
		tip, err := p.Repo.Resolve(ctx, "refs/heads/"+target)
		if err != nil {
			return WorkResult{}, err
		}
		if r.Report, err = r.Lander.JudgeDriver(ctx, tip, s); err != nil {
			return WorkResult{}, err
		}
	}
	change := landing.DriverChange(s, r.Report, why, p.Now())
	if follow := change.Edit; also != nil && change.Event == spec.Complete {
		change.Edit = func(doc *markdown.Document) (*markdown.Document, error) {
			doc, err := also(doc)
			if err != nil {
				return nil, err
			}
			return follow(doc)
		}
	}
	result := WorkResult{ID: s.ID, Title: s.Title, Status: s.Status, Target: target, Criteria: r.Report.Criteria}
	if change.Event == spec.Flag && s.Status == spec.NeedsAttention && s.HasDriverOpenReason(change.Why) {
		return result, driverOpen(s, r.Report)
	}
	out, err := p.Store.Transition(ctx, change)
	if err != nil {
		return result, err
	}
	result.Status = out.Spec.Status
	if change.Event == spec.Flag {
		return result, driverOpen(out.Spec, r.Report)
	}
	if r.Report.SpecID != "" {
		result.Verification = criteria.Sum(r.Report.Criteria)
		if err := r.Judge.Attest(ctx, out.Commit); err != nil {
			return result, err
		}
	}
	head, err := p.Repo.Head(ctx, p.Repo.Home())
	result.Commit, result.Branch, result.Landed = out.Commit, head.Branch, out.Commit == "" || head.Branch == target
	return result, err
}

// driverOpen is the failure of a driver that stays open although its members are done.
func driverOpen(s *spec.Spec, report criteria.Report) error {
	f := judge.Unmet(report.Criteria)
	f.Message, f.Next = fmt.Sprintf("driver %q stays open: %s%s", s.ID, landing.DriverOpen, f.Message), s.DriverNext()
	return f
}

// finalizeDriver completes a driver at a person's request. The result is empty for anything else.
func finalizeDriver(ctx context.Context, p *engine.Project, s *spec.Spec, also DocEdit) (WorkResult, error) {
	_, g, err := engine.Graph(ctx, p)
	if err != nil || !g.Container(s.ID) || s.Status == spec.Completed || s.Branch != "" {
		return WorkResult{}, err
	}
	if hold := s.ApprovalBlock(); hold.Exists() {
		return WorkResult{}, advice.NotApproved(s, hold)
	}
	if why := NotDone(g, s.ID); why != "" {
		return WorkResult{}, engine.Fail(engine.State, next.Deps.On(s.ID), "spec %q cannot complete: %s", s.ID, why)
	}
	return completeDriver(ctx, p, g, s.ID, "All its members are done.", also)
}

// NotDone names the first member for which a driver waits, "" when all are done.
func NotDone(g *spec.Graph, id string) string {
	members := g.Members(id)
	if len(members) == 0 {
		return "it holds members and has none"
	}
	for _, m := range members {
		if s := g.Spec(m); !g.Done(m) {
			return fmt.Sprintf("its member %s is %s", m, s.Status)
		}
	}
	return ""
}

// SettleDriver completes an open driver under its own lock. ok is false when there is nothing to do: its members are
// not done, it is completed, or another process has it.
func SettleDriver(ctx context.Context, p *engine.Project, id, why string) (result WorkResult, ok bool, err error) {
	result, err = advice.WithHold(ctx, p, id, "complete", func(h *engine.Held) (WorkResult, error) {
		_, g, err := engine.Graph(ctx, p)
		if err != nil || !g.OpenDriver(id) || g.Spec(id).Branch != "" {
			return WorkResult{}, err
		}
		return completeDriver(ctx, p, g, id, why, nil)
	})
	var locked *lockfile.HeldError
	if errors.As(err, &locked) {
		return result, false, nil
	}
	return result, result.ID != "" || err != nil, err
}

// settleDriversOf completes the drivers above a spec that landed or was cancelled, as far as its landing has not. One
// that stays open is a warning: the spec itself is done.
func settleDriversOf(ctx context.Context, p *engine.Project, id, why string) error {
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return err
	}
	for _, driver := range g.Drivers(id) {
		_, _, err := SettleDriver(ctx, p, driver, why)
		var open *engine.Error
		switch {
		case errors.As(err, &open) && open.Code == engine.Unverified:
			engine.Warn(p, driver, fmt.Sprintf("%s; next: %s", open.Message, open.Next))
		case err != nil:
			return err
		}
	}
	return nil
}

// OpenDrivers lists the drivers of a graph that could complete now, inner ones first, but not those that a person has to
// look at.
func OpenDrivers(g *spec.Graph) []string {
	var out []string
	for _, s := range slices.Backward(g.Specs()) {
		if s.Status != spec.NeedsAttention && s.Branch == "" && g.OpenDriver(s.ID) {
			out = append(out, s.ID)
		}
	}
	return out
}

// DriverAndMember is the id of a driver and the first of its members to be worked, "" when none is.
func DriverAndMember(ctx context.Context, p *engine.Project, text string) (driver, member string, err error) {
	driver, err = engine.Find(ctx, p, text)
	if err != nil {
		return "", "", engine.Wrap(err, text)
	}
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return "", "", engine.Wrap(err, driver)
	}
	open := Workable(g, driver)
	if i := slices.IndexFunc(open, g.Ready); i >= 0 {
		return driver, open[i], nil
	}
	if len(open) > 0 {
		member = open[0]
	}
	return driver, member, nil
}

// Workable lists what a name stands for: itself, or those members of a driver that
// are worked themselves and are not done.
func Workable(g *spec.Graph, id string) []string {
	if !g.Container(id) {
		return []string{id}
	}
	var out []string
	for _, m := range g.Members(id) {
		if !g.Container(m) && !g.Done(m) {
			out = append(out, m)
		}
	}
	return out
}
