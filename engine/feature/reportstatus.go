package feature

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/work/questions"
	"chant/markdown"
)

// The statuses that an agent reports.
const (
	NeedsInput = "needs_input"
	Completed  = "completed"
	Failed     = "error"
)

// Statuses lists them.
func Statuses() []string { return []string{NeedsInput, Completed, Failed} }

// ReportStatusInput is what an agent reports.
type ReportStatusInput struct {
	Status  string `json:"status" jsonschema:"Current task status" schema:"enum=needs_input|completed|error"`
	Prompt  string `json:"prompt,omitempty" jsonschema:"Prompt to show user (for needs_input)"`
	Message string `json:"message,omitempty" jsonschema:"Error message (for error status)"`
}

// ReportStatusResult is what became of a report.
type ReportStatusResult struct {
	Status  string   `json:"status"`
	ID      string   `json:"id,omitempty"`            // of the run's spec; absent outside of a run
	Prompt  string   `json:"prompt,omitempty"`        // of needs_input
	Message string   `json:"message,omitempty"`       // of error: the reason with which the run fails
	Open    []string `json:"open_criteria,omitempty"` // of completed: what does not hold yet, of the run's spec
	Unrun   []string `json:"open_commands,omitempty"` // of completed: criteria that chant checks by their commands
	Effect  string   `json:"effect"`                  // what happens next, a sentence

	Question *questions.AskResult `json:"question,omitempty"` // of needs_input, with the answer if there is one
}

// ReportStatus takes a report of an agent about its work. needs_input asks a person and stops nothing. completed is a
// claim: it is written to the run's log, and the run is judged as without it, so no gate is passed by it. error makes
// the run fail with its message when the agent has ended. Outside of a run a report changes nothing. Errors: Usage for
// an unknown status; Invalid for a text with control characters.
func ReportStatus(ctx context.Context, p *engine.Project, in ReportStatusInput) (ReportStatusResult, error) {
	result, err := report(ctx, p, in)
	return engine.Done(result, err, result.ID)
}

func report(ctx context.Context, p *engine.Project, in ReportStatusInput) (ReportStatusResult, error) {
	r := ReportStatusResult{Status: in.Status}
	if !slices.Contains(Statuses(), in.Status) {
		return r, errNotAmong("status", in.Status, Statuses())
	}
	for name, value := range map[string]string{"prompt": in.Prompt, "message": in.Message} {
		if err := engine.PlainText(name, value); err != nil {
			return r, err
		}
	}
	var err error
	if r.ID, err = engine.RunAbove(p); err != nil {
		return r, err
	}
	switch in.Status {
	case NeedsInput:
		r.Prompt = cmp.Or(in.Prompt, "Enter your response:")
		err = needsInput(ctx, p, &r)
	case Completed:
		err = reportCompleted(ctx, p, &r)
	default:
		r.Message = cmp.Or(strings.TrimSpace(in.Message), "Unknown error")
		err = reportFailure(ctx, p, &r)
	}
	// A run keeps it in its log.
	if err == nil && r.ID == "" {
		err = keepReport(ctx, p, r)
	}
	return r, err
}

// reportCompleted records that an agent takes its work for done, and lists what does not hold yet.
func reportCompleted(ctx context.Context, p *engine.Project, r *ReportStatusResult) error {
	if r.ID == "" {
		r.Effect = "nothing changes: this is not a run of chant"
		return nil
	}
	s, err := p.Store.Get(ctx, r.ID)
	if err != nil {
		return err
	}
	// They are not run here: an agent that reports must not wait for tests.
	for _, c := range s.Criteria() {
		switch {
		case c.Runs():
			r.Unrun = append(r.Unrun, c.Text)
		case !c.Checked:
			r.Open = append(r.Open, c.Text)
		}
	}
	r.Effect = "chant checks the criteria when you end your turn"
	return p.Store.NoteInLog(r.ID, noteCompleted, p.Now)
}

// reportFailure makes the run fail with the reason in r, as soon as its agent has ended.
func reportFailure(ctx context.Context, p *engine.Project, r *ReportStatusResult) error {
	switch {
	case r.ID == "":
		r.Effect = "nothing changes: this is not a run of chant"
		return nil
	// Elsewhere its status would not be that of the run's branch.
	case !engine.AppliesToOwnCopy(p, "report", r.ID):
		return engine.Fail(engine.State, next.Step{}, "report an error from the worktree of the run of %q", r.ID)
	}
	_, err := engine.Rewrite(ctx, p, r.ID, func(doc *markdown.Document) (*markdown.Document, error) {
		return doc.Apply(markdown.Set("status", string(spec.Failed)), markdown.Set("reason", r.Message))
	})
	if err != nil {
		return err
	}
	r.Effect = "the run fails with this reason when you end your turn"
	return p.Store.NoteInLog(r.ID, noteFailed+r.Message, p.Now)
}
