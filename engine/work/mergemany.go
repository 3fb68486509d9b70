package work

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/spec"
)

// MergeManyInput says which completed specs to land, and how each of them lands.
type MergeManyInput struct {
	IDs       []string `json:"ids,omitempty" jsonschema:"These specs (full or partial IDs); a driver is its members"`
	All       bool     `json:"all,omitempty" jsonschema:"Every completed spec that has not landed"`
	Ready     bool     `json:"ready,omitempty" jsonschema:"Of these, only what merges without a conflict and waits for no approval; all if none is named"`
	KeepGoing bool     `json:"keep_going,omitempty" jsonschema:"Continue after one that does not land"`
	DryRun    bool     `json:"dry_run,omitempty" jsonschema:"Only say what would land"`
	Each      MergeInput
}

// MergeManyResult lists what has landed, and what has not.
type MergeManyResult struct {
	Landed []WorkResult   `json:"landed"`
	Failed []Unmerged     `json:"failed"`
	Left   []Unmerged     `json:"left"` // not tried
	Plan   []PlannedMerge `json:"plan,omitempty"`
	DryRun bool           `json:"dry_run,omitempty"`
}

// Unmerged is a spec that did not land, and why.
type Unmerged struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// PlannedMerge is a spec that would land, or what keeps it from landing.
type PlannedMerge struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Branch string `json:"branch"`
	Target string `json:"target"`
	Why    string `json:"why,omitempty"` // why it would not land
}

// MergeMany lands several specs, what others depend on first. Those of which none depends on another are in the queue at the
// same time, and land in its order. After the first that does not land, nothing else begins to.
// Errors: those of Merge, of the first one that failed.
func MergeMany(ctx context.Context, p *engine.Project, in MergeManyInput) (MergeManyResult, error) {
	result := MergeManyResult{Landed: []WorkResult{}, Failed: []Unmerged{}, Left: []Unmerged{}, DryRun: in.DryRun}
	if err := engine.MayInside(p, "merge", ""); err != nil {
		return result, err
	}
	g, specs, err := in.choose(ctx, p)
	if err != nil {
		return result, engine.Wrap(err, "")
	}
	var todo []string
	for _, s := range specs {
		if !in.DryRun && !in.Ready {
			todo = append(todo, s.ID)
			continue
		}
		plan, err := planMerge(ctx, p, g, s)
		switch {
		case err != nil:
			return result, engine.Wrap(err, s.ID)
		case in.DryRun && !(in.Ready && plan.Why != ""):
			result.Plan = append(result.Plan, plan)
		case plan.Why != "":
			result.Left = append(result.Left, Unmerged{s.ID, plan.Why})
		default:
			todo = append(todo, s.ID)
		}
	}
	return mergeEach(ctx, p.WithSerialProgress(), in, g.Depths(), todo, result)
}

// sideBySide is how many branches are in the queue at the same time: each costs a few processes, and the machine checks
// fewer than that at once in any case, unless their criteria only wait.
const sideBySide = 8

// mergeEach lands specs in this order, which is that of their depths.
func mergeEach(ctx context.Context, p *engine.Project, in MergeManyInput, depths map[string]int, ids []string, result MergeManyResult) (MergeManyResult, error) {
	var first error
	for len(ids) > 0 {
		n := slices.IndexFunc(ids, func(id string) bool { return depths[id] != depths[ids[0]] })
		if n < 0 {
			n = len(ids)
		}
		for i, o := range mergeLevel(ctx, p, in, ids[:n], first != nil) {
			switch {
			case !o.tried:
				result.Left = append(result.Left, Unmerged{ids[i], "not tried"})
			case o.err != nil:
				result.Failed = append(result.Failed, Unmerged{ids[i], o.err.Error()})
				first = cmp.Or(first, o.err)
			default:
				result.Landed = append(result.Landed, o.result)
			}
		}
		ids = ids[n:]
	}
	if err := ctx.Err(); err != nil && first == nil && len(result.Left) > 0 {
		first = engine.Wrap(err, "")
	}
	return result, first
}

