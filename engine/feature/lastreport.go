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

// What the log of a run has of a report.
const (
	noteCompleted = "the agent reports: completed"
	noteFailed    = "the agent reports an error: "
)

// reported is what an agent has reported last; the zero value means that it has reported nothing.
type reported struct {
	status string // one of Statuses
	text   string // the question, or the error
}

// reportedIn is the key of what was reported outside of a run, among what a server remembers.
type reportedIn struct{ root string }

// keepReport lets the server remember what was reported in the caller's worktree, where no run keeps it.
func keepReport(ctx context.Context, p *engine.Project, r ReportStatusResult) error {
	w, err := here(ctx, p)
	if err != nil {
		return err
	}
	p.Recall.Keep(reportedIn{w.root}, reported{r.Status, cmp.Or(r.Prompt, r.Message)})
	return w.close()
}

// lastReport returns what the agent of a run has reported in the lines of its log. A question that is open counts before
// them, because it stays on the screen until it is answered.
func lastReport(p *engine.Project, id string, lines []local.LogLine) (reported, error) {
	asked, err := question.In(p.Store.Files, p.Now).List(question.OfSpec(id))
	if err != nil {
		return reported{}, err
	}
	if open := question.WithState(asked, question.Open); len(open) > 0 {
		return reported{NeedsInput, open[len(open)-1].Prompt}, nil
	}
	for _, line := range slices.Backward(lines) {
		if line.Text == noteCompleted {
			return reported{status: Completed}, nil
		}
		if why, ok := strings.CutPrefix(line.Text, noteFailed); ok {
			return reported{Failed, why}, nil
		}
	}
	return reported{}, nil
}

// message is what a status bar shows of a report, "" without one.
func (r reported) message() string {
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
