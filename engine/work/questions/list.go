package questions

import (
	"context"
	"time"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/spec/next"
)

// ListInput chooses which questions are listed.
type ListInput struct {
	ID string `json:"id,omitempty" jsonschema:"Spec ID (full or partial), or a branch; default: all"`
}

// ListResult lists open questions, oldest first.
type ListResult struct {
	Questions []OpenQuestion `json:"questions"`
	engine.Page
}

// OpenQuestion is a question that waits for a person.
type OpenQuestion struct {
	ID       string      `json:"id"` // of the spec, or else the branch or the worktree
	Question int         `json:"question"`
	Prompt   string      `json:"prompt"`
	By       string      `json:"by,omitempty"`
	Attempt  int         `json:"attempt,omitempty"`
	Asked    time.Time   `json:"asked"`
	Node     string      `json:"node,omitempty"` // the machine of the fleet whose agent asks, "" for this clone
	Next     next.Advice `json:"next,omitzero"`
}

// List returns the questions that wait for a person. Errors: NotFound for an ID that is neither a spec nor has
// questions.
func List(ctx context.Context, p *engine.Project, in ListInput) (ListResult, error) {
	open, err := box(p).Open()
	if err != nil {
		return ListResult{}, engine.Wrap(err, in.ID)
	}
	place, of := question.Place(""), ""
	if in.ID != "" {
		if place, of, err = findPlace(ctx, p, in.ID); err != nil {
			return ListResult{}, engine.Wrap(err, in.ID)
		}
	}
	out := ListResult{Questions: []OpenQuestion{}}
	for _, q := range open {
		if place == "" || q.Place() == place {
			out.Questions = append(out.Questions, Describe(open, q))
		}
	}
	there, err := openElsewhere(ctx, p)
	for _, q := range there {
		if of == "" || q.ID == of {
			out.Questions = append(out.Questions, q)
		}
	}
	out.Page = engine.Whole(len(out.Questions))
	return engine.Done(out, err, in.ID)
}

// Describe returns an open question with the step that answers it. open has all open questions.
func Describe(open []question.Question, q question.Question) OpenQuestion {
	step := next.Answer.On(q.Subject())
	several := 0
	for _, other := range open {
		if other.Place() == q.Place() {
			several++
		}
	}
	if several > 1 {
		step = step.Set("question", itoa(q.Number))
	}
	return OpenQuestion{ID: q.Subject(), Question: q.Number, Prompt: q.Prompt, By: q.By, Attempt: q.Attempt, Asked: q.Asked, Next: step.Because("the agent waits for an answer")}
}
