package view

import (
	"chant/engine"
	"chant/engine/question"
	"chant/engine/questions"
)

// maxQuestions is how many open questions status lists.
const maxQuestions = 50

// addQuestions adds the questions that wait for a person.
func addQuestions(p *engine.Project, r *StatusResult) error {
	open, err := question.In(p.Store.Files, p.Now).Open()
	if err != nil {
		return err
	}
	for _, q := range open[:min(len(open), maxQuestions)] {
		r.Questions = append(r.Questions, questions.Describe(open, q))
	}
	r.QuestionsMore = len(open) - len(r.Questions)
	return nil
}

// markQuestions marks the rows of specs about which a question waits for a person.
func markQuestions(p *engine.Project, rows []Row) error {
	open, err := question.In(p.Store.Files, p.Now).Open()
	if err != nil || len(open) == 0 {
		return err
	}
	count := map[string]int{}
	for _, q := range open {
		count[q.Spec]++
	}
	for i := range rows {
		rows[i].NeedsInput = count[rows[i].ID]
	}
	return nil
}

// questionsOf returns the questions about a spec, oldest first.
func questionsOf(p *engine.Project, id string) ([]question.Question, error) {
	return question.In(p.Store.Files, p.Now).List(question.OfSpec(id))
}
