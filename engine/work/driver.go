package work

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/judge"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops/lockfile"
	"chant/markdown"
)

// driverCompletion completes drivers whose members are all done if the landing of the last member has not: that member
// was merged by hand or cancelled, or a crash came in between.
type driverCompletion struct {
	p     *engine.Project
	graph *spec.Graph
	why   string  // for the commit
	also  DocEdit // makes further changes in the same commit, nil for none
}

// complete completes a driver. Criteria and commands of the driver itself are judged on the target; if they do not hold,
// the driver stays open with a reason, and the error is Unverified.
func (c driverCompletion) complete(ctx context.Context, id string) (WorkResult, error) {
	s, err := engine.WithText(ctx, c.p, c.graph.Spec(id))
	if err != nil {
		return WorkResult{}, err
	}
	if s, err = tickAsMembers(ctx, c.p, c.graph, s); err != nil {
		return WorkResult{}, err
	}
	target, err := run.TargetFor(ctx, c.p, &s.Spec)
	if err != nil {
		return WorkResult{}, err
	}
	r, report, err := c.judge(ctx, s, target)
	if err != nil {
		return WorkResult{}, err
	}
	result := WorkResult{ID: s.ID, Title: s.Title, Status: s.Status, Target: target, Criteria: report.Criteria}
	change := c.change(s, report)
	// The file has this reason already, and writing it again would only add a commit.
	if change.Event == spec.Flag && s.Status == spec.NeedsAttention && s.HasDriverOpenReason(change.Why) {
		return result, driverOpenFailure(s, report)
	}
	if change.Event == spec.Complete {
		if change.Writes, err = deltasOf(c.p, s); err != nil {
			return result, err
		}
	}
	out, err := c.p.Store.Transition(ctx, change)
	if err != nil {
		return result, err
	}
	// After the commit: an empty folder is in no commit, and its removal cannot fail one.
	removeEmpty(c.p, change.Writes)
	result.Status = out.Spec.Status
	if change.Event == spec.Flag {
		return result, driverOpenFailure(out.Spec, report)
	}
	if report.SpecID != "" {
		result.Verification = criteria.Sum(report.Criteria)
		if err := r.Judge.Attest(ctx, report, out.Commit); err != nil {
			return result, err
		}
	}
	head, err := c.p.Repo.Head(ctx, c.p.Repo.Home())
	// In silent mode there is no commit, and the file in home is the only copy.
	result.Commit, result.Branch, result.Landed = out.Commit, head.Branch, out.Commit == "" || head.Branch == target
	return result, err
}

// judge runs the driver's own criteria and commands on the target, which has what the members have landed. The report is
// empty for a driver without any.
func (c driverCompletion) judge(ctx context.Context, s *spec.File, target string) (r *run.Run, report criteria.Report, err error) {
	job := journal.Job{ID: s.ID, Title: s.Title, Target: target}
	if !s.OwnChecks() {
		return run.NewQuestionRun(c.p, job, &journal.History{}), report, nil
	}
	if job.RunID, err = run.RunID(c.p); err != nil {
		return nil, report, err
	}
	tip, err := c.p.Repo.Resolve(ctx, "refs/heads/"+target)
	if err != nil {
		return nil, report, err
	}
	r = run.NewQuestionRun(c.p, job, &journal.History{})
	report, err = r.Lander.JudgeDriver(ctx, tip, s)
	return r, report, err
}

// change returns the change that completes the driver, or keeps it open with the reason.
func (c driverCompletion) change(s *spec.File, report criteria.Report) store.Change {
	change := judge.DriverChange(s, report, c.why, c.p.Now())
	if follow := change.Edit; c.also != nil && change.Event == spec.Complete {
		change.Edit = func(doc *markdown.Document) (*markdown.Document, error) {
			doc, err := c.also(doc)
			if err != nil {
				return nil, err
			}
			return follow(doc)
		}
	}
	return change
}

