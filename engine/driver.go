package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/verify"
	"chant/gitops/lockfile"
	"chant/markdown"
)

// completeDriver completes a driver whose members are all done, other than by the landing of the last of them: that was
// merged by hand or cancelled, or a crash came between. Criteria and commands of its own are judged on the target; where
// they do not hold, the driver stays open with its reason, and the error is Unverified. also makes further changes in the
// same commit, nil for none.
func (e *Engine) completeDriver(ctx context.Context, g *spec.Graph, id, why string, also docEdit) (WorkResult, error) {
	s, err := g.Spec(id).TickedBy(g.MemberSpecs(id))
	if err != nil {
		return WorkResult{}, err
	}
	target, err := e.targetFor(ctx, s)
	if err != nil {
		return WorkResult{}, err
	}
	r := e.newRun(run.Job{ID: s.ID, Title: s.Title, Target: target}, &held{history: &run.History{}}, e.settings())
	if s.OwnChecks() {
		if r.Job.RunID, err = e.runID(); err != nil {
			return WorkResult{}, err
		}
		tip, err := e.repo.Resolve(ctx, "refs/heads/"+target)
		if err != nil {
			return WorkResult{}, err
		}
		if r.Report, err = r.JudgeDriver(ctx, tip, s); err != nil {
			return WorkResult{}, err
		}
	}
	change := run.DriverChange(s, r.Report, why, e.Now())
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
	if change.Event == spec.Flag && s.Status == spec.NeedsAttention && s.SaysDriverOpen(change.Why) {
		return result, driverOpen(s, r.Report)
	}
	out, err := e.store.Transition(ctx, change)
	if err != nil {
		return result, err
	}
	result.Status = out.Spec.Status
	if change.Event == spec.Flag {
		return result, driverOpen(out.Spec, r.Report)
	}
	if r.Report.SpecID != "" {
		result.Verification = verify.Sum(r.Report.Criteria)
		if err := r.Attest(ctx, out.Commit); err != nil {
			return result, err
		}
	}
	head, err := e.repo.Head(ctx, e.repo.Home())
	result.Commit, result.Branch, result.Landed = out.Commit, head.Branch, out.Commit == "" || head.Branch == target
	return result, err
}

// driverOpen is the failure of a driver that stays open although its members are done.
func driverOpen(s *spec.Spec, report verify.Report) error {
	f := run.Unmet(report.Criteria)
	f.Message, f.Next = fmt.Sprintf("driver %q stays open: %s%s", s.ID, run.DriverOpen, f.Message), s.DriverNext()
	return f
}

// finalizeDriver completes a driver at a person's request. The result is empty for anything else.
func (e *Engine) finalizeDriver(ctx context.Context, s *spec.Spec, also docEdit) (WorkResult, error) {
	_, g, err := e.graph(ctx)
	if err != nil || !g.Container(s.ID) || s.Status == spec.Completed || s.Branch != "" {
		return WorkResult{}, err
	}
	if hold := s.ApprovalBlock(); hold.Exists() {
		return WorkResult{}, notApproved(s, hold)
	}
	if why := notDone(g, s.ID); why != "" {
		return WorkResult{}, fail(State, "chant deps "+s.ID, "spec %q cannot complete: %s", s.ID, why)
	}
	return e.completeDriver(ctx, g, s.ID, "All its members are done.", also)
}

// notDone names the first member for which a driver waits, "" when all are done.
func notDone(g *spec.Graph, id string) string {
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

// settleDriver completes an open driver under its own lock. ok is false when there is nothing to do: its members are
// not done, it is completed, or another process has it.
func (e *Engine) settleDriver(ctx context.Context, id, why string) (result WorkResult, ok bool, err error) {
	result, err = withHold(ctx, e, id, "complete", func(h *held) (WorkResult, error) {
		_, g, err := e.graph(ctx)
		if err != nil || !g.OpenDriver(id) || g.Spec(id).Branch != "" {
			return WorkResult{}, err
		}
		return e.completeDriver(ctx, g, id, why, nil)
	})
	var locked *lockfile.HeldError
	if errors.As(err, &locked) {
		return result, false, nil
	}
	return result, result.ID != "" || err != nil, err
}

// settleDriversOf completes the drivers above a spec that landed or was cancelled, as far as its landing has not. One
// that stays open is a warning: the spec itself is done.
func (e *Engine) settleDriversOf(ctx context.Context, id, why string) error {
	_, g, err := e.graph(ctx)
	if err != nil {
		return err
	}
	for _, driver := range g.Drivers(id) {
		_, _, err := e.settleDriver(ctx, driver, why)
		var open *Error
		switch {
		case errors.As(err, &open) && open.Code == Unverified:
			e.warn(driver, fmt.Sprintf("%s; next: %s", open.Message, open.Hint))
		case err != nil:
			return err
		}
	}
	return nil
}

// openDrivers lists the drivers of a graph that could complete now, inner ones first, but not those that a person has to
// look at.
func openDrivers(g *spec.Graph) []string {
	var out []string
	for _, s := range slices.Backward(g.Specs()) {
		if s.Status != spec.NeedsAttention && s.Branch == "" && g.OpenDriver(s.ID) {
			out = append(out, s.ID)
		}
	}
	return out
}
