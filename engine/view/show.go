package view

import (
	"context"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
	"chant/engine/fleet"
	"chant/engine/run/advice"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
	"chant/engine/verify"
)

// ShowInput names a spec.
type ShowInput struct {
	ID      string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Details bool   `json:"details,omitempty" jsonschema:"Also when it was created and changed, and what it cost"`
}

// ShowResult is everything known about a spec.
type ShowResult struct {
	Row
	Fields spec.Fields `json:"fields"`
	taskfields.Notes
	Verdict  criteria.Conclusion      `json:"verdict,omitempty"`  // of its completion, or of the last attempt; only from Show, and with details
	Strength *criteria.Strength       `json:"strength,omitempty"` // which wrong versions of its work the criteria notice; null if that was not measured, and like verdict
	Criteria []ShownCriterion         `json:"criteria"`
	HeldOut  []HeldOutCriterion       `json:"held_out,omitempty"` // criteria that agents do not see; only from Show
	Review   []task.Comment           `json:"review,omitempty"`   // comments of people who have reviewed it
	Waits    []spec.Blocker           `json:"waits,omitempty"`
	Attempts []AttemptView            `json:"attempts,omitempty"`
	Usage    *usage.Spending          `json:"usage,omitempty"`         // of all its agents; only from Show
	Evidence *verify.RecordedEvidence `json:"evidence,omitempty"`      // of its completion; only from Show
	Reworded []verify.Rewording       `json:"reworded,omitempty"`      // what has changed of it since that was recorded; only from Show
	Failed   []FailedOutput           `json:"failed_output,omitempty"` // the end of what failed in the last attempt; only from Show

	Questions []question.Question `json:"questions,omitempty"` // of its agents, oldest first; only from Show

	Path string `json:"path"`
	Body string `json:"body"`

	Sealed string         `json:"-"` // why held-out criteria are shown without their texts, "" where they are not
	Shown  string         `json:"-"` // Body as people see it: failed criteria have no ticked box
	AtHome []task.Comment `json:"-"` // those of Review that are not in Body but in home's copy
}

// ShownCriterion is a criterion with what its last verdict proves; only from Show, and "" without one.
type ShownCriterion struct {
	spec.Criterion
	Proof criteria.Proof `json:"proof,omitempty"`
}

// AttemptView is one attempt as the journal records it.
type AttemptView struct {
	Number   int                  `json:"number"`
	Opened   time.Time            `json:"opened"`
	Provider string               `json:"provider,omitempty"`
	Last     journal.Step         `json:"last_step,omitempty"`
	Closed   bool                 `json:"closed"`
	Reason   string               `json:"reason,omitempty"`
	Code     spec.ReasonCode      `json:"reason_code,omitempty"`
	Agent    *journal.AgentReport `json:"agent,omitempty"`
}

// Get returns the contents of one spec's file; the spec may be archived. Unlike Show it
// describes neither attempts nor evidence.
func Get(ctx context.Context, p *engine.Project, in ShowInput) (ShowResult, error) {
	s, err := engine.FindAny(ctx, p, in.ID)
	if err != nil {
		return ShowResult{}, engine.Wrap(err, in.ID)
	}
	_, g, err := engine.GraphAround(ctx, p, s.ID)
	if err != nil {
		return ShowResult{}, engine.Wrap(err, s.ID)
	}
	result := describe(p, s, showRow(p, g, &s.Spec, advice.ReadElsewhere(ctx, p, &s.Spec)))
	if err = result.detail(ctx, p, in); err == nil && in.Details {
		err = result.readProof(ctx, p, &s.Spec)
	}
	return engine.Done(result, err, s.ID)
}

// detail adds what is read only where it is asked for.
func (r *ShowResult) detail(ctx context.Context, p *engine.Project, in ShowInput) error {
	if !in.Details {
		return nil
	}
	rows := []Row{r.Row}
	err := addDetails(ctx, p, rows)
	r.Row = rows[0]
	return err
}

// describe returns the part of the result that needs no other specs.
func describe(p *engine.Project, s *spec.File, row Row) ShowResult {
	r := ShowResult{Row: row, Fields: s.Fields, Criteria: []ShownCriterion{}, Path: s.Path, Body: string(s.Doc.Body()), Shown: criteria.ShownBody(s)}
	r.Review = task.Comments(s.Doc)
	// Comments from before the work was completed are in home's copy.
	if s.Home != nil {
		if home, err := p.Store.ReadHome(s.ID); err == nil {
			all := task.Comments(home.Doc)
			r.AtHome = task.Difference(all, r.Review)
			r.Review = task.Union(r.Review, all)
		}
	}
	// lint reports what cannot be read.
	r.Notes, _ = taskfields.ReadNotes(s.Doc)
	for _, c := range s.Criteria() {
		r.Criteria = append(r.Criteria, ShownCriterion{Criterion: c})
	}
	return r
}

