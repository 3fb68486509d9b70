package engine

import (
	"context"
	"time"

	"chant/engine/run"
	"chant/engine/spec"
)

// ShowInput names a spec.
type ShowInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// ShowResult is everything known of a spec.
type ShowResult struct {
	Row
	Fields   spec.Fields       `json:"fields"`
	Criteria []spec.Criterion  `json:"criteria"`
	Waits    []spec.Blocker    `json:"waits,omitempty"`
	Members  []string          `json:"members,omitempty"`
	Attempts []AttemptView     `json:"attempts,omitempty"`
	Usage    *Spending         `json:"usage,omitempty"`         // of all its agents; by Show alone
	Evidence *RecordedEvidence `json:"evidence,omitempty"`      // of its completion; by Show alone
	Failed   []FailedOutput    `json:"failed_output,omitempty"` // the end of what failed in the last attempt; by Show alone
	Path     string            `json:"path"`
	Body     string            `json:"body"`
}

// AttemptView is one attempt as the journal tells of it.
type AttemptView struct {
	Number   int              `json:"number"`
	Opened   time.Time        `json:"opened"`
	Provider string           `json:"provider,omitempty"`
	Last     run.Step         `json:"last_step,omitempty"`
	Closed   bool             `json:"closed"`
	Reason   string           `json:"reason,omitempty"`
	Code     spec.ReasonCode  `json:"reason_code,omitempty"`
	Agent    *run.AgentReport `json:"agent,omitempty"`
}

// Get tells what the file of one spec says, archived ones included. Unlike Show it
// does not look at other specs: it says nothing of readiness, members or waits.
func (e *Engine) Get(ctx context.Context, in ShowInput) (ShowResult, error) {
	s, err := e.findAny(ctx, in.ID)
	if err != nil {
		return ShowResult{}, wrap(err, in.ID)
	}
	return e.describe(s, e.bareRow(s)), nil
}

// describe is what can be told without looking at other specs.
func (e *Engine) describe(s *spec.Spec, row Row) ShowResult {
	r := ShowResult{Row: row, Fields: s.Fields, Criteria: spec.Criteria(s.Doc), Path: s.Doc.Path(), Body: string(s.Doc.Body())}
	if r.Criteria == nil {
		r.Criteria = []spec.Criterion{}
	}
	return r
}

// Show tells everything about one spec, archived ones included.
func (e *Engine) Show(ctx context.Context, in ShowInput) (ShowResult, error) {
	s, err := e.findAny(ctx, in.ID)
	if err != nil {
		return ShowResult{}, wrap(err, in.ID)
	}
	result, err := e.show(ctx, s)
	return done(result, err, s.ID)
}

func (e *Engine) show(ctx context.Context, s *spec.Spec) (ShowResult, error) {
	_, g, err := e.graph(ctx)
	if err != nil {
		return ShowResult{}, err
	}
	h, err := run.ReadHistory(e.store, s.ID)
	if err != nil {
		return ShowResult{}, err
	}
	result := e.describe(s, e.row(g, s))
	result.Members = g.Members(s.ID)
	if s.Status == spec.Completed {
		if result.Evidence, err = e.evidence(ctx, s.ID, h); err != nil {
			return ShowResult{}, err
		}
	}
	if !s.Archived && s.Status != spec.Completed && s.Status != spec.Cancelled {
		result.Waits = g.Blockers(s.ID)
	}
	if used := usageOf(h, time.Time{}); used.Agents > 0 {
		result.Usage = &used
	}
	result.Failed = e.failedOutput(s, h)
	for _, a := range h.Attempts {
		result.Attempts = append(result.Attempts, AttemptView{
			Number: a.Number, Opened: a.Opened, Provider: a.Job.Provider, Last: a.Last, Closed: a.Closed, Reason: a.Reason, Code: a.Code, Agent: a.Agent,
		})
	}
	return result, nil
}
