package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/text"
)

// maxQuotedQuestion is how many columns of a question the reason of a failure quotes.
const maxQuotedQuestion = 120

// waitsForAnswer returns the failure of an agent that has ended although its question is open: then the answer is what
// the next attempt needs. Other failures are returned as they are.
func (r *Run) waitsForAnswer(step journal.Step, cause error) error {
	f, ok := errors.AsType[*journal.Failure](cause)
	unfinished := []spec.ReasonCode{spec.ReasonAgent, spec.ReasonUnverified, spec.ReasonNothing, spec.ReasonOutput}
	if !ok || r.Asked || !slices.Contains([]journal.Step{journal.Collect, journal.Verify}, step) || !slices.Contains(unfinished, f.Kind) {
		return cause
	}
	all, err := r.questions().List(question.OfSpec(r.Job.ID))
	open := question.WithState(all, question.Open)
	if err != nil || len(open) == 0 {
		return errors.Join(cause, err)
	}
	q := open[0]
	answer := next.Answer.On(r.Job.ID)
	more := ""
	if len(open) > 1 {
		answer, more = answer.Set("question", fmt.Sprint(q.Number)), fmt.Sprintf(" and %d more", len(open)-1)
	}
	asked := text.Clip(text.OneLine(text.Printable(q.Prompt)), maxQuotedQuestion)
	return &journal.Failure{
		Kind: spec.ReasonQuestion, Details: f.Details, Next: answer,
		Message: fmt.Sprintf("its agent asks %q%s; %s", asked, more, attempt.FirstLine(f.Message)),
	}
}

func (r *Run) questions() question.Box { return question.OpenBox(r.Store.Files, r.Now) }

// withdrawQuestions withdraws what is open when the work has landed.
func (r *Run) withdrawQuestions(ctx context.Context) error {
	// The spec has landed even if the run was stopped meanwhile, so its questions are void.
	_, err := r.questions().WithdrawAll(context.WithoutCancel(ctx), question.OfSpec(r.Job.ID), "the spec has landed")
	return err
}
