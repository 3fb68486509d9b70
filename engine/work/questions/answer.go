package questions

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// AnswerInput is an answer to a question.
type AnswerInput struct {
	ID       string       `json:"id,omitempty" jsonschema:"Spec ID (full or partial), or the branch of work without a spec; default: that of the only open question"`
	Text     string       `json:"text" jsonschema:"The answer"`
	Question int          `json:"question,omitempty" jsonschema:"Number of the question; default: the only open one"`
	How      question.How `json:"-"` // by which the answer comes; "" = ByCommand
}

// AnswerResult is the question that was answered.
type AnswerResult struct {
	ID       string      `json:"id"` // of the spec, or else the branch or the worktree
	Question int         `json:"question"`
	Prompt   string      `json:"prompt"`
	Answer   string      `json:"answer"`
	Running  bool        `json:"running"`       // its agent is at work, and gets the answer with the next call of a tool
	Next     next.Advice `json:"next,omitzero"` // gives a new agent the answer
}

// Answer answers an open question. Errors: NotFound without an open question, Usage if several are open and none is
// named, State for a question that is closed and inside a run, Invalid for an empty or too long text.
func Answer(ctx context.Context, p *engine.Project, in AnswerInput) (AnswerResult, error) {
	if err := engine.MayInside(p, "answer", ""); err != nil {
		return AnswerResult{}, engine.Wrap(err, in.ID)
	}
	place, of, err := choosePlace(ctx, p, in)
	if err != nil {
		return AnswerResult{}, engine.Wrap(convertError(err), in.ID)
	}
	how := in.How
	if how == "" {
		how = question.ByCommand
	}
	q, err := box(p).Answer(ctx, place, of, in.Question, p.Secrets.Text(strings.TrimSpace(in.Text)), how)
	if err != nil {
		return AnswerResult{}, engine.Wrap(convertError(err), of)
	}
	r := AnswerResult{ID: q.Subject(), Question: q.Number, Prompt: q.Prompt, Answer: q.Answer}
	if q.Spec == "" {
		return r, nil
	}
	// Asked after the answer is stored, so that an agent which has just ended is not taken for one that gets it.
	_, r.Running = p.Store.Holder(q.Spec)
	if s, err := p.Store.Get(ctx, q.Spec); err == nil && !r.Running && s.Status != spec.Completed && s.Status != spec.Cancelled {
		r.Next = next.Work.On(q.Spec).Because("another attempt gets the answer")
	}
	return r, nil
}

// AnswerOnBoard answers a question of a run that the view of runs shows. Errors are those of Answer.
func AnswerOnBoard(ctx context.Context, p *engine.Project, id string, n int, text string) error {
	_, err := Answer(ctx, p, AnswerInput{ID: id, Question: n, Text: text, How: question.OnBoard})
	return err
}

// choosePlace returns the place that an input means. Without an ID it is that of all open questions.
func choosePlace(ctx context.Context, p *engine.Project, in AnswerInput) (question.Place, string, error) {
	if in.ID != "" {
		return findPlace(ctx, p, in.ID)
	}
	open, err := box(p).Open()
	switch {
	case err != nil:
		return "", "", err
	case len(open) == 0:
		return "", "", engine.Fail(engine.NotFound, next.Status.On(), "no question is open")
	}
	for _, q := range open {
		if q.Place() != open[0].Place() {
			return "", "", engine.Fail(engine.Usage, next.Answer.On(), "%d questions are open: name the spec of one", len(open))
		}
	}
	return open[0].Place(), open[0].Subject(), nil
}

// findPlace returns the place of a spec, or else of a branch or a worktree that has questions. One with open questions
// comes first: those about a spec may have been asked in its run and in other worktrees.
func findPlace(ctx context.Context, p *engine.Project, id string) (question.Place, string, error) {
	all, err := box(p).All()
	if err != nil {
		return "", "", err
	}
	found, findErr := engine.Find(ctx, p, id)
	// Open questions first: those about one spec may come from its run and from other worktrees.
	for _, list := range [][]question.Question{question.WithState(all, question.Open), all} {
		for _, q := range list {
			if q.Subject() == id || findErr == nil && q.Subject() == found {
				return q.Place(), q.Subject(), nil
			}
		}
	}
	return question.OfSpec(found), found, findErr
}

// convertError converts an error of questions.
func convertError(err error) error {
	e, ok := errors.AsType[*question.Error](err)
	if !ok {
		return err
	}
	step := next.Answer.On()
	code := engine.NotFound
	switch e.Kind {
	case question.Several:
		code, step = engine.Usage, next.Answer.On(e.Of).Set("question", itoa(e.Numbers[0]))
	case question.Over, question.Full:
		code = engine.State
	case question.Bad:
		code, step = engine.Invalid, next.Answer.Help()
	case question.None:
	}
	return &engine.Error{Code: code, Message: e.Error(), Next: step, Err: err}
}

func itoa(n int) string { return strconv.Itoa(n) }
