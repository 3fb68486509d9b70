package queue

import (
	"context"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/schedule"
	"chant/engine/work"
)

// nextTasks completes the drivers that can complete, and returns the tasks that could start now.
func (c *pool) nextTasks(ctx context.Context) ([]schedule.Task, error) {
	for {
		_, g, err := engine.Graph(ctx, c.p)
		if err != nil {
			return nil, err
		}
		// A driver that completes can be the last member of another, or unblock a spec, so everything is read again.
		if changed, err := c.settleDrivers(ctx, g); err != nil || !changed {
			if err != nil {
				return nil, err
			}
			return c.tasks(ctx)
		}
	}
}

// settleDrivers completes the drivers of the scope whose members are all done if the landing of the last member has
// not: that member was merged by hand, or a crash came in between. A driver that was named is judged again at the
// beginning even if it needs attention. It reports whether anything changed.
func (c *pool) settleDrivers(ctx context.Context, g *spec.Graph) (changed bool, err error) {
	due := work.OpenDrivers(g)
	if !c.scope.all && c.scope.left == nil || len(c.scope.labels) > 0 {
		due = slices.DeleteFunc(due, func(id string) bool { return !slices.Contains(c.scope.drivers, id) })
	}
	// Only at the beginning: later a driver is judged when its last member lands.
	if !c.began {
		c.began = true
		for _, id := range c.scope.drivers {
			if g.OpenDriver(id) && !slices.Contains(due, id) {
				due = append(due, id)
			}
		}
	}
	for _, id := range due {
		if !c.firstTry(id) {
			continue
		}
		result, ok, err := work.SettleDriver(ctx, c.p, id, "All its members are done.")
		// A stop is not a failure of the driver.
		if ctx.Err() != nil {
			return changed, ctx.Err()
		}
		if !ok {
			continue
		}
		changed = true
		c.recordDriver(id, result, err)
	}
	return changed, nil
}

// firstTry reports whether this process judges a driver for the first time. Later it is judged when a member lands.
func (c *pool) firstTry(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	tried := c.tried[id]
	c.tried[id] = true
	return !tried
}

// recordDriver records that a driver has completed or why it has not.
func (c *pool) recordDriver(id string, result work.WorkResult, err error) {
	c.mu.Lock()
	if err != nil {
		c.recordFailure(id, result, err, Account{EndedAt: c.p.Now()})
	} else {
		c.completed = append(c.completed, CompletedRun{ID: id, Title: result.Title, Landed: result.Landed, Verification: result.Verification, Account: Account{EndedAt: c.p.Now()}})
	}
	c.mu.Unlock()
	kind := "completed"
	if err != nil {
		kind = "failed"
	}
	c.report(id, kind, describeOutcome(result, err))
}

// addOpenDrivers adds to a result why a driver that was named did not complete, if nothing else in the result says so.
func (c *pool) addOpenDrivers(ctx context.Context, r *WorkAllResult, g *spec.Graph) error {
	for _, id := range c.scope.drivers {
		s := g.Spec(id)
		switch {
		case s == nil || c.hasEnded(id):
		case s.Status == spec.NeedsAttention && g.OpenDriver(id):
			driver, err := engine.WithText(ctx, c.p, s)
			if err != nil {
				return err
			}
			c.recordFailure(id, work.WorkResult{Title: s.Title, Status: s.Status}, engine.Fail(engine.Unverified, driver.DriverNext(), "driver %q stays open: %s", id, s.Fields.Reason), Account{})
			r.Failed = c.failed
		case !mentions(r, g, id):
			r.Skipped = append(r.Skipped, SkippedSpec{ID: id, Why: whyNotCompleted(g, s), waits: s.Status == spec.Pending})
		}
	}
	return nil
}

// whyNotCompleted returns why nothing was done for a driver.
func whyNotCompleted(g *spec.Graph, s *spec.Spec) string {
	switch why := work.WhyNotDone(g, s.ID); {
	case s.Status == spec.Completed || s.Status == spec.Cancelled:
		return fmt.Sprintf("it is %s", s.Status)
	case s.ApprovalBlock().Exists():
		return "it " + s.ApprovalBlock().String()
	case why != "":
		return why
	}
	return "another process has it"
}

// mentions reports whether a result names a driver or a member of it.
func mentions(r *WorkAllResult, g *spec.Graph, id string) bool {
	of := func(named string) bool { return named == id || slices.Contains(g.Members(id), named) }
	return slices.ContainsFunc(r.Completed, func(x CompletedRun) bool { return of(x.ID) }) ||
		slices.ContainsFunc(r.Failed, func(x FailedRun) bool { return of(x.ID) }) ||
		slices.ContainsFunc(r.Waiting, func(x WaitingSpec) bool { return of(x.ID) }) ||
		slices.ContainsFunc(r.Skipped, func(x SkippedSpec) bool { return of(x.ID) }) ||
		slices.ContainsFunc(r.Ready, of)
}
