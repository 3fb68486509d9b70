package sprints

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/sprint"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/store/history"
	"chant/engine/task/taskboard"
)

// roster is the specs of a project and the sprints that they are in.
type roster struct {
	specs    []*spec.Spec // active ones
	archived []*spec.Spec // only of sprints that are reported on
	graph    func() *spec.Graph
	settings *task.Settings
	board    taskboard.Board
}

// readRoster reads the active specs from a query.
func readRoster(ctx context.Context, p *engine.Project, load func(context.Context) (*store.Set, error)) (*roster, error) {
	set, err := load(ctx)
	if err != nil {
		return nil, err
	}
	board, err := taskboard.Open(ctx, p, "")
	if err != nil {
		return nil, err
	}
	return &roster{specs: set.Specs, graph: sync.OnceValue(set.Graph), settings: board.Settings, board: board}, nil
}

// cachedSpecs returns how queries that change nothing read the active specs: from what a server remembers.
func cachedSpecs(p *engine.Project) func(context.Context) (*store.Set, error) {
	return func(ctx context.Context) (*store.Set, error) { return p.Recall.Load(ctx, p.Store) }
}

// readArchived adds the archived specs, which stay in their sprints.
func (r *roster) readArchived(p *engine.Project) error {
	archived, _, err := p.Store.LoadArchived()
	for _, f := range archived {
		if len(f.Fields.Sprints) > 0 {
			r.archived = append(r.archived, &f.Spec)
		}
	}
	return err
}

// sprints maps the active specs that are in sprints to these.
func (r *roster) sprints() map[string][]int {
	found := map[string][]int{}
	for _, s := range r.specs {
		if len(s.Fields.Sprints) > 0 {
			found[s.ID] = s.Fields.Sprints
		}
	}
	return found
}

// specsOf lists the specs of a sprint, in the order of their ids, archived ones last.
func (r *roster) specsOf(id int) []*spec.Spec {
	var found []*spec.Spec
	for _, list := range [][]*spec.Spec{r.specs, r.archived} {
		for _, s := range list {
			if slices.Contains(s.Fields.Sprints, id) {
				found = append(found, s)
			}
		}
	}
	return found
}

// member returns a spec as reports count it, without its times.
func (r *roster) member(s *spec.Spec) sprint.Member {
	m := sprint.Member{
		ID: task.KeyOf(s), Title: s.Title, Status: r.settings.WordOf(s.Status, string(s.Fields.TaskStatus)),
		Assignee: string(s.Fields.Assignee), Done: s.Status == spec.Completed,
	}
	// Only without settings of lotar does a status follow from dependencies; its clients know blocked tasks by the word.
	m.Blocked = strings.Contains(strings.ToLower(m.Status), "block") || !r.settings.Workspace && r.graph().Spec(s.ID) != nil && r.graph().Blocked(s.ID)
	// A text that is no effort is kept, and counts as none.
	if effort, err := task.ParseEffort(string(s.Fields.Effort)); err == nil {
		m.Effort = effort
	}
	return m
}

// members returns the tasks of a sprint as reports count them, without their times.
func (r *roster) members(id int) []sprint.Member {
	var found []sprint.Member
	for _, s := range r.specsOf(id) {
		found = append(found, r.member(s))
	}
	return found
}

// membersWithTimes returns the tasks of a sprint with when they were created, changed and done.
func (r *roster) membersWithTimes(ctx context.Context, l *history.Log, id int) ([]sprint.Member, error) {
	specs := r.specsOf(id)
	ids := make([]string, len(specs))
	for i, s := range specs {
		ids[i] = s.ID
	}
	statuses, err := l.Statuses(ctx, ids...)
	if err != nil {
		return nil, err
	}
	spans := l.Spans(ids...)
	found := make([]sprint.Member, len(specs))
	for i, s := range specs {
		m := r.member(s)
		m.DoneAt = doneAt(statuses[s.ID])
		m.Created, m.Modified = spans[s.ID].Created, spans[s.ID].Modified
		// The spec of an imported task was committed later than the task was created.
		if at, ok := sprint.ParseTime(string(s.Fields.Created)); ok {
			m.Created = at
		}
		if at, ok := sprint.ParseTime(string(s.Fields.LastImported)); ok && m.Modified.IsZero() {
			m.Modified = at
		}
		// The history says for an imported task when it was imported, not when it was done.
		if at, ok := sprint.ParseTime(s.Fields.CompletedAt); ok && m.Done && (m.DoneAt.IsZero() || at.Before(m.DoneAt)) {
			m.DoneAt = at
		}
		found[i] = m
	}
	return found, nil
}

// doneAt returns when a spec was completed for the first time, zero if it never was.
func doneAt(changes []history.StatusChange) time.Time {
	for _, c := range changes {
		// The first time counts, because a burndown shows when the work was done.
		if c.Status == spec.Completed {
			return c.At
		}
	}
	return time.Time{}
}
