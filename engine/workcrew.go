package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"strings"
	"sync"
	"time"

	"chant/engine/run"
	"chant/engine/schedule"
)

// crew works the specs of a scope and keeps what became of them.
type crew struct {
	engine *Engine // reports progress one event at a time
	budget *budget // of all that it works
	in     WorkAllInput
	scope  *scope
	random func(n int) int
	// recover sees first to a run whose process died; nil = such runs are not looked
	// for. It tells whether there was one, and whether it is settled by that.
	recover func(ctx context.Context, h *held) (found, settled bool, err error)

	began bool // drivers that were named have been judged; of the scheduler's loop alone

	mu        sync.Mutex        // guards what follows
	here      map[string]bool   // the runs under way, by id
	elsewhere map[string]bool   // another process had it
	held      map[string]string // waited for the files of a spec in another process
	tried     map[string]bool   // drivers that were judged here
	completed []CompletedRun
	failed    []FailedRun
	first     error // of the first failure
	paused    []string
	met       string // the limit with which nothing starts any more
}

func (e *Engine) crew(in WorkAllInput, sc *scope) *crew {
	own := e
	if e.Progress != nil {
		var turn sync.Mutex
		own = e.reporting(func(ev Event) {
			turn.Lock()
			defer turn.Unlock()
			e.Progress(ev)
		})
	}
	return &crew{
		engine: own, budget: own.newBudget(), in: in, scope: sc, random: e.randomly(),
		here: map[string]bool{}, elsewhere: map[string]bool{}, held: map[string]string{}, tried: map[string]bool{}, completed: []CompletedRun{}, failed: []FailedRun{},
	}
}

// randomly is a source of numbers below n, seeded by the engine's randomness. It
// serves the one goroutine that schedules.
func (e *Engine) randomly() func(n int) int {
	var seed [32]byte
	if _, err := io.ReadFull(e.Rand, seed[:]); err != nil {
		return func(int) int { return 0 } // no choice is better than another
	}
	return mathrand.New(mathrand.NewChaCha8(seed)).IntN
}

// errSettled says that of a run whose process had died nothing is left to do.
var errSettled = errors.New("settled")

// errTaken says that somebody else had the spec since it was seen to be ready.
var errTaken = errors.New("another process has worked the spec meanwhile")

// work runs one spec to its end.
func (c *crew) work(ctx context.Context, st schedule.Start) schedule.End {
	c.begin(st)
	result, err := withHold(ctx, c.engine, st.ID, "work", func(h *held) (WorkResult, error) { return c.workHeld(ctx, st, h) })
	end := c.end(ctx, st, result, err)
	c.say(st.ID, word(end.Verdict), outcome(result, err))
	return end
}

// workHeld works a spec if it still is what it was when it was chosen.
func (c *crew) workHeld(ctx context.Context, st schedule.Start, h *held) (WorkResult, error) {
	e := c.engine
	found, err := c.leftBehind(ctx, h)
	if err != nil {
		return WorkResult{}, err
	}
	_, g, err := e.graph(ctx)
	if err != nil {
		return WorkResult{}, err
	}
	s := g.Spec(h.id)
	if s == nil || !found && !c.scope.startable(g, s) {
		return WorkResult{}, errTaken
	}
	if g, s, err = e.withHomeEdit(ctx, WorkInput{}, g, s, h); err != nil {
		return WorkResult{}, err
	}
	started, err := e.started(ctx, s, h)
	if err != nil {
		return WorkResult{}, err
	}
	in := WorkInput{
		ID: h.id, Prompt: c.in.Prompt, Timeout: c.in.Timeout, Onto: c.in.Onto, NoMerge: c.in.NoMerge, KeepWorktree: c.in.KeepWorktree,
		Provider: st.Agent.Provider, Model: cmp.Or(c.in.Model, started.Fields.Model, st.Agent.Model),
	}
	return e.workSpec(ctx, in, g, s, h, c.budget)
}

// leftBehind sees to what a crash left of a run that is now held.
func (c *crew) leftBehind(ctx context.Context, h *held) (found bool, err error) {
	if c.recover == nil {
		return false, nil
	}
	found, settled, err := c.recover(ctx, h)
	if err == nil && settled {
		err = errSettled
	}
	return found, err
}

func (c *crew) begin(st schedule.Start) {
	c.mu.Lock()
	c.here[st.ID] = true
	c.mu.Unlock()
	c.say(st.ID, "started", st.Agent.Name)
}

// sayWaiting reports what everything waits for where nothing runs.
func (c *crew) sayWaiting(w schedule.Waiting) {
	if c.engine.Progress == nil {
		return
	}
	now := c.engine.Now()
	var agents []string
	for _, a := range w.Agents {
		agents = append(agents, a.Name+": "+a.Why)
	}
	what := strings.Join(agents, ", ")
	text := fmt.Sprintf("%s until %s, %s; %d ready wait", cmp.Or(what, "the next retry"), w.Until.UTC().Format(time.RFC3339), w.Until.Sub(now).Round(time.Second), w.Ready)
	c.engine.Progress(Event{Time: now, Kind: "waiting", Text: text, Waits: &run.Waits{For: what, Until: w.Until, Ready: w.Ready}})
}

// say tells whoever watches of a spec as a whole.
func (c *crew) say(id, kind, text string) {
	if c.engine.Progress != nil {
		c.engine.Progress(Event{Time: c.engine.Now(), ID: id, Kind: kind, Text: text})
	}
}
