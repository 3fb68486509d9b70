package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/spec/next"
	"chant/engine/spec/schedule"
	"chant/engine/store/config"
)

// tasks reads the specs again and returns those that could start now.
func (c *pool) tasks(ctx context.Context) ([]schedule.Task, error) {
	// Checked before every look, since the agents at work use up the limits.
	if spent, err := c.limitReached(); err != nil || spent {
		return nil, err
	}
	_, g, err := engine.Graph(ctx, c.p)
	if err != nil {
		return nil, err
	}
	c.reportClashes(ctx, g)
	// Other processes of this machine start specs, too, and the scheduler knows only its own.
	busy := c.busySpecs(g)
	var out []schedule.Task
	for _, t := range c.scope.tasks(g, c.p.Now()) {
		if s := g.Spec(t.ID); c.scope.isUnasked(c.p, s) {
			c.warnUnasked(s)
			continue
		}
		if t.Provider, err = c.providerOf(ctx, g.Spec(t.ID)); err != nil {
			return nil, err
		}
		if !c.isTaken(t.ID) && !c.waitsForFiles(t, busy) {
			out = append(out, t)
		}
	}
	c.recordQueue(g, out)
	return out, nil
}

// reportClashes reports once which branches under way will conflict with each other, while there is time to do something.
func (c *pool) reportClashes(ctx context.Context, g *spec.Graph) {
	if c.p.Progress == nil || c.p.Config.Landing.Conflicts == config.ConflictsOff {
		return
	}
	found, err := c.clashes.Find(ctx, c.p, g.Specs())
	if err != nil {
		// The work is being stopped.
		return
	}
	reported := map[string]bool{}
	for _, f := range found {
		text := fmt.Sprintf("it will conflict with %s in %s", f.IDs[0], strings.Join(f.Files, ", "))
		if reported[f.IDs[1]+" "+text] = true; !c.reported[f.IDs[1]+" "+text] {
			c.report(f.IDs[1], "warning", text)
		}
	}
	c.reported = reported
}

// warnUnasked warns once of a spec that starts only if it is named.
func (c *pool) warnUnasked(s *spec.Spec) {
	if !c.unasked[s.ID] {
		c.unasked[s.ID] = true
		engine.Warn(c.p, s.ID, fmt.Sprintf("left out: it %s (%s)", advice.WhyOnlyByName, next.Edit.On(s.ID)))
	}
}

// recordQueue records what could start, in the order in which it would.
func (c *pool) recordQueue(g *spec.Graph, tasks []schedule.Task) {
	ordered := slices.Clone(tasks)
	schedule.Order(ordered)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queued = c.queued[:0]
	for _, t := range ordered {
		c.queued = append(c.queued, titled{t.ID, g.Spec(t.ID).Title})
	}
}

// limitReached reports whether a limit was reached, so that nothing more may start, and warns of it once.
func (c *pool) limitReached() (bool, error) {
	why, err := c.budget.LimitReached()
	if err != nil {
		return false, err
	}
	if why != "" && why != c.limit {
		engine.Warn(c.p, "", why+": nothing more starts")
	}
	c.limit = why
	return why != "", nil
}

// providerOf returns the provider that a spec names, "" if it names none, or if the command
// names one for all specs.
func (c *pool) providerOf(ctx context.Context, s *spec.Spec) (string, error) {
	switch {
	case c.in.Provider != "":
		// The pool contains only that provider.
		return "", nil
	case s.Branch == "":
		return s.Fields.Provider, nil
	}
	h, err := journal.ReadHistory(c.p.Store, s.ID)
	if err != nil {
		return "", err
	}
	// An agent could name another provider in its copy.
	started, err := run.StartedSpec(ctx, c.p, s, h)
	if err != nil {
		return "", err
	}
	return started.Fields.Provider, nil
}

// busySpecs lists the specs with target files on which other processes work.
func (c *pool) busySpecs(g *spec.Graph) []*spec.Spec {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []*spec.Spec
	for _, s := range g.Specs() {
		if s.Branch == "" || s.Status != spec.InProgress || len(s.Fields.TargetFiles) == 0 || !c.here[s.ID].IsZero() || c.in.AllowOverlap {
			continue
		}
		if _, held := c.p.Store.Holder(s.ID); held {
			out = append(out, s)
		}
	}
	return out
}

// waitsForFiles reports whether another process works on the task's files.
func (c *pool) waitsForFiles(t schedule.Task, busy []*spec.Spec) bool {
	for _, s := range busy {
		if s.ID != t.ID && fileset.Overlap(t.Files, s.Fields.TargetFiles) {
			c.mu.Lock()
			c.held[t.ID] = s.ID
			c.mu.Unlock()
			return true
		}
	}
	return false
}

// isTaken reports whether another process holds the spec. A spec that was named while its
// run was stopped has had its start in the other process, and counts as taken for good.
func (c *pool) isTaken(id string) bool {
	c.mu.Lock()
	had := c.elsewhere[id]
	// Released before the lock of the spec is looked at, which reads a file.
	c.mu.Unlock()
	if !had || c.scope.stopped[id] {
		return had
	}
	_, held := c.p.Store.Holder(id)
	return held
}

// tasks lists the specs of the scope that could start, as tasks for the scheduler.
func (sc *scope) tasks(g *spec.Graph, now time.Time) []schedule.Task {
	var out []schedule.Task
	var depths map[string]int
	for _, s := range g.Specs() {
		if !sc.includes(s) || !sc.startable(g, s) {
			continue
		}
		// Only when something can start, since it walks the whole graph.
		if depths == nil {
			depths = g.Depths()
		}
		out = append(out, sc.task(s, depths[s.ID], now))
	}
	return out
}

// startable reports whether the run of a spec may start or resume. A stopped run resumes
// only if its spec was named while it was stopped: a run that stopped later was stopped
// by a person or another process.
func (sc *scope) startable(g *spec.Graph, s *spec.Spec) bool {
	if g.Ready(s.ID) {
		return true
	}
	if sc.isLeftover(s) && !s.AwaitsRetry() {
		// It resumes or is settled, even if it is blocked.
		return true
	}
	resumes := s.AwaitsRetry() || sc.stopped[s.ID] && s.Branch != "" && !g.Done(s.ID)
	return resumes && !g.Container(s.ID) && len(g.Blockers(s.ID)) == 0
}

func (sc *scope) isLeftover(s *spec.Spec) bool { return sc.left != nil && sc.left(s) }

func (sc *scope) task(s *spec.Spec, depth int, now time.Time) schedule.Task {
	// An invalid value counts as the default, and lint reports it.
	level, _ := s.Fields.Priority.Level()
	t := schedule.Task{ID: s.ID, Rank: sc.last, Priority: level, Depth: depth, Files: s.Fields.TargetFiles, Provider: s.Fields.Provider}
	if at, named := sc.rank[s.ID]; named {
		t.Rank = at
	}
	if s.AwaitsRetry() {
		t.Due = s.Fields.Retry.DueBy(now)
	}
	// Only a watch runs long enough for a failed spec to be edited.
	if sc.left != nil {
		t.Mark = s.Digest()
	}
	return t
}
