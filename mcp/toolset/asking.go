package toolset

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/work/questions"
)

// Tools that ask a person share this: waiting for the answer where the client of the call allows that.
//
// Rules:
//
//   - A call waits only if its client shows forms (elicitation) or has made it as a task. Any other reply comes at once,
//     and the answer comes with a later call or in the prompt of the next agent.
//   - The first answer counts, by form or by another way. The other one is taken back.
//   - A form that is declined leaves the question open, and so does a call that is cancelled. Only cancelling the task
//     withdraws it.

// Reply is a question after its call has waited.
type Reply struct {
	questions.AskResult
	Note string `json:"note,omitempty"` // why there is no answer, although the person was asked at once; "" otherwise
}

// Text returns the answer as the client reads it, or why there is none; "" while the question is open.
func (r Reply) Text() string {
	switch {
	case r.State == question.Answered:
		return "User response: " + r.Answer
	case r.State == question.Withdrawn:
		return "Input request was cancelled"
	}
	return r.Note
}

// Effect says what follows from the reply, a sentence; "" while the question is open.
func (r Reply) Effect() string {
	switch {
	case r.State == question.Answered:
		return "the question was answered"
	case r.State == question.Withdrawn:
		return "the question was withdrawn"
	}
	return r.Note
}

// Await waits for the answer to a question, if its client waits. Errors: the context's.
func Await(ctx context.Context, p *engine.Project, r questions.AskResult) (Reply, error) {
	people := PeopleOf(ctx)
	if r.State != question.Open || people == nil || !people.Waits() && !people.Elicits() {
		return Reply{AskResult: r}, nil
	}
	var out Reply
	var err error
	people.AwaitInput(r.Prompt, func() { out, err = race(ctx, p, people, r) })
	// Cancelling a call leaves the question open for later; cancelling the task withdraws it.
	if ctx.Err() != nil && people.TakenBack(ctx) {
		if failed := questions.Withdraw(ctx, p, r, "its task was cancelled"); failed != nil {
			return out, failed
		}
	}
	return out, err
}

// waited is the result of one way of answering.
type waited struct {
	result questions.AskResult
	answer string
	given  bool
	err    error
}

// race waits for the first answer.
func race(ctx context.Context, p *engine.Project, people People, r questions.AskResult) (Reply, error) {
	ctx, stop := context.WithCancel(ctx)
	// Each channel has room for its result, so that the loser ends without a reader.
	stored, form := make(chan waited, 1), make(chan waited, 1)
	go func() {
		result, err := questions.Await(ctx, p, r)
		stored <- waited{result: result, err: err}
	}()
	elicits := people.Elicits()
	go func() {
		var w waited
		if elicits {
			w.answer, w.given, w.err = people.Elicit(ctx, r.Prompt)
		}
		form <- w
	}()
	out := Reply{AskResult: r}
	left := 2
	// Both goroutines use the project, so the call ends only after them.
	defer func() {
		stop()
		for range left {
			select {
			case <-stored:
			case <-form:
			}
		}
	}()
	for {
		select {
		case w := <-stored:
			left--
			out.AskResult = w.result
			return out, w.err
		case w := <-form:
			left--
			if w.given {
				result, err := questions.AnswerHere(ctx, p, r, w.answer)
				return Reply{AskResult: result}, err
			}
			if err := ctx.Err(); err != nil {
				return out, err
			}
			if elicits {
				out.Note = note(w.err)
			}
			// A call that does not wait ends with its form; the question stays open for another way.
			if !people.Waits() {
				return out, nil
			}
			// A nil channel is never ready: the task waits for an answer by another way.
			form = nil
		}
	}
}

// note says why a form brought no answer.
func note(err error) string {
	if err != nil {
		return fmt.Sprintf("The question stays open: it could not be shown here (%s)", err)
	}
	return "The question stays open: it was not answered here"
}
