package overview

import (
	"context"
	"time"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/history"
)

// StatsInput is a period.
type StatsInput struct {
	Since string `json:"since,omitempty" jsonschema:"From this time on, such as 2026-11-26 or 4w, or all (default: 12 weeks ago)"`
}

// StatsResult is the figures of a period.
type StatsResult struct{ Statistics }

// allTime is the period that begins with the first thing that is known, and defaultWeeks the length of a period that is
// not given.
const (
	allTime      = "all"
	defaultWeeks = 12
)

// Stats returns figures about the work of a period up to now. Errors: Usage for an invalid time.
func Stats(ctx context.Context, p *engine.Project, in StatsInput) (StatsResult, error) {
	period := Period{Until: p.Now()}
	switch in.Since {
	case allTime:
	case "":
		period.Since = period.Until.AddDate(0, 0, -7*defaultWeeks)
	default:
		since, err := engine.ReadTime(p, in.Since, next.Stats.Help())
		if err != nil {
			return StatsResult{}, err
		}
		if period.Since = since; since.After(period.Until) {
			return StatsResult{}, engine.Fail(engine.Usage, next.Stats.Help(), "the time %q is yet to come", spec.Echo(in.Since))
		}
	}
	var facts Facts
	var err error
	// One query, so that specs, history and journals are of the same time.
	p.Store.Query(ctx, func(q *store.Query) { facts, err = factsOf(ctx, p, q, period.Until) })
	if err != nil {
		return StatsResult{}, engine.Wrap(err, "")
	}
	return StatsResult{Compute(facts, period)}, nil
}

// factsOf collects what is known of all specs.
func factsOf(ctx context.Context, p *engine.Project, q *store.Query, now time.Time) (Facts, error) {
	set, err := q.Load(ctx)
	if err != nil {
		return Facts{}, err
	}
	log, err := history.Open(ctx, q, p.Repo)
	if err != nil {
		return Facts{}, err
	}
	journals, err := TallyAll(ctx, q, now)
	if err != nil {
		return Facts{}, err
	}
	marks := log.Marks(append(set.IDs(), set.Archived...)...)
	facts := Facts{Journals: journals, Specs: activeFacts(set.Graph(), marks)}
	archived, err := archivedFacts(q, set, marks)
	facts.Specs = append(facts.Specs, archived...)
	return facts, err
}

// activeFacts lists the active specs that have landed, without containers.
func activeFacts(g *spec.Graph, marks map[string][]history.Mark) []Spec {
	events := newOutcomes()
	var out []Spec
	for _, s := range g.Specs() {
		// Containers do not count, because their members do.
		if s.Status != spec.Completed || !s.Landed || g.Container(s.ID) {
			continue
		}
		at, ok := completedAt(s.Fields.CompletedAt)
		// Specs that other programs completed have no time in their file.
		if status, since := events.last(marks[s.ID]); !ok && status == spec.Completed {
			at = since
		}
		out = append(out, Spec{ID: s.ID, Created: created(marks[s.ID]), Landed: at})
	}
	return out
}

// archivedFacts lists the archived specs that were completed, without those that have members.
func archivedFacts(q *store.Query, set *store.Set, marks map[string][]history.Mark) ([]Spec, error) {
	holds := map[string]bool{}
	for _, id := range append(set.IDs(), set.Archived...) {
		if parent, ok := spec.Parent(id); ok {
			holds[parent] = true
		}
	}
	events := newOutcomes()
	var out []Spec
	unknown := map[string]bool{}
	for _, id := range set.Archived {
		if holds[id] {
			continue
		}
		switch status, since := events.last(marks[id]); status {
		case spec.Completed:
			out = append(out, Spec{ID: id, Created: created(marks[id]), Landed: since})
		case "":
			unknown[id] = true
		}
	}
	// Only projects of the older chant have archived specs without such a commit; to read all is most of the time of a call.
	if len(unknown) == 0 {
		return out, nil
	}
	specs, _, err := q.LoadArchived()
	for _, s := range specs {
		if at, ok := completedAt(s.Fields.CompletedAt); ok && unknown[s.ID] && s.Status == spec.Completed && !s.Fields.Type.Container() {
			out = append(out, Spec{ID: s.ID, Created: created(marks[s.ID]), Landed: at})
		}
	}
	return out, err
}

func completedAt(text string) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil
}

// created returns when a spec was first committed, zero if it was not.
func created(marks []history.Mark) time.Time {
	if len(marks) == 0 {
		return time.Time{}
	}
	return marks[0].At
}

// outcomes maps the events of the state machine to the statuses to which they lead.
type outcomes map[string]spec.Status

func newOutcomes() outcomes {
	out := outcomes{}
	for _, t := range spec.Transitions() {
		out[string(t.Event)] = t.To
	}
	return out
}

// last returns the status of a spec by the events in its commits, and since when it has it; "" if there are none.
func (o outcomes) last(marks []history.Mark) (status spec.Status, since time.Time) {
	for _, m := range marks {
		for _, event := range m.Events {
			if to, ok := o[event]; ok {
				status, since = to, m.At
			}
		}
	}
	return status, since
}
