package queue

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/evidence/criteria"

	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/schedule"
	"chant/engine/work"
	"chant/engine/work/node"
)

// WorkAllInput says which specs to work, and how many side by side.
type WorkAllInput struct {
	IDs          []string `json:"ids,omitempty" jsonschema:"Spec IDs (full or partial); a driver means its members"`
	All          bool     `json:"all,omitempty" jsonschema:"Everything that is ready, after the specs that are named"`
	Labels       []string `json:"labels,omitempty" jsonschema:"Only specs with one of these labels"`
	Parallel     int      `json:"parallel,omitempty" jsonschema:"Runs side by side (default: 1)"`
	Chain        bool     `json:"chain,omitempty" jsonschema:"One after the other, up to the first failure"`
	KeepGoing    bool     `json:"keep_going,omitempty" jsonschema:"Continue after a failure"`
	Max          int      `json:"max,omitempty" jsonschema:"Start at most this many specs"`
	AllowOverlap bool     `json:"allow_overlap,omitempty" jsonschema:"Work specs side by side although their target_files overlap"`
	work.Options
}

// WorkAllResult describes the runs of many specs.
type WorkAllResult struct {
	Ended     schedule.Reason `json:"ended"`             // finished, failed, limit or interrupted
	Completed []CompletedRun  `json:"completed"`         // in the order in which they ended
	Failed    []FailedRun     `json:"failed"`            // likewise
	Waiting   []WaitingSpec   `json:"waiting,omitempty"` // not started, because they wait for something
	Paused    []PausedSpec    `json:"paused,omitempty"`  // stopped, work resumes them
	Skipped   []SkippedSpec   `json:"skipped,omitempty"` // not worked here, and why
	Held      []HeldSpec      `json:"held,omitempty"`    // waited for the files of another
	Ready     []string        `json:"ready,omitempty"`   // could start, and were not started
	Starts    int             `json:"starts"`            // of agents, including retries
	Seconds   float64         `json:"seconds"`           // wall time
	BeganAt   time.Time       `json:"began_at,omitzero"`
	CostUSD   *float64        `json:"cost_usd,omitempty"` // of the agents that reported it
	Usage     *usage.Spending `json:"usage,omitempty"`    // likewise
	Limit     string          `json:"limit,omitempty"`    // the limit of usage that was reached, so that nothing more started
}

// CompletedRun is a spec that was completed.
type CompletedRun struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Landed  bool   `json:"landed"`
	Landing string `json:"landing,omitempty"` // the merge commit

	PullRequest string `json:"pull_request,omitempty"` // its address, where a fleet has opened one instead of landing

	Verification criteria.Status `json:"verification_status,omitempty"`
	Account
}

// Account is what a spec took: its agents in all attempts, and its last run, which ended here.
type Account struct {
	Attempts int             `json:"attempts,omitempty"`
	Spent    *usage.Spending `json:"spent,omitempty"`
	Elapsed  float64         `json:"elapsed,omitempty"` // seconds of the last run
	EndedAt  time.Time       `json:"ended_at,omitzero"`
}

// FailedRun is a spec that was not completed.
type FailedRun struct {
	ID     string      `json:"id"`
	Title  string      `json:"title,omitempty"`
	Status spec.Status `json:"status,omitempty"`
	Code   engine.Code `json:"code"`
	Reason string      `json:"reason"`
	Next   next.Step   `json:"hint,omitzero"`
	Account
}

// WaitingSpec is a spec that could not start.
type WaitingSpec struct {
	ID    string `json:"id"`
	For   string `json:"for"`
	Title string `json:"title,omitempty"`
}

// SkippedSpec is a spec that was not worked here.
type SkippedSpec struct {
	ID  string `json:"id"`
	Why string `json:"why"`

	waits bool // for others or for a decision
}

// PausedSpec is a spec whose run was stopped.
type PausedSpec struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// HeldSpec is a spec that did not start while another one had its target files.
type HeldSpec struct {
	ID     string `json:"id"`
	Behind string `json:"behind"`
}

// WorkAll takes many specs through their runs, several at a time. Each lands as it ends,
// and specs that waited for it may start then. After the first Ctrl-C nothing more
// starts; the second stops what runs. Errors: Usage and NotFound before anything begins;
// afterwards that of the first failure, or Canceled when it was stopped, both together
// with the result.
func WorkAll(ctx context.Context, p *engine.Project, in WorkAllInput) (WorkAllResult, error) {
	result, err := workAll(ctx, p, in)
	return engine.Done(result, err, "")
}

