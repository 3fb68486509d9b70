package questions

import (
	"context"

	"chant/engine"
	"chant/engine/journal"
	"chant/engine/question"
)

// box returns the questions of a project.
func box(p *engine.Project) question.Box { return question.In(p.Store.Files, p.Now) }

// asker describes who asks from where the caller is, and the place of its questions. id is the spec that the caller
// works on although it is in no run, "" for none.
func asker(ctx context.Context, p *engine.Project, id string) (question.Question, question.Place, error) {
	q := question.Question{Spec: id, Worktree: p.Repo.Dir()}
	if run := p.Store.RunOf(); run != "" {
		q.Spec = run
	}
	head, err := p.Repo.Head(ctx, p.Repo.Dir())
	if err != nil {
		return q, "", err
	}
	q.Branch = head.Branch
	switch {
	case q.Spec != "":
		h, err := journal.ReadHistory(p.Store, q.Spec)
		if err != nil {
			return q, "", err
		}
		if last := h.Last(); last != nil && p.Store.RunOf() != "" {
			q.Attempt, q.By = last.Number, last.Taken.Provider
		}
		return q, question.OfSpec(q.Spec), nil
	case q.Branch != "":
		return q, question.OfBranch(q.Branch), nil
	}
	return q, question.OfFolder(q.Worktree), nil
}
