package work

import (
	"context"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// TakeoverInput names the spec to continue by hand.
type TakeoverInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// TakeoverResult is what a person or another agent needs to continue the work.
type TakeoverResult struct {
	SpecID   string           `json:"spec_id"`
	Status   spec.Status      `json:"status"`
	Worktree string           `json:"worktree_path"`
	Branch   string           `json:"branch"`
	Analysis string           `json:"analysis"`
	LogTail  string           `json:"log_tail"`      // at most 50 lines and 8 KiB
	Open     []spec.Criterion `json:"open_criteria"` // the first ones, at most 50 and 16 KiB
	OpenAll  int              `json:"open_total"`
	Suggest  next.Step        `json:"suggestion"`
	Next     next.Advice      `json:"next,omitzero"`     // the suggestion with its reason
	Command  string           `json:"command,omitempty"` // resumes the agent's conversation on a terminal
}

// The limits of what is handed over.
const (
	maxTailLines = 50
	maxTailBytes = 8 << 10
	maxOpen      = 50
	maxOpenBytes = 16 << 10
)

// Takeover stops the agent that works on a spec and returns its worktree, the end
// of its log and the criteria that are still open. Errors: State when the spec has no run.
func Takeover(ctx context.Context, p *engine.Project, in TakeoverInput) (TakeoverResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return TakeoverResult{}, engine.Wrap(err, in.ID)
	}
	// An agent must not stop its own run.
	if err := engine.MayInside(p, "takeover", id); err != nil {
		return TakeoverResult{}, err
	}
	result, err := takeover(ctx, p, id)
	return engine.Done(result, err, id)
}

func takeover(ctx context.Context, p *engine.Project, id string) (TakeoverResult, error) {
	state, err := pause(ctx, p, id)
	if err != nil {
		return TakeoverResult{}, err
	}
	tree, err := engine.TreeOf(ctx, p, id)
	if err != nil {
		return TakeoverResult{}, err
	}
	if tree == "" {
		return TakeoverResult{}, engine.Fail(engine.State, next.Work.On(id), "spec %q has no run to take over", id)
	}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return TakeoverResult{}, err
	}
	r := TakeoverResult{
		SpecID: id, Status: state.Status, Worktree: tree, Branch: s.Branch, Open: []spec.Criterion{},
		Suggest: next.Finalize.On(id),
	}
	r.Next = r.Suggest.Because("you work on it now, and this checks and completes it")
	r.addOpen(s.Criteria())
	if r.LogTail, err = logTail(p, id); err != nil {
		return r, err
	}
	// Read after the pause, when the run's process has written its last record.
	h, err := journal.ReadHistory(p.Store, id)
	if err != nil {
		return r, err
	}
	r.Command = conversationCommand(p, h, tree)
	r.Analysis = fmt.Sprintf("%s%s; %d of %d criteria are open or have a command to run",
		attemptsText(h), advice.Because(advice.OneLine(s.Fields.Reason)), r.OpenAll, len(s.Criteria()))
	return r, nil
}

// attemptsText says how many attempts there were and how far the last one came, as far as the journal records it.
func attemptsText(h *journal.History) string {
	n, step := len(h.Attempts), advice.LastStep(h)
	switch {
	case n == 0:
		return "attempts unknown, because the journal of the run is missing"
	case n == 1 && step == "":
		return "1 attempt, which ended before its first step"
	case step == "":
		return fmt.Sprintf("%d attempts, the last one ended before its first step", n)
	case n == 1:
		return fmt.Sprintf("1 attempt, which ended at step %q", step)
	}
	return fmt.Sprintf("%d attempts, the last one ended at step %q", n, step)
}

// addOpen counts the criteria that are unticked or have a command to run, and adds the first ones to the result.
func (r *TakeoverResult) addOpen(all []spec.Criterion) {
	size := 0
	for _, c := range all {
		if !c.Runs() && c.Checked {
			continue
		}
		r.OpenAll++
		if size += len(c.Text); len(r.Open) < maxOpen && size <= maxOpenBytes {
			r.Open = append(r.Open, c)
		}
	}
}

// logTail returns the end of a log as the log operation prints it: whole lines, within the limits
// of what is handed over.
func logTail(p *engine.Project, id string) (string, error) {
	lines, err := p.Store.LogTail(id, maxTailBytes)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, line := range lines[max(0, len(lines)-maxTailLines):] {
		out.WriteString(line.String() + "\n")
	}
	return out.String(), nil
}
