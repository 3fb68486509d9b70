package view

import (
	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/run/advice"
	"chant/engine/work/questions"
)

// maxQuestions is how many open questions status lists.
const maxQuestions = 50

// addQuestions adds the questions that wait for a person, here and then on other machines.
func addQuestions(p *engine.Project, r *StatusResult, there advice.Elsewhere) error {
	open, err := question.OpenBox(p.Store.Files, p.Now).Open()
	if err != nil {
		return err
	}
	for _, q := range open[:min(len(open), maxQuestions)] {
		r.Questions = append(r.Questions, questions.Describe(open, q))
	}
	away := questions.QuestionsElsewhere(there)
	r.Questions = append(r.Questions, away[:min(len(away), maxQuestions-len(r.Questions))]...)
	r.QuestionsMore = len(open) + len(away) - len(r.Questions)
	return nil
}

// markQuestions marks the rows of specs about which a question waits for a person.
func markQuestions(p *engine.Project, rows []Row) error {
	open, err := question.OpenBox(p.Store.Files, p.Now).Open()
	if err != nil || len(open) == 0 {
		return err
	}
	count := map[string]int{}
	for _, q := range open {
		count[q.Spec]++
	}
	for i := range rows {
		rows[i].NeedsInput += count[rows[i].ID]
	}
	return nil
}

// questionsThere returns the open questions about a spec on another machine.
func questionsThere(id string, there advice.Elsewhere) []question.Question {
	var out []question.Question
	for _, q := range there[id].OpenQuestions() {
		out = append(out, question.Question{Number: q.Number, Spec: id, Prompt: q.Prompt, By: q.By, Attempt: q.Attempt, Asked: q.Asked, State: question.Open})
	}
	return out
}

// questionsOf returns the questions about a spec, oldest first.
func questionsOf(p *engine.Project, id string) ([]question.Question, error) {
	return question.OpenBox(p.Store.Files, p.Now).List(question.OfSpec(id))
}
