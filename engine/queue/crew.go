package queue

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

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/schedule"
	"chant/engine/usage"
	"chant/engine/work"
)

// crew works the specs of a scope and keeps what became of them.
type crew struct {
	p      *engine.Project // reports progress one event at a time
	budget *usage.Budget   // of all that it works
	in     WorkAllInput
	scope  *scope
	random func(n int) int
	// recover sees first to a run whose process died; nil = such runs are not looked
	// for. It reports whether there was one, and whether it is settled by that.
	recover func(ctx context.Context, h *engine.Held) (found, settled bool, err error)

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

func newCrew(p *engine.Project, in WorkAllInput, sc *scope) *crew {
	own := p
	if p.Progress != nil {
		var turn sync.Mutex
		own = p.Watched(func(ev engine.Event) {
			turn.Lock()
			defer turn.Unlock()
			p.Progress(ev)
		}, p.Interrupts)
	}
	return &crew{
		p: own, budget: usage.NewBudget(own), in: in, scope: sc, random: randomly(p),
		here: map[string]bool{}, elsewhere: map[string]bool{}, held: map[string]string{}, tried: map[string]bool{}, completed: []CompletedRun{}, failed: []FailedRun{},
	}
}

// randomly is a source of numbers below n, seeded by the engine's randomness. It
// serves the one goroutine that schedules.
func randomly(p *engine.Project) func(n int) int {
	var seed [32]byte
	if _, err := io.ReadFull(p.Rand, seed[:]); err != nil {
		return func(int) int { return 0 } // no choice is better than another
	}
	return mathrand.New(mathrand.NewChaCha8(seed)).IntN
}

// errSettled says that of a run whose process had died nothing is left to do.
var errSettled = errors.New("settled")

// errTaken says that someone else had the spec since it was seen to be ready.
var errTaken = errors.New("another process has worked the spec meanwhile")

// work runs one spec to its end.
func (c *crew) work(ctx context.Context, st schedule.Start) schedule.End {
	c.begin(st)
	result, err := advice.WithHold(ctx, c.p, st.ID, "work", func(h *engine.Held) (work.WorkResult, error) { return c.workHeld(ctx, st, h) })
	end := c.end(ctx, st, result, err)
	c.say(st.ID, word(end.Verdict), outcome(result, err))
	return end
}

// workHeld works a spec if it still is what it was when it was chosen.
func (c *crew) workHeld(ctx context.Context, st schedule.Start, h *engine.Held) (work.WorkResult, error) {
	p := c.p
	found, err := c.leftBehind(ctx, h)
	if err != nil {
		return work.WorkResult{}, err
	}
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return work.WorkResult{}, err
	}
	s := g.Spec(h.ID)
	if s == nil || !found && !c.scope.startable(g, s) {
		return work.WorkResult{}, errTaken
	}
	if g, s, err = work.TakeEditBeforeWork(ctx, p, work.WorkInput{}, g, s, h); err != nil {
		return work.WorkResult{}, err
	}
	started, err := run.Started(ctx, p, s, h.History)
	if err != nil {
		return work.WorkResult{}, err
	}
	in := work.WorkInput{
		ID: h.ID, Options: c.in.Options,
	}
	in.Provider, in.Model = st.Agent.Provider, cmp.Or(c.in.Model, started.Fields.Model, st.Agent.Model)
	return work.WorkSpec(ctx, p, in, g, s, h, c.budget)
}

// leftBehind sees to what a crash left of a run that is now held.
func (c *crew) leftBehind(ctx context.Context, h *engine.Held) (found bool, err error) {
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
	if c.p.Progress == nil {
		return
	}
	now := c.p.Now()
	var agents []string
	for _, a := range w.Agents {
		agents = append(agents, a.Name+": "+a.Why)
	}
	what := strings.Join(agents, ", ")
	text := fmt.Sprintf("%s until %s, %s; %d ready wait", cmp.Or(what, "the next retry"), w.Until.UTC().Format(time.RFC3339), w.Until.Sub(now).Round(time.Second), w.Ready)
	c.p.Progress(engine.Event{Time: now, Kind: "waiting", Text: text, Waits: &journal.Waits{For: what, Until: w.Until, Ready: w.Ready}})
}

// say tells whoever watches of a spec as a whole.
func (c *crew) say(id, kind, text string) {
	if c.p.Progress != nil {
		c.p.Progress(engine.Event{Time: c.p.Now(), ID: id, Kind: kind, Text: text})
	}
}
