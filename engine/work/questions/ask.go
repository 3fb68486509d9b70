package questions

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/question"
)

// AskInput is a question to a person.
type AskInput struct {
	Prompt string `json:"prompt" jsonschema:"The question, to be understood without your conversation"`
	Spec   string `json:"-"` // the id of the spec that the caller works on outside of runs, "" for none
}

// AskResult is the question, and its answer if there is one.
type AskResult struct {
	Question int            `json:"question" jsonschema:"Number of the question"`
	Of       string         `json:"of"` // the spec, or else the branch or the worktree
	Prompt   string         `json:"prompt"`
	State    question.State `json:"state"` // open, answered or withdrawn
	Answer   string         `json:"answer,omitempty"`
	How      question.How   `json:"how,omitempty"` // command, board, elicitation or tool
	place    question.Place
}

// Ask asks a person, and returns at once. A question that is open already is not asked again, and the answer of one that
// was asked before is returned. Errors: Invalid for a prompt that is empty or too long, State if too many are open.
func Ask(ctx context.Context, p *engine.Project, in AskInput) (AskResult, error) {
	id := p.Store.RunOf()
	q, place, err := describeAsker(ctx, p, in.Spec)
	if err != nil {
		return AskResult{}, engine.Wrap(err, id)
	}
	// A person reads it on a board or in a log, where no secret may show.
	q.Prompt = p.Secrets.Text(strings.TrimSpace(in.Prompt))
	known, err := askedBefore(ctx, p, place, q)
	if err != nil || known != nil {
		return resultOf(known), engine.Wrap(err, id)
	}
	q, err = box(p).Ask(ctx, place, q)
	return engine.Done(resultOf(&q), convertError(err), id)
}

// askedBefore returns the same question if it is open, or if its answer waits for an agent, which receives it now; else
// nil: an agent that has an answer may ask the same of something else.
func askedBefore(ctx context.Context, p *engine.Project, place question.Place, q question.Question) (*question.Question, error) {
	all, err := box(p).List(place)
	if err != nil {
		return nil, err
	}
	for _, old := range slices.Backward(all) {
		// An agent that has its answer already may ask the same of something else.
		if old.Prompt != q.Prompt || old.State != question.Open && !old.Waits() {
			continue
		}
		if old.Waits() {
			if err := box(p).ReceiveOne(ctx, place, old.Number); err != nil {
				return nil, err
			}
		}
		return &old, nil
	}
	return nil, nil
}

func resultOf(q *question.Question) AskResult {
	if q == nil {
		return AskResult{}
	}
	return AskResult{Question: q.Number, Of: q.Subject(), Prompt: q.Prompt, State: q.State, Answer: q.Answer, How: q.How, place: q.Place()}
}

// Await waits until a question that Ask returned is answered or withdrawn, and returns it then. The agent that waits
// receives the answer. Errors: the context's.
func Await(ctx context.Context, p *engine.Project, r AskResult) (AskResult, error) {
	if r.State != question.Open {
		return r, nil
	}
	q, err := box(p).Await(ctx, r.place, r.Question)
	if err == nil && q.Waits() {
		err = box(p).ReceiveOne(ctx, r.place, q.Number)
	}
	return engine.Done(resultOf(&q), convertError(err), r.Of)
}

// Withdraw withdraws a question that Ask returned, unless it is closed. It also works after ctx has ended.
func Withdraw(ctx context.Context, p *engine.Project, r AskResult, why string) error {
	// The client may have gone, and its question must not stay open.
	_, err := box(p).Withdraw(context.WithoutCancel(ctx), r.place, r.Question, why)
	// A person was faster, which is just as well.
	if e, ok := errors.AsType[*question.Error](err); ok && e.Kind == question.Over {
		return nil
	}
	return engine.Wrap(convertError(err), r.Of)
}

// AnswerHere records the answer that the person at the agent's own client gave to a question that Ask returned, which
// its agent receives now. If it was answered by another way meanwhile, that answer is returned.
func AnswerHere(ctx context.Context, p *engine.Project, r AskResult, text string) (AskResult, error) {
	text = p.Secrets.Text(text)
	q, err := box(p).Answer(ctx, r.place, r.Of, r.Question, text, question.ByElicitation)
	// Another way of answering was faster, and the agent gets that answer.
	if e, ok := errors.AsType[*question.Error](err); ok && e.Kind == question.Over {
		return Await(ctx, p, r)
	}
	if err == nil {
		err = box(p).ReceiveOne(ctx, r.place, q.Number)
	}
	return engine.Done(resultOf(&q), convertError(err), r.Of)
}
