package view

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/train"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/local"
)

// QueueInput names the queue, and limits the list.
type QueueInput struct {
	Target string        `json:"target,omitempty" jsonschema:"Branch on which they land (default: that of the settings)"`
	Limit  int           `json:"limit,omitempty" jsonschema:"Maximum number of branches (default: 100)"`
	Cursor engine.Cursor `json:"cursor,omitempty" jsonschema:"Where the list continues: next_cursor of the result before"`
}

// QueueResult lists the completed branches that wait to land on a target: first those that a process lands, in the order in
// which they land, then those that are stopped.
type QueueResult struct {
	Items     []QueueItem `json:"items"`
	Target    string      `json:"target"`
	HeldSince time.Time   `json:"held_since,omitzero"` // when a person has stopped the whole queue
	engine.Page
}

// QueueItem is a completed branch that has not landed.
type QueueItem struct {
	ID       string      `json:"id"`
	Title    string      `json:"title"`
	Position int         `json:"position,omitempty"` // from 1; a stopped one has none
	State    string      `json:"state"`              // waiting, checking, passed, failed, held, landing or stopped
	WaitsFor []Wait      `json:"waits_for"`
	Tree     string      `json:"tree"`              // that results if all before it land, "" while that is unknown
	Since    time.Time   `json:"since"`             // when it came into the queue, or was completed
	Priority string      `json:"priority"`          // of its spec
	Load     float64     `json:"load"`              // processors that its criteria keep busy, on average
	Expected time.Time   `json:"expected,omitzero"` // when it lands, by how long its criteria took on its branch
	Why      string      `json:"why,omitempty"`     // of one that failed
	Next     next.Advice `json:"next,omitzero"`     // of a stopped one
}

// stopped is the state of a completed branch that no process lands.
const stopped = "stopped"

// Queue lists the completed branches that wait to land on a target, what each waits for, and when it is expected to land.
// Error: NotFound for a target that does not exist.
func Queue(ctx context.Context, p *engine.Project, in QueueInput) (QueueResult, error) {
	r := QueueResult{Target: in.Target}
	start, err := in.Cursor.Start(next.Queue.Help())
	if err == nil {
		r.Target, err = advice.QueueTarget(ctx, p, in.Target)
	}
	if err != nil {
		return r, engine.Wrap(err, "")
	}
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return r, engine.Wrap(err, "")
	}
	t, cars, err := advice.Queue(p, r.Target)
	if err != nil {
		return r, engine.Wrap(err, "")
	}
	if since, held := t.IsHeld(); held {
		r.HeldSince = since.UTC().Truncate(time.Second)
	}
	items := queueItems(g, cars, run.LandingOf(p.Config.Landing).Width, p.Now())
	for _, s := range set.Specs {
		if s.Status != spec.Completed || s.Landed || s.Branch == "" || s.Target != r.Target {
			continue
		}
		// What a process works on is in the queue, or comes into it.
		if _, held := p.Store.Holder(s.ID); held {
			continue
		}
		item, err := stoppedItem(ctx, p, g, s)
		if err != nil {
			return r, engine.Wrap(err, s.ID)
		}
		items = append(items, item)
	}
	r.Items, r.Page = engine.Cut(items, start, engine.LimitOf(in.Limit))
	return r, nil
}

// queueItems describes the branches that processes land, in the order in which they land.
func queueItems(g *spec.Graph, cars []train.Car, width int, now time.Time) []QueueItem {
	expected := train.Expected(cars, width, runtime.NumCPU(), now)
	items := make([]QueueItem, 0, len(cars))
	for i, c := range cars {
		item := QueueItem{
			ID: c.ID, Position: i + 1, State: string(c.State), WaitsFor: queueWaits(train.Before(cars, i), c.State),
			Tree: c.Tree, Since: c.Since.UTC().Truncate(time.Second), Load: c.Load, Expected: expected[i].UTC().Truncate(time.Second),
		}
		if c.State == train.Failed {
			item.Why = c.Why
		}
		if s := g.Spec(c.ID); s != nil {
			item.Title, item.Priority = s.Title, string(s.Fields.Priority)
		}
		items = append(items, item)
	}
	return items
}

// listedWaits bounds what one branch is said to wait for, since a queue can be long.
const listedWaits = 20

// queueWaits describes what a branch in the queue waits for.
func queueWaits(before []string, state train.State) []Wait {
	switch state {
	case train.Landing:
		return []Wait{}
	case train.Held:
		return []Wait{{Why: "held by a person"}}
	}
	waits := []Wait{}
	for _, id := range before[:min(len(before), listedWaits)] {
		waits = append(waits, Wait{id, "lands before it"})
	}
	if more := len(before) - listedWaits; more > 0 {
		waits = append(waits, Wait{Why: fmt.Sprintf("%d more land before it", more)})
	}
	return waits
}

// stoppedItem describes a completed branch that no process lands, and the next step.
func stoppedItem(ctx context.Context, p *engine.Project, g *spec.Graph, s *spec.Spec) (QueueItem, error) {
	item := QueueItem{ID: s.ID, Title: s.Title, State: stopped, WaitsFor: row(p, g, s).WaitsFor, Priority: string(s.Fields.Priority)}
	// What an agent has written there may be no time.
	item.Since, _ = time.Parse(time.RFC3339, s.Fields.CompletedAt)
	l, err := advice.Gather(ctx, p, g, s)
	if err != nil {
		return item, err
	}
	item.Next = l.Conclude().Advice()
	return item, nil
}

// HeldQueue is a queue that a person has stopped: nothing lands on its target.
type HeldQueue struct {
	Target string      `json:"target"`
	Since  time.Time   `json:"since"`
	Next   next.Advice `json:"next"`
}

// String says so in one line.
func (q HeldQueue) String() string {
	return fmt.Sprintf("the queue of %q is held, nothing lands there", q.Target)
}

// heldQueues lists the queues of the project that people have stopped.
func heldQueues(p *engine.Project) ([]HeldQueue, error) {
	trains, err := train.All(p.Store.LocalPath(local.Locks, ""))
	var out []HeldQueue
	for _, t := range trains {
		since, held := t.IsHeld()
		if !held {
			continue
		}
		q := HeldQueue{Target: t.Target, Since: since.UTC().Truncate(time.Second)}
		step := next.QueueResume.On()
		if t.Target != p.Store.Target {
			step = next.QueueResume.On().Set("target", t.Target)
		}
		q.Next = step.Because("%s", q)
		out = append(out, q)
	}
	slices.SortFunc(out, func(a, b HeldQueue) int { return cmp.Compare(a.Target, b.Target) })
	return out, err
}
