package feature

import (
	"context"
	"path"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/work/questions"
)

// needsInput asks a person, on behalf of the agent of a run or of one in another worktree, and completes the result.
// Where there is no project, the question is only in the conversation of the agent.
func needsInput(ctx context.Context, p *engine.Project, r *ReportStatusResult) error {
	// There is no project here that could keep a question.
	if p.Folder != "" {
		r.Effect = "the work continues; a person reads the question in this conversation"
		return ctx.Err()
	}
	id, err := specHere(ctx, p)
	if err != nil {
		return err
	}
	asked, err := questions.Ask(ctx, p, questions.AskInput{Prompt: r.Prompt, Spec: id})
	if err != nil {
		return err
	}
	// The prompt is what is shown to people, so it is taken from there.
	r.Question, r.Prompt = &asked, asked.Prompt
	r.Effect = "the work continues; chant shows the question to people, and a later call brings the answer"
	if asked.State == question.Answered {
		r.Effect = "the question was answered"
	}
	return nil
}

// specHere returns the id of the spec of the feature that the caller's worktree is about, "" without one.
func specHere(ctx context.Context, p *engine.Project) (string, error) {
	if p.Store.RunOf() != "" {
		return p.Store.RunOf(), nil
	}
	w, err := openWorktree(ctx, p)
	if err != nil {
		return "", err
	}
	dir := w.dir
	if err := w.close(); err != nil || dir == "" {
		return "", err
	}
	set, _, err := engine.Graph(ctx, p)
	if err != nil {
		return "", err
	}
	for _, s := range set.Specs {
		// A spec of a part is not about the whole feature.
		if s.Fields.Source != "" && path.Clean(s.Fields.Source) == dir && len(s.Fields.Part) == 0 {
			return s.ID, nil
		}
	}
	return "", nil
}
