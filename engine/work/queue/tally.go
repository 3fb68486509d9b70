package queue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/schedule"
)

// buildResult builds the result from the runs that ended here and from the present state of
// the other specs in the scope.
func (c *pool) buildResult(ctx context.Context, sum schedule.Summary) (WorkAllResult, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := WorkAllResult{
		Ended: sum.Reason, Starts: sum.Starts, Completed: c.completed, Failed: c.failed, Skipped: c.scope.skipped,
	}
	if spent := c.budget.Spent().Rounded(); spent.Agents > 0 {
		r.Usage, r.CostUSD = &spent, spent.CostUSD
	}
	if c.limit != "" {
		r.Ended, r.Limit = schedule.Limited, c.limit
	}
	maps.Copy(c.held, sum.Behind)
	for id, behind := range c.held {
		r.Held = append(r.Held, HeldSpec{id, behind})
	}
	slices.SortFunc(r.Held, func(a, b HeldSpec) int { return spec.Compare(a.ID, b.ID) })
	// Read anew, since other processes have worked specs of the scope meanwhile.
	set, g, err := engine.Graph(ctx, c.p)
	if err != nil {
		return r, err
	}
	for _, s := range g.Specs() {
		// A watch that only recovers runs says what it left alone.
		if (c.scope.includes(s) || c.scope.left != nil && c.scope.hasLabel(s) && g.Ready(s.ID)) && !c.hasEnded(s.ID) {
			c.addUnended(&r, g, s)
		}
	}
	if err := c.addOpenDrivers(ctx, &r, g); err != nil {
		return r, err
	}
	if c.scope.all && len(c.scope.labels) == 0 {
		for _, bad := range set.Invalid {
			r.Skipped = append(r.Skipped, SkippedSpec{ID: bad.ID, Why: bad.Err.Error()})
		}
	}
	return r, nil
}

// hasEnded reports whether the spec is among the completed or the failed ones.
func (c *pool) hasEnded(id string) bool {
	return slices.ContainsFunc(c.completed, func(r CompletedRun) bool { return r.ID == id }) ||
		slices.ContainsFunc(c.failed, func(r FailedRun) bool { return r.ID == id })
}

// addUnended adds the state of a spec that did not end here to the result.
func (c *pool) addUnended(r *WorkAllResult, g *spec.Graph, s *spec.Spec) {
	holder, held := c.p.Store.Holder(s.ID)
	switch {
	case held && s.Status != spec.Completed:
		r.Skipped = append(r.Skipped, SkippedSpec{ID: s.ID, Why: heldError(holder).Error()})
	case slices.Contains(c.paused, s.ID), c.elsewhere[s.ID] && s.Status == spec.Paused && !s.AwaitsRetry():
		r.Paused = append(r.Paused, PausedSpec{s.ID, s.Title})
	case c.elsewhere[s.ID]:
		r.Skipped = append(r.Skipped, SkippedSpec{ID: s.ID, Why: fmt.Sprintf("another process had it; it is %s", s.Status)})
	case s.AwaitsRetry():
		r.Waiting = append(r.Waiting, WaitingSpec{s.ID, advice.RetryText(s), s.Title})
	case c.scope.startable(g, s) && c.scope.isUnasked(c.p, s):
		r.Skipped = append(r.Skipped, SkippedSpec{ID: s.ID, Why: "it " + advice.WhyOnlyByName})
	case c.scope.startable(g, s):
		r.Ready = append(r.Ready, s.ID)
	case s.Status == spec.NeedsAttention && g.OpenDriver(s.ID) && !slices.Contains(c.scope.drivers, s.ID):
		r.Waiting = append(r.Waiting, WaitingSpec{s.ID, "a person: " + s.Fields.Reason, s.Title})
	case g.Blocked(s.ID):
		r.Waiting = append(r.Waiting, WaitingSpec{s.ID, blockersText(g, s.ID), s.Title})
	}
}

// blockersText returns what a spec waits for, as it follows the word "for".
func blockersText(g *spec.Graph, id string) string {
	var parts []string
	for _, b := range g.Blockers(id) {
		parts = append(parts, b.Reason(id))
	}
	return strings.Join(parts, ", ")
}

// overallError returns the error of an operation on many specs: that it was stopped,
// else that it broke, else the first failure.
func (c *pool) overallError(ctx context.Context, errs ...error) error {
	// A stop explains every failure that it has caused.
	if ctx.Err() != nil {
		return &engine.Error{Code: engine.Canceled, Message: "stopped; what ran is paused", Next: next.Status.On(), Err: ctx.Err()}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	var first *engine.Error
	switch known := errors.As(c.first, &first); {
	case c.first == nil && c.limit != "":
		return engine.Fail(engine.Blocked, next.Status.On(), "%s; nothing more was started", c.limit)
	case !known:
		return c.first
	}
	if n := len(c.failed); n > 1 {
		return &engine.Error{Code: first.Code, Next: first.Next, Err: c.first, Message: fmt.Sprintf("%d specs failed, the first of them: %s", n, first.Message)}
	}
	return c.first
}
