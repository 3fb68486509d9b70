package feature

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/store/local"
)

// The lines of a report in the log of a run.
const (
	noteCompleted = "the agent reports: completed"
	noteFailed    = "the agent reports an error: "
)

// agentReport is what an agent has reported last; the zero value means that it has reported nothing.
type agentReport struct {
	status string // one of Statuses
	text   string // the question, or the error
}

// reportKey is the key of what was reported outside of a run, among what a server remembers.
type reportKey struct{ root string }

// keepReport lets the server remember what was reported in the caller's worktree, where no run keeps it.
func keepReport(ctx context.Context, p *engine.Project, r ReportStatusResult) error {
	w, err := openWorktree(ctx, p)
	if err != nil {
		return err
	}
	p.Recall.Keep(reportKey{w.root}, agentReport{r.Status, cmp.Or(r.Prompt, r.Message)})
	return w.close()
}

// lastReport returns what the agent of a run has reported in the lines of its log. A question that is open counts before
// them, because it stays on the screen until it is answered.
func lastReport(p *engine.Project, id string, lines []local.LogLine) (agentReport, error) {
	asked, err := question.OpenBox(p.Store.Files, p.Now).List(question.OfSpec(id))
	if err != nil {
		return agentReport{}, err
	}
	// A question stays on the screen until it is answered.
	if open := question.WithState(asked, question.Open); len(open) > 0 {
		return agentReport{NeedsInput, open[len(open)-1].Prompt}, nil
	}
	for _, line := range slices.Backward(lines) {
		if line.Text == noteCompleted {
			return agentReport{status: Completed}, nil
		}
		if why, ok := strings.CutPrefix(line.Text, noteFailed); ok {
			return agentReport{Failed, why}, nil
		}
	}
	return agentReport{}, nil
}

// message is what a status bar shows of a report, "" without one.
func (r agentReport) message() string {
	switch r.status {
	case NeedsInput:
		return "Needs input: " + r.text
	case Failed:
		return "Error: " + r.text
	case Completed:
		return "Completed"
	}
	return ""
}
