package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"sync"
	"time"

	"chant/engine/schedule"
	"chant/gitops"
)

// crew works the specs of a scope and keeps what became of them.
type crew struct {
	engine *Engine // reports progress one event at a time
	in     WorkAllInput
	scope  *scope
	random func(n int) int

	mu        sync.Mutex                         // guards what follows
	stops     map[string]context.CancelCauseFunc // of the runs under way, by id
	elsewhere map[string]bool                    // another process had it
	completed []CompletedRun
	failed    []FailedRun
	first     error // of the first failure
	paused    []string
	cost      *float64
}

func (e *Engine) crew(in WorkAllInput, sc *scope) *crew {
	own := *e
	if e.Progress != nil {
		var turn sync.Mutex
		own.Progress = func(ev Event) {
			turn.Lock()
			defer turn.Unlock()
			e.Progress(ev)
		}
	}
	return &crew{
		engine: &own, in: in, scope: sc, random: e.randomly(),
		stops: map[string]context.CancelCauseFunc{}, elsewhere: map[string]bool{}, completed: []CompletedRun{}, failed: []FailedRun{},
	}
}

// randomly is a source of numbers below n, seeded by the engine's randomness. It
// serves the one goroutine that schedules.
func (e *Engine) randomly() func(n int) int {
	var seed [32]byte
	if _, err := e.Rand.Read(seed[:]); err != nil {
		return func(int) int { return 0 } // no choice is better than another
	}
	return mathrand.New(mathrand.NewChaCha8(seed)).IntN
}

// tasks is what could start now, read anew.
func (c *crew) tasks(ctx context.Context) ([]schedule.Task, error) {
	_, g, err := c.engine.graph(ctx)
	if err != nil {
		return nil, err
	}
	var out []schedule.Task
	for _, t := range c.scope.tasks(g) {
		if c.in.Provider != "" { // it outranks the specs' own
			t.Provider = ""
		}
		if !c.taken(t.ID) {
			out = append(out, t)
		}
	}
	return out, nil
}

// taken reports whether another process had the spec and still has it.
func (c *crew) taken(id string) bool {
	c.mu.Lock()
	had := c.elsewhere[id]
	c.mu.Unlock()
	if !had {
		return false
	}
	_, held := gitops.HeldBy(c.engine.store.LockPath(id))
	return held
}

// errTaken says that somebody else had the spec since it was seen to be ready.
var errTaken = errors.New("another process has worked the spec meanwhile")

// work runs one spec to its end.
func (c *crew) work(ctx context.Context, st schedule.Start) schedule.End {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c.begin(st, stop)
	result, err := withHold(ctx, c.engine, st.ID, "work", func(h *held) (WorkResult, error) { return c.workHeld(ctx, st, h) })
	end := c.end(ctx, st, result, err)
	c.say(st.ID, word(end.Verdict), outcome(result, err))
	return end
}

// workHeld works a spec if it still is what it was when it was chosen.
func (c *crew) workHeld(ctx context.Context, st schedule.Start, h *held) (WorkResult, error) {
	e := c.engine
	if err := e.forget(h.id); err != nil {
		return WorkResult{}, err
	}
	_, g, err := e.graph(ctx)
	if err != nil {
		return WorkResult{}, err
	}
	s := g.Spec(h.id)
	if s == nil || !c.scope.startable(g, s) {
		return WorkResult{}, errTaken
	}
	in := WorkInput{
		ID: h.id, Prompt: c.in.Prompt, Timeout: c.in.Timeout, NoMerge: c.in.NoMerge, KeepWorktree: c.in.KeepWorktree,
		Provider: st.Agent.Provider, Model: cmp.Or(c.in.Model, s.Fields.Model, st.Agent.Model),
	}
	return e.workSpec(ctx, in, g, s, h)
}

func (c *crew) begin(st schedule.Start, stop context.CancelCauseFunc) {
	c.mu.Lock()
	c.stops[st.ID] = stop
	c.mu.Unlock()
	c.say(st.ID, "started", st.Agent.Name)
}

// end sorts how a run ended.
func (c *crew) end(ctx context.Context, st schedule.Start, result WorkResult, err error) schedule.End {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.stops, st.ID)
	if result.Agent != nil && result.Agent.CostUSD != nil {
		sum := *result.Agent.CostUSD
		if c.cost != nil {
			sum += *c.cost
		}
		c.cost = &sum
	}
	at, again := againAt(err)
	switch {
	case err == nil:
		c.completed = append(c.completed, CompletedRun{ID: st.ID, Title: result.Title, Landed: result.Landed, Landing: result.Landing})
		return schedule.End{Verdict: schedule.Done}
	case again:
		return schedule.End{Verdict: schedule.Again, Until: at}
	case c.lost(st.ID, err):
		c.elsewhere[st.ID] = true
		return schedule.End{Verdict: schedule.Elsewhere}
	case ctx.Err() != nil:
		c.paused = append(c.paused, st.ID)
		return schedule.End{Verdict: schedule.Stopped}
	}
	c.fail(st.ID, result, err)
	return schedule.End{Verdict: schedule.Failed}
}

// lost reports whether another process has, or had, the spec.
func (c *crew) lost(id string, err error) bool {
	var locked *gitops.LockError
	return errors.Is(err, errTaken) || errors.As(err, &locked) && locked.Path == c.engine.store.LockPath(id)
}

func (c *crew) fail(id string, result WorkResult, err error) {
	f := FailedRun{ID: id, Title: result.Title, Status: result.Status, Code: Internal, Reason: err.Error()}
	var known *Error
	if errors.As(err, &known) {
		f.Code, f.Hint = known.Code, known.Hint
	}
	if c.first == nil {
		c.first = err
	}
	c.failed = append(c.failed, f)
}

// word is what a verdict is called in the stream of events.
func word(v schedule.Verdict) string {
	switch v {
	case schedule.Done:
		return "completed"
	case schedule.Again:
		return "retry"
	case schedule.Elsewhere:
		return "elsewhere"
	case schedule.Stopped:
		return "paused"
	case schedule.Failed:
	}
	return "failed"
}

// outcome says in a few words how a run ended.
func outcome(result WorkResult, err error) string {
	at, again := againAt(err)
	switch {
	case again:
		return "waits for its agent until " + at.UTC().Format(time.RFC3339)
	case err != nil:
		return err.Error()
	case result.Landed:
		return "landed on " + result.Target
	}
	return "completed on " + result.Branch
}

// say tells whoever watches of a spec as a whole.
func (c *crew) say(id, kind, text string) {
	if c.engine.Progress != nil {
		c.engine.Progress(Event{Time: c.engine.Now(), ID: id, Kind: kind, Text: text})
	}
}

// by names the holder of a lock.
func by(h gitops.Holder) string { return fmt.Sprintf("in process %d on %s", h.PID, h.Host) }
