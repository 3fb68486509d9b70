package questions

import (
	"context"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
)

// box returns the questions of a project.
func box(p *engine.Project) question.Box { return question.OpenBox(p.Store.Files, p.Now) }

// placeHere returns the place of questions that are asked where the caller is, and the branch that is checked out there.
func placeHere(ctx context.Context, p *engine.Project) (place question.Place, branch string) {
	dir := p.Repo.Dir()
	// A folder without a repository has no branch.
	if head, err := p.Repo.Head(ctx, dir); err == nil {
		branch = head.Branch
	}
	switch run := p.Store.RunOf(); {
	case run != "":
		return question.OfSpec(run), branch
	case branch != "":
		return question.OfBranch(branch), branch
	}
	return question.OfFolder(dir), ""
}

// describeAsker describes who asks from where the caller is. id is the spec that the caller works on although it is in no run,
// "" for none.
func describeAsker(ctx context.Context, p *engine.Project, id string) (question.Question, question.Place, error) {
	place, branch := placeHere(ctx, p)
	q := question.Question{Spec: id, Branch: branch, Worktree: p.Repo.Dir()}
	run := p.Store.RunOf()
	if run == "" {
		return q, place, nil
	}
	h, err := journal.ReadHistory(p.Store, run)
	if err != nil {
		return q, place, err
	}
	q.Spec = run
	if last := h.Last(); last != nil {
		q.Attempt, q.By = last.Number, last.Taken.Provider
	}
	return q, place, nil
}
