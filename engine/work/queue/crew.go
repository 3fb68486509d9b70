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
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/usage"
	"chant/engine/spec/schedule"
	"chant/engine/work"
)

// pool works the specs of a scope and records how each ended.
type pool struct {
	p      *engine.Project // reports progress one event at a time
	budget *usage.Budget   // of all its specs together
	in     WorkAllInput
	scope  *scope
	random func(n int) int
	// recover recovers a run whose process died before the spec is worked; nil = no
	// recovery. It reports whether there was such a run, and whether it is settled, so
	// that nothing is left to do.
	recover func(ctx context.Context, h *engine.Held) (found, settled bool, err error)

	began    bool            // the drivers that were named have been judged; used only by the scheduler's loop
	unasked  map[string]bool // specs of which it was said that they start only if they are named; likewise
	clashes  advice.Clashes  // between branches under way; likewise
	reported map[string]bool // the conflicts that were reported; likewise

	mu        sync.Mutex           // guards the fields below
	here      map[string]time.Time // the runs under way, by id, and when they began
	queued    []titled             // what could start when it was last looked, in order
	elsewhere map[string]bool      // specs that another process has worked
	held      map[string]string    // specs that wait for the files of a spec in another process, and that spec
	tried     map[string]bool      // drivers that this process has judged
	completed []CompletedRun
	failed    []FailedRun
	first     error // of the first failure
	paused    []string
	limit     string // the limit that was reached, so that nothing more starts
}

func newPool(p *engine.Project, in WorkAllInput, sc *scope) *pool {
	own := p.WithSerialProgress()
	return &pool{
		p: own, budget: usage.NewBudget(own), in: in, scope: sc, random: randomSource(p),
		unasked: map[string]bool{}, here: map[string]time.Time{}, elsewhere: map[string]bool{}, held: map[string]string{}, tried: map[string]bool{}, completed: []CompletedRun{}, failed: []FailedRun{},
	}
}

// randomSource returns a function for random numbers below n, seeded by the project's
// randomness. Only one goroutine may call it.
func randomSource(p *engine.Project) func(n int) int {
	var seed [32]byte
	if _, err := io.ReadFull(p.Rand, seed[:]); err != nil {
		// Without randomness every choice is the first one.
		return func(int) int { return 0 }
	}
	return mathrand.New(mathrand.NewChaCha8(seed)).IntN
}

// errSettled reports that a run whose process had died was settled, so that nothing is left to do.
var errSettled = errors.New("settled")

// errTaken reports that another process has worked the spec since it was found ready.
var errTaken = errors.New("another process has worked the spec meanwhile")

// work runs one spec to its end.
func (c *pool) work(ctx context.Context, st schedule.Start) schedule.End {
	c.recordStart(st)
	result, err := advice.WithHold(ctx, c.p, st.ID, "work", func(h *engine.Held) (work.WorkResult, error) { return c.workHeld(ctx, st, h) })
	// Recorded before it is reported, so that the event shows what is left to start.
	end := c.recordEnd(ctx, st, result, err)
	c.reportSpec(st.ID, result.Title, eventKind(end.Verdict), describeOutcome(result, err))
	return end
}

// workHeld works a spec if it can still start.
func (c *pool) workHeld(ctx context.Context, st schedule.Start, h *engine.Held) (work.WorkResult, error) {
	p := c.p
	// Under the lock, since another process may have recovered it meanwhile.
	found, err := c.recoverCrashed(ctx, h)
	if err != nil {
		return work.WorkResult{}, err
	}
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return work.WorkResult{}, err
	}
	known := g.Spec(h.ID)
	// The spec was ready when it was listed, and another process may have worked it since.
	if known == nil || !found && !c.scope.startable(g, known) {
		return work.WorkResult{}, errTaken
	}
	s, err := engine.WithText(ctx, p, known)
	if err != nil {
		return work.WorkResult{}, err
	}
	// A person may have edited it while it was in the queue.
	w := work.Working{Project: p, Held: h, Budget: c.budget, Graph: g, Spec: s}
	if err := w.TakeEdit(ctx); err != nil {
		return work.WorkResult{}, err
	}
	// The model comes from the spec as it was started, which its agent cannot change.
	started, err := run.StartedSpec(ctx, p, &w.Spec.Spec, h.History)
	if err != nil {
		return work.WorkResult{}, err
	}
	w.Input = work.WorkInput{ID: h.ID, Options: c.in.Options}
	w.Input.Provider, w.Input.Model = st.Agent.Provider, cmp.Or(c.in.Model, started.Fields.Model, st.Agent.Model)
	return w.Work(ctx)
}

// recoverCrashed recovers the run of a held spec if its process died.
func (c *pool) recoverCrashed(ctx context.Context, h *engine.Held) (found bool, err error) {
	if c.recover == nil {
		return false, nil
	}
	found, settled, err := c.recover(ctx, h)
	if err == nil && settled {
		err = errSettled
	}
	return found, err
}

func (c *pool) recordStart(st schedule.Start) {
	c.mu.Lock()
	// Before the lock is taken: from now on its target files count as in use here.
	c.here[st.ID] = c.p.Now()
	c.mu.Unlock()
	c.reportSpec(st.ID, "", "started", st.Agent.Name)
}

// reportWaiting reports what is waited for when nothing runs.
func (c *pool) reportWaiting(w schedule.Waiting) {
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

// reportIdle reports that there is nothing to do, and until when a watch stays all the same.
func (c *pool) reportIdle(until time.Time) {
	if c.p.Progress == nil {
		return
	}
	now := c.p.Now()
	message := "nothing to do; waiting for changes"
	if !until.IsZero() {
		message += ", until " + until.UTC().Format(time.RFC3339)
	}
	c.p.Progress(engine.Event{Time: now, Kind: "idle", Text: message, Idle: &journal.Idle{Since: now, Until: until}})
}

// reportSpec emits the event that a spec has started or ended, with its title and what is still to start.
func (c *pool) reportSpec(id, title, kind, text string) {
	if c.p.Progress == nil {
		return
	}
	ev := engine.Event{Time: c.p.Now(), ID: id, Kind: kind, Text: text, Queue: &journal.Queue{}}
	c.mu.Lock()
	for _, t := range c.queued {
		_, runs := c.here[t.id]
		switch {
		case t.id == id:
			ev.Title = t.title
		case runs || c.hasEnded(t.id):
		default:
			if ev.Queue.Ready == 0 {
				ev.Queue.Next, ev.Queue.Title = t.id, t.title
			}
			ev.Queue.Ready++
		}
	}
	c.mu.Unlock()
	ev.Title = cmp.Or(title, ev.Title)
	c.p.Progress(ev)
}

// titled is a spec with its title.
type titled struct{ id, title string }

// report emits a progress event about a spec as a whole.
func (c *pool) report(id, kind, text string) {
	if c.p.Progress != nil {
		c.p.Progress(engine.Event{Time: c.p.Now(), ID: id, Kind: kind, Text: text})
	}
}