// Show returns everything known about one spec, which may be archived.
func Show(ctx context.Context, p *engine.Project, in ShowInput) (ShowResult, error) {
	s, err := engine.FindAny(ctx, p, in.ID)
	if err != nil {
		return ShowResult{}, engine.Wrap(err, in.ID)
	}
	result, err := show(ctx, p, s)
	if err == nil {
		err = result.detail(ctx, p, in)
	}
	return engine.Done(result, err, s.ID)
}

// showRow describes one spec, with what another machine does with it.
func showRow(p *engine.Project, g *spec.Graph, s *spec.Spec, there advice.Elsewhere) Row {
	seen := there.As(s)
	r := markElsewhere(row(p, g, seen), there)
	// The graph was made of what this clone knows.
	if seen.Status != s.Status {
		r.Ready, r.Blocked = false, false
	}
	return r
}

// readProof adds what the last verdicts prove, as they were recorded.
func (r *ShowResult) readProof(ctx context.Context, p *engine.Project, s *spec.Spec) error {
	h, err := journal.ReadHistory(p.Store, s.ID)
	if err != nil {
		return err
	}
	shown := *r
	if s.Status == spec.Completed {
		if shown.Evidence, err = verify.Recorded(ctx, p, s.ID, h); err != nil {
			return err
		}
	}
	shown.addProof(h)
	r.Verdict, r.Strength = shown.Verdict, shown.Strength
	return nil
}

// addProof adds what the last verdicts prove: those of the completion, or of the last attempt.
func (r *ShowResult) addProof(h *journal.History) {
	verdicts := r.lastVerdicts(h)
	switch last := h.Last(); {
	case r.Evidence != nil:
		r.Verdict, r.Strength = r.Evidence.Verdict, r.Evidence.KnownStrength()
	case verdicts != nil:
		r.Verdict, r.Strength = last.Report.Conclusion(), last.Report.Strength
	}
	for i := range r.Criteria {
		if at := slices.IndexFunc(verdicts, func(v criteria.Verdict) bool { return v.ID == r.Criteria[i].ID }); at >= 0 {
			r.Criteria[i].Proof = verdicts[at].Proof
		}
	}
}

// lastVerdicts are those of the completion or, without evidence of it, of the last attempt.
func (r *ShowResult) lastVerdicts(h *journal.History) []criteria.Verdict {
	last := h.Last()
	switch {
	case r.Evidence != nil:
		return r.Evidence.Criteria
	case last != nil && !last.Gone && last.Report.SpecID != "":
		return last.Report.Criteria
	}
	return nil
}

func show(ctx context.Context, p *engine.Project, s *spec.File) (ShowResult, error) {
	_, g, err := engine.GraphAround(ctx, p, s.ID)
	if err != nil {
		return ShowResult{}, err
	}
	h, err := journal.ReadHistory(p.Store, s.ID)
	if err != nil {
		return ShowResult{}, err
	}
	there := advice.ReadElsewhere(ctx, p, &s.Spec)
	result := describe(p, s, showRow(p, g, &s.Spec, there))
	if c := there[s.ID]; c.State == fleet.Ended {
		result.Fields.Reason = c.Reason
	}
	if s.Status == spec.Completed {
		if result.Evidence, err = verify.Evidence(ctx, p, s.ID, h); err != nil {
			return ShowResult{}, err
		}
		if result.Evidence, result.Reworded, err = verify.RewordingsOf(ctx, p, s, result.Evidence); err != nil {
			return ShowResult{}, err
		}
	}
	if !s.Archived && s.Status != spec.Completed && s.Status != spec.Cancelled {
		result.Waits = g.Blockers(s.ID)
	}
	if used := usage.UsageOf(h, time.Time{}).Rounded(); used.Agents > 0 {
		result.Usage = &used
	}
	result.addProof(h)
	if err := result.addHeldOut(ctx, p, h); err != nil {
		return ShowResult{}, err
	}
	result.Failed = failedOutput(p, &s.Spec, h)
	if result.Questions, err = questionsOf(p, s.ID); err != nil {
		return ShowResult{}, err
	}
	result.Questions = append(result.Questions, questionsThere(s.ID, there)...)
	result.NeedsInput = len(question.WithState(result.Questions, question.Open))
	for _, a := range h.Attempts {
		result.Attempts = append(result.Attempts, AttemptView{
			Number: a.Number, Opened: a.Opened, Provider: a.Job.Provider, Last: a.Last, Closed: a.Closed, Reason: a.Reason, Code: a.Code, Agent: a.Agent,
		})
	}
	return result, nil
}
