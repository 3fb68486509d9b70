package questions

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run/advice"
	"chant/engine/spec/next"
)

// QuestionsElsewhere returns the questions that wait for a person in runs on other machines of the fleet, oldest first.
func QuestionsElsewhere(there advice.Elsewhere) []OpenQuestion {
	var out []OpenQuestion
	for id, c := range there {
		open := c.OpenQuestions()
		for _, q := range open {
			out = append(out, openThere(id, c, q, len(open) > 1))
		}
	}
	slices.SortFunc(out, compareAsked)
	return out
}

func openThere(id string, c fleet.Claim, q fleet.Question, several bool) OpenQuestion {
	step := next.Answer.On(id)
	if several {
		step = step.Set("question", itoa(q.Number))
	}
	return OpenQuestion{ID: id, Question: q.Number, Prompt: q.Prompt, By: q.By, Attempt: q.Attempt, Asked: q.Asked, Node: c.Worker, Next: step.Because("the agent waits for an answer")}
}

// compareAsked sorts questions by when they were asked.
func compareAsked(a, b OpenQuestion) int {
	if c := a.Asked.Compare(b.Asked); c != 0 {
		return c
	}
	return slices.Compare([]string{a.ID, itoa(a.Question)}, []string{b.ID, itoa(b.Question)})
}

// openElsewhere is Elsewhere for all specs of a project.
func openElsewhere(ctx context.Context, p *engine.Project) ([]OpenQuestion, error) {
	if !fleet.TakesPart(p.Repo, p.Config.Fleet.URL) {
		return nil, nil
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return nil, err
	}
	return QuestionsElsewhere(advice.ReadElsewhere(ctx, p, set.Specs...)), nil
}