// tickAsMembers ticks the boxes of a driver that its members have ticked.
func tickAsMembers(ctx context.Context, p *engine.Project, g *spec.Graph, driver *spec.File) (*spec.File, error) {
	var members []*spec.File
	for _, m := range g.MemberSpecs(driver.ID) {
		f, err := engine.WithText(ctx, p, m)
		if err != nil {
			return nil, err
		}
		members = append(members, f)
	}
	return driver.TickAsMembers(members)
}

// driverOpenFailure returns the failure of a driver that stays open although its members are done.
func driverOpenFailure(s *spec.File, report criteria.Report) error {
	f := judge.Unmet(report.Criteria)
	f.Message, f.Next = fmt.Sprintf("driver %q stays open: %s%s", s.ID, judge.DriverOpen, f.Message), s.DriverNext()
	return f
}

// finalizeDriver completes a driver at a person's request. The result is empty for a spec that is not an open driver.
func finalizeDriver(ctx context.Context, p *engine.Project, s *spec.File, also DocEdit) (WorkResult, error) {
	_, g, err := engine.GraphOfFiles(ctx, p)
	if err != nil || !g.Container(s.ID) || s.Status == spec.Completed || s.Branch != "" {
		return WorkResult{}, err
	}
	if hold := s.ApprovalBlock(); hold.Exists() {
		return WorkResult{}, advice.ApprovalError(&s.Spec, hold)
	}
	if why := WhyNotDone(g, s.ID); why != "" {
		return WorkResult{}, engine.Fail(engine.State, next.Deps.On(s.ID), "spec %q cannot complete: %s", s.ID, why)
	}
	return driverCompletion{p, g, "All its members are done.", also}.complete(ctx, s.ID)
}

// WhyNotDone names the first member that a driver waits for, "" when all are done.
func WhyNotDone(g *spec.Graph, id string) string {
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
// not done, it is completed, or another process holds it.
func SettleDriver(ctx context.Context, p *engine.Project, id, why string) (result WorkResult, ok bool, err error) {
	result, err = advice.WithHold(ctx, p, id, "complete", func(h *engine.Held) (WorkResult, error) {
		_, g, err := engine.GraphOfFiles(ctx, p)
		if err != nil || !g.OpenDriver(id) || g.Spec(id).Branch != "" {
			return WorkResult{}, err
		}
		return driverCompletion{p, g, why, nil}.complete(ctx, id)
	})
	var locked *lockfile.HeldError
	// The process that holds the driver completes it.
	if errors.As(err, &locked) {
		return result, false, nil
	}
	return result, result.ID != "" || err != nil, err
}

// settleDriversOf completes those drivers of a spec that landed or was cancelled that its landing has not completed. A
// driver that stays open is only a warning, because the spec itself is done.
func settleDriversOf(ctx context.Context, p *engine.Project, id, why string) error {
	_, g, err := engine.GraphAround(ctx, p, id)
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

// OpenDrivers lists the drivers of a graph that could complete now, inner ones first, without those that need a
// person's attention.
func OpenDrivers(g *spec.Graph) []string {
	var out []string
	// Inner drivers first, since an outer one waits for them.
	for _, s := range slices.Backward(g.Specs()) {
		if s.Status != spec.NeedsAttention && s.Branch == "" && g.OpenDriver(s.ID) {
			out = append(out, s.ID)
		}
	}
	return out
}

// DriverAndMember returns the id of a driver and of the first of its members to work, "" if there is none.
func DriverAndMember(ctx context.Context, p *engine.Project, text string) (driver, member string, err error) {
	driver, err = engine.Find(ctx, p, text)
	if err != nil {
		return "", "", engine.Wrap(err, text)
	}
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return "", "", engine.Wrap(err, driver)
	}
	open := SpecsToWork(g, driver)
	if i := slices.IndexFunc(open, g.Ready); i >= 0 {
		return driver, open[i], nil
	}
	if len(open) > 0 {
		member = open[0]
	}
	return driver, member, nil
}

// SpecsToWork lists the specs to work for an id: for a driver the members that are not
// done and can be worked themselves, else the spec itself.
func SpecsToWork(g *spec.Graph, id string) []string {
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