func workAll(ctx context.Context, p *engine.Project, in WorkAllInput) (WorkAllResult, error) {
	// Everything that can be refused is refused before the first spec changes.
	if err := checkWorkAll(p, in); err != nil {
		return WorkAllResult{}, err
	}
	// Before the scope is read, since a spec becomes ready when the one it waits for lands on the same target.
	if err := applyOntoToAll(ctx, p, in); err != nil {
		return WorkAllResult{}, err
	}
	sc, err := newScope(ctx, p, in)
	if err != nil {
		return WorkAllResult{}, err
	}
	if err := reportTargets(ctx, p, sc); err != nil {
		return WorkAllResult{}, err
	}
	began := p.Now()
	c := newPool(p, in, sc)
	stopped, cancel := context.WithCancel(ctx)
	defer cancel()
	drain, release := c.handleInterrupts(stopped, cancel)
	defer release()
	who, err := c.chooseExecutor(ctx)
	if err != nil {
		return WorkAllResult{}, err
	}
	loop := schedule.Scheduler{
		Width: who.width, Max: in.Max, AllowOverlap: in.AllowOverlap, Pool: who.pool,
		StopOnFailure: (in.Chain || p.Config.Retry.Policy().Finally == schedule.Stop) && !in.KeepGoing,
		Stagger:       p.Config.Parallel.Stagger, Jitter: p.Config.Parallel.Jitter,
		Drain: drain, Waits: c.reportWaiting, Now: p.Now, After: p.After, Random: c.random,
	}
	summary, loopErr := loop.Run(stopped, c.nextTasks, who.work)
	who.close()
	// A stop ends the runs, and the result still has to say what became of each.
	result, err := c.buildResult(context.WithoutCancel(ctx), summary)
	result.BeganAt, result.Seconds = began, p.Now().Sub(began).Seconds()
	if err := c.overallError(stopped, loopErr, err); err != nil {
		return result, err
	}
	return result, errorIfOnlyWaiting(ctx, p, result)
}

// checkWorkAll refuses options that exclude each other, and unknown providers.
func checkWorkAll(p *engine.Project, in WorkAllInput) error {
	stops := in.Chain || p.Config.Retry.Policy().Finally == schedule.Stop
	switch {
	case in.Parallel < 0 || in.Max < 0:
		return engine.Fail(engine.Usage, next.Work.Help(), "invalid number of specs %d (use 0 or more)", min(in.Parallel, in.Max))
	case in.Chain && in.Parallel > 1:
		return engine.Fail(engine.Usage, next.Work.Help(), "a chain works one spec after the other, so it cannot be combined with a number of runs side by side")
	case in.KeepGoing && !stops:
		return engine.Fail(engine.Usage, next.Work.Help(), "only a chain stops at a failure, everything else continues anyway")
	}
	if _, err := in.TimeLimit(); err != nil {
		return err
	}
	for _, a := range agentsFor(p, in.Provider) {
		if _, err := usage.Provider(p, a.Provider); err != nil {
			return err
		}
	}
	return nil
}

// NamesMany reports whether an input means many specs: several ids, the id of a driver, or
// everything that is ready. Errors: NotFound, Usage when it means no spec.
func NamesMany(ctx context.Context, p *engine.Project, in WorkAllInput) (bool, error) {
	switch {
	case in.All || in.Chain || in.Parallel > 0 || len(in.Labels) > 0 || len(in.IDs) > 1:
		return true, nil
	case len(in.IDs) == 0:
		return false, engine.Fail(engine.Usage, next.Work.On().Flag("all"), "work takes spec IDs, or --all for everything that is ready")
	}
	if fleet, err := node.TakesPart(p); err != nil || fleet {
		// A fleet works one spec as it works many.
		return fleet, err
	}
	several, err := isDriver(ctx, p, in.IDs[0])
	return several, engine.Wrap(err, in.IDs[0])
}

// isDriver reports whether a spec is a driver, without reading the other specs. A spec that
// cannot be read counts as none: working it reports what is wrong.
func isDriver(ctx context.Context, p *engine.Project, text string) (bool, error) {
	id, err := engine.Find(ctx, p, text)
	if err != nil {
		return false, err
	}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		// Working it reports what is wrong.
		return false, nil //nolint:nilerr // as above
	}
	return hasMembers(ctx, p, &s.Spec)
}

// hasMembers reports whether a spec has members, without reading them.
func hasMembers(ctx context.Context, p *engine.Project, s *spec.Spec) (bool, error) {
	if s.Fields.Type.Container() || len(s.Fields.Members) > 0 {
		return true, nil
	}
	ids, err := p.Store.IDs(ctx)
	return slices.ContainsFunc(ids, func(other string) bool { return spec.MemberOf(other, s.ID) }), err
}

// maxParallel returns how many runs may work side by side: the number in the input, else one
// if specs were named or chained, else the number in the settings.
func maxParallel(p *engine.Project, in WorkAllInput) int {
	if in.Parallel > 0 {
		return in.Parallel
	}
	if in.Chain || len(in.IDs) > 0 && !in.All {
		return 1
	}
	room := 0
	for _, a := range p.Config.Parallel.Agents {
		room += a.MaxConcurrent
	}
	return max(1, cmp.Or(p.Config.Parallel.MaxConcurrent, room))
}

// SettingsWidth returns how many runs the settings allow side by side.
func SettingsWidth(p *engine.Project) int { return maxParallel(p, WorkAllInput{All: true}) }

// agentPool returns the pool of the agents in the settings. If there are none, or if the
// command names a provider, it contains only that provider or the default one.
func agentPool(p *engine.Project, asked string, random func(n int) int) *schedule.Pool {
	return schedule.NewPool(agentsFor(p, asked), p.Config.Parallel.Rotation, random)
}

// agentsFor lists the agents that may work: those of the settings, or the provider that the
// command names.
func agentsFor(p *engine.Project, asked string) []schedule.Agent {
	if asked != "" || len(p.Config.Parallel.Agents) == 0 {
		name := cmp.Or(asked, p.Config.Defaults.Provider)
		return []schedule.Agent{{Name: name, Provider: name}}
	}
	return usage.PoolAgents(p)
}
