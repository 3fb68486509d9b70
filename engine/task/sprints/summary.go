package sprints

import (
	"context"

	"chant/engine"
	"chant/engine/spec/sprint"
	"chant/engine/store"
	"chant/engine/store/history"
)

// SummaryInput names the sprint to report on.
type SummaryInput struct{ Pick }

// SummaryResult is the report of a sprint.
type SummaryResult struct {
	Status string `json:"status"`
	sprint.Summary
}

// Summary counts the tasks of a sprint and says where it is in its time. Errors: Usage, NotFound, Invalid.
func Summary(ctx context.Context, p *engine.Project, in SummaryInput) (SummaryResult, error) {
	s, r, err := pickWithRoster(ctx, p, in.Pick)
	if err != nil {
		return SummaryResult{}, operationFault(err, internal)
	}
	return SummaryResult{ok, sprint.Summarize(s, r.members(s.ID), p.Now())}, nil
}

// ok is the status of every result, and internal lotar's text for what has no other.
const (
	ok       = "ok"
	internal = "Internal error"
)

// pickWithRoster reads a sprint and all specs that may be in it.
func pickWithRoster(ctx context.Context, p *engine.Project, in Pick) (*sprint.Sprint, *roster, error) {
	f, err := read(p)
	if err != nil {
		return nil, nil, err
	}
	s, err := f.pick(in)
	if err != nil {
		return nil, nil, err
	}
	r, err := readRoster(ctx, p, cachedSpecs(p))
	if err != nil {
		return nil, nil, err
	}
	return s, r, r.readArchived(p)
}

// BurndownInput names the sprint to report on.
type BurndownInput struct{ Pick }

// BurndownResult is the burndown of a sprint.
type BurndownResult struct {
	Status string `json:"status"`
	sprint.Burndown
}

// Burndown says how the work of a sprint became less, day by day. Errors: Usage, also for a sprint without a start;
// NotFound, Invalid.
func Burndown(ctx context.Context, p *engine.Project, in BurndownInput) (BurndownResult, error) {
	f, err := read(p)
	if err != nil {
		return BurndownResult{}, operationFault(err, internal)
	}
	s, err := f.pick(in.Pick)
	if err != nil {
		return BurndownResult{}, err
	}
	var members []sprint.Member
	// All from one generation of the index, so that specs and history agree.
	p.Store.Query(ctx, func(q *store.Query) { members, err = readMembers(ctx, p, q, s.ID) })
	if err != nil {
		return BurndownResult{}, operationFault(err, internal)
	}
	report, err := sprint.BurnDown(s, members, p.Now())
	if err != nil {
		return BurndownResult{}, refuse("%s", err)
	}
	return BurndownResult{ok, report}, nil
}

// readMembers reads the tasks of a sprint with their times, all from one generation of the index.
func readMembers(ctx context.Context, p *engine.Project, q *store.Query, id int) ([]sprint.Member, error) {
	r, err := readRoster(ctx, p, func(ctx context.Context) (*store.Set, error) { return p.Recall.LoadIn(ctx, q) })
	if err != nil {
		return nil, err
	}
	if err := r.readArchived(p); err != nil {
		return nil, err
	}
	l, err := history.Open(ctx, q, p.Repo)
	if err != nil {
		return nil, err
	}
	return r.membersWithTimes(ctx, l, id)
}