// mergeOutcome is what became of a spec that was to land.
type mergeOutcome struct {
	result WorkResult
	err    error
	tried  bool
}

// mergeLevel lands specs of which none depends on another. before says that another one did not land before.
func mergeLevel(ctx context.Context, p *engine.Project, in MergeManyInput, ids []string, before bool) []mergeOutcome {
	out := make([]mergeOutcome, len(ids))
	width := sideBySide
	if in.Each.catchesUp() {
		// Each is brought up to date with what has landed before it.
		width = 1
	}
	places := make(chan struct{}, width)
	var failed atomic.Bool
	failed.Store(before)
	var all sync.WaitGroup
	for i, id := range ids {
		places <- struct{}{}
		if ctx.Err() != nil || failed.Load() && !in.KeepGoing {
			break
		}
		lined := make(chan struct{})
		one := in.Each
		one.ID, one.linedUp = id, sync.OnceFunc(func() { close(lined) })
		all.Go(func() {
			defer func() { <-places }()
			defer one.linedUp()
			result, err := Merge(ctx, p, one)
			out[i] = mergeOutcome{result, err, true}
			if err != nil {
				failed.Store(true)
			}
		})
		// Without a priority, the order of the queue is that of arrival.
		<-lined
	}
	all.Wait()
	return out
}

// choose returns the specs to land, those that others depend on first.
func (in MergeManyInput) choose(ctx context.Context, p *engine.Project) (*spec.Graph, []*spec.Spec, error) {
	ids, err := engine.FindEach(ctx, p, in.IDs)
	if err != nil {
		return nil, nil, err
	}
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	waits := func(s *spec.Spec) bool { return s.Branch != "" && s.Status == spec.Completed && !s.Landed }
	var out []*spec.Spec
	add := func(s *spec.Spec) {
		if s != nil && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, id := range ids {
		members := g.MemberSpecs(id)
		for _, m := range members {
			if waits(m) {
				add(m)
			}
		}
		// A spec that was named is tried, whatever its status is, so that the reason is printed.
		if len(members) == 0 {
			add(g.Spec(id))
		}
	}
	for _, s := range g.Specs() {
		// Failing tests land with the spec that makes them pass.
		if (in.All || in.Ready && len(ids) == 0) && waits(s) && !s.WaitsToTurnGreen() {
			add(s)
		}
	}
	depths := g.Depths()
	slices.SortStableFunc(out, func(a, b *spec.Spec) int { return depths[a.ID] - depths[b.ID] })
	return g, out, nil
}

// planMerge finds out whether a spec would land, without running its criteria.
func planMerge(ctx context.Context, p *engine.Project, g *spec.Graph, s *spec.Spec) (PlannedMerge, error) {
	plan := PlannedMerge{ID: s.ID, Title: s.Title, Branch: s.Branch}
	history, err := journal.ReadSealed(p.Store, s.ID)
	if err != nil {
		return plan, err
	}
	facts, err := run.ReadFacts(ctx, p, s, history)
	if err != nil {
		return plan, err
	}
	plan.Target = facts.Target
	if s.Branch == "" || s.Status != spec.Completed {
		plan.Why = fmt.Sprintf("it is %s and has nothing to land", s.Status)
		return plan, nil
	}
	err = advice.RefuseForeignBranch(ctx, p, s, history)
	if err == nil {
		err = landsAlone(ctx, p, s, history)
	}
	if err == nil {
		err = checkBlockers(WorkInput{SkipDeps: true}, g, s)
	}
	if err == nil {
		err = run.NewRun(p, facts.Question(journal.Job{}), history).Lander.Merges(ctx)
	}
	if err != nil {
		plan.Why = err.Error()
	}
	return plan, ctx.Err()
}
