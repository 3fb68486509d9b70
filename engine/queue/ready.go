package queue

import (
	"context"
	"crypto/sha256"
	"fmt"

	"chant/engine"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/schedule"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
)

// tasks is what could start now, read anew.
func (c *crew) tasks(ctx context.Context) ([]schedule.Task, error) {
	if spent, err := c.spent(); err != nil || spent {
		return nil, err
	}
	_, g, err := engine.Graph(ctx, c.p)
	if err != nil {
		return nil, err
	}
	busy := c.busy(g)
	var out []schedule.Task
	for _, t := range c.scope.tasks(g) {
		if t.Provider, err = c.provider(ctx, g.Spec(t.ID)); err != nil {
			return nil, err
		}
		if !c.taken(t.ID) && !c.behind(t, busy) {
			out = append(out, t)
		}
	}
	return out, nil
}

// spent reports whether a limit lets nothing start, and tells of it once.
func (c *crew) spent() (bool, error) {
	why, err := c.budget.Over()
	if err != nil {
		return false, err
	}
	if why != "" && why != c.met {
		engine.Warn(c.p, "", why+": nothing more starts")
	}
	c.met = why
	return why != "", nil
}

// provider is who a spec itself says shall work at it, "" when it does not, or when
// someone was asked for all.
func (c *crew) provider(ctx context.Context, s *spec.Spec) (string, error) {
	switch {
	case c.in.Provider != "":
		return "", nil // the pool has but that one
	case s.Branch == "":
		return s.Fields.Provider, nil
	}
	h, err := journal.ReadHistory(c.p.Store, s.ID)
	if err != nil {
		return "", err
	}
	started, err := run.Started(ctx, c.p, s, h)
	if err != nil {
		return "", err
	}
	return started.Fields.Provider, nil
}

// busy lists the specs with target files that other processes are at work on.
func (c *crew) busy(g *spec.Graph) []*spec.Spec {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []*spec.Spec
	for _, s := range g.Specs() {
		if s.Branch == "" || s.Status != spec.InProgress || len(s.Fields.TargetFiles) == 0 || c.here[s.ID] || c.in.AllowOverlap {
			continue
		}
		if _, held := c.p.Store.Holder(s.ID); held {
			out = append(out, s)
		}
	}
	return out
}

// behind reports whether another process is at work on the task's files.
func (c *crew) behind(t schedule.Task, busy []*spec.Spec) bool {
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

// taken reports whether another process had the spec and still has it.
func (c *crew) taken(id string) bool {
	c.mu.Lock()
	had := c.elsewhere[id]
	c.mu.Unlock()
	if !had || c.scope.resting[id] { // the latter has had its start, there
		return had
	}
	_, held := c.p.Store.Holder(id)
	return held
}

// tasks lists what of the scope could start as the graph stands.
func (sc *scope) tasks(g *spec.Graph) []schedule.Task {
	var out []schedule.Task
	var depths map[string]int
	for _, s := range g.Specs() {
		if !sc.holds(s) || !sc.startable(g, s) {
			continue
		}
		if depths == nil {
			depths = g.Depths()
		}
		out = append(out, sc.task(s, depths[s.ID]))
	}
	return out
}

// startable reports whether a run may begin, or go on. What stood still goes on only
// when it was named then; what has come to a stand since is someone else's.
func (sc *scope) startable(g *spec.Graph, s *spec.Spec) bool {
	if g.Ready(s.ID) {
		return true
	}
	if sc.leftover(s) && !s.AwaitsRetry() {
		return true // it goes on or is settled, whatever it would wait for
	}
	rests := s.AwaitsRetry() || sc.resting[s.ID] && s.Branch != "" && !g.Done(s.ID)
	return rests && !g.Container(s.ID) && len(g.Blockers(s.ID)) == 0
}

func (sc *scope) leftover(s *spec.Spec) bool { return sc.left != nil && sc.left(s) }

func (sc *scope) task(s *spec.Spec, depth int) schedule.Task {
	level, _ := s.Fields.Priority.Level() // what it means where it says nothing; lint tells
	t := schedule.Task{ID: s.ID, Rank: sc.last, Priority: level, Depth: depth, Files: s.Fields.TargetFiles, Provider: s.Fields.Provider}
	if at, named := sc.rank[s.ID]; named {
		t.Rank = at
	}
	if s.AwaitsRetry() {
		t.Due = s.Fields.Retry.Due()
	}
	if sc.left != nil { // a watch lives long enough to see a spec mended
		t.Mark = fmt.Sprintf("%x", sha256.Sum256(s.Doc.Bytes()))
	}
	return t
}
