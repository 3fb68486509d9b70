package elsewhere

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/fleet"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/work/questions"
)

// Answer answers an open question, wherever its agent is. An agent at work on another machine gets the answer with the
// next tool that it calls. Where its run has ended, the answer is written into the claim, and once no question is open the
// fleet works the spec again, unless a person has paused it. Errors: as questions.Answer; State and Conflict as Pause.
func Answer(ctx context.Context, p *engine.Project, in questions.AnswerInput) (questions.AnswerResult, error) {
	if !fleet.TakesPart(p.Repo, p.Config.Fleet.URL) {
		return questions.Answer(ctx, p, in)
	}
	q, err := choose(ctx, p, in)
	if err != nil || q == nil {
		if err == nil {
			return questions.Answer(ctx, p, in)
		}
		return questions.AnswerResult{}, engine.Wrap(err, in.ID)
	}
	if err := engine.MayInside(p, "answer", ""); err != nil {
		return questions.AnswerResult{}, engine.Wrap(err, q.ID)
	}
	result := questions.AnswerResult{ID: q.ID, Question: q.Question, Prompt: q.Prompt, Answer: p.Secrets.Text(strings.TrimSpace(in.Text))}
	if result.Answer == "" || len(result.Answer) > question.MaxText {
		return result, engine.Fail(engine.Invalid, next.Answer.Help(), "an answer has 1 to %d bytes, and this one has %d", question.MaxText, len(result.Answer))
	}
	result.Running, err = answer(ctx, p, *q, result.Answer)
	return engine.Done(result, err, q.ID)
}

// AnswerOnBoard answers a question of a run that the board shows. Errors are those of Answer.
func AnswerOnBoard(ctx context.Context, p *engine.Project, id string, n int, text string) error {
	_, err := Answer(ctx, p, questions.AnswerInput{ID: id, Question: n, Text: text, How: question.OnBoard})
	return err
}

// choose returns the question on another machine that an input means, nil if it means one in this clone or none.
func choose(ctx context.Context, p *engine.Project, in questions.AnswerInput) (*questions.OpenQuestion, error) {
	list, err := questions.List(ctx, p, questions.ListInput{ID: in.ID})
	if err != nil || !slices.ContainsFunc(list.Questions, func(q questions.OpenQuestion) bool { return q.Node != "" }) {
		return nil, nil //nolint:nilerr // the answer in this clone reports it
	}
	var meant []questions.OpenQuestion
	for _, q := range list.Questions {
		if in.Question == 0 || q.Question == in.Question {
			meant = append(meant, q)
		}
	}
	switch {
	case len(meant) == 0:
		return nil, engine.Fail(engine.NotFound, next.Answer.On(), "no open question has the number %d", in.Question)
	case len(meant) > 1 && meant[0].ID != meant[len(meant)-1].ID:
		return nil, engine.Fail(engine.Usage, next.Answer.On(), "%d questions are open: name the spec of one", len(meant))
	case len(meant) > 1:
		return nil, engine.Fail(engine.Usage, meant[0].Next, "%d questions about spec %q are open: name one", len(meant), meant[0].ID)
	case meant[0].Node == "":
		return nil, nil
	}
	return &meant[0], nil
}

// answer gives the answer to the agent. running reports that it is at work.
func answer(ctx context.Context, p *engine.Project, of questions.OpenQuestion, text string) (running bool, err error) {
	q, err := connect(ctx, p, of.ID)
	if err != nil {
		return false, err
	}
	running, err = q.answer(ctx, of, text)
	return running, q.close(err)
}

func (q *party) answer(ctx context.Context, of questions.OpenQuestion, text string) (running bool, err error) {
	isOpen := func(c fleet.Held) bool {
		return slices.ContainsFunc(c.OpenQuestions(), func(o fleet.Question) bool { return o.Number == of.Question && o.Prompt == of.Prompt })
	}
	for {
		c, err := q.ask(ctx, fleet.Command{Order: fleet.Answer, Question: strconv.Itoa(of.Question), Text: text}, func(c fleet.Held) bool {
			return c.State != fleet.Working || !isOpen(c)
		})
		if err != nil {
			return false, err
		}
		if !isOpen(c) {
			return c.State == fleet.Working, nil
		}
		err = q.answerEnded(ctx, c, of.Question, text)
		if !errors.Is(err, fleet.ErrLost) {
			return false, err
		}
		if err := q.remote.Fetch(ctx); err != nil { // its claim has changed
			return false, err
		}
	}
}

// answerEnded writes the answer into the claim of a run that has ended. Once no question is open, another machine may
// continue.
func (q *party) answerEnded(ctx context.Context, c fleet.Held, n int, text string) error {
	tip, err := q.remote.Branch(ctx, q.id)
	if err != nil {
		return err
	}
	err = q.remote.Settle(ctx, fleet.Done{Held: c, Branch: tip}, tip, func(c *fleet.Claim) {
		c.Questions = slices.Clone(c.Questions)
		for i := range c.Questions {
			if c.Questions[i].Number == n {
				c.Questions[i].Answer = text
			}
		}
		if c.State == fleet.Ended && c.Status != string(spec.Paused) && len(c.OpenQuestions()) == 0 {
			c.State, c.Reason = fleet.Returned, "its question was answered"
		}
	})
	if err != nil {
		return err
	}
	if err := q.broker.Tell(ctx, fleet.Change{Kind: fleet.PutBack, ID: q.id, Node: q.node}); err != nil && !fleet.IsForbidden(err) {
		engine.Warn(q.p, q.id, "the answer is not announced, and is found later: "+advice.OneLine(err.Error()))
	}
	return nil
}
