package run

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/markdown"
)

// NotesRef is where the evidence of a commit lies as a git note.
const NotesRef = "refs/notes/chant"

// complete commits the final front matter on the branch and its evidence as a
// note on that commit.
func (r *Run) complete(ctx context.Context) (any, error) {
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return nil, err
	}
	commits, err := r.agentCommits(ctx, tip)
	if err != nil {
		return nil, err
	}
	out, err := r.Store.Transition(ctx, store.Change{
		ID: r.Job.ID, Event: spec.Complete, Attempt: r.Job.Attempt, Force: UnderWay(),
		Edits: r.FinalFields(commits, r.Verdicts),
		Edit:  r.Final,
	})
	if err != nil {
		return nil, err
	}
	r.Commit = cmp.Or(out.Commit, tip) // silent, or completed to the letter already
	return r.Commit, r.note(ctx, r.Commit)
}

// Final makes the further changes of a spec that completes, and lets the boxes of
// criteria with commands follow their results.
func (r *Run) Final(doc *markdown.Document) (*markdown.Document, error) {
	if r.Also != nil {
		var err error
		if doc, err = r.Also(doc); err != nil {
			return nil, err
		}
	}
	return spec.Check(doc, verify.Boxes(r.Verdicts))
}

// FinalFields is the front matter of a completed spec.
func (r *Run) FinalFields(commits []string, verdicts []verify.Verdict) []markdown.Edit {
	shorts := make([]string, len(commits))
	for i, c := range commits {
		shorts[i] = short(c)
	}
	now := r.Now().UTC().Format(time.RFC3339)
	edits := []markdown.Edit{markdown.Set("completed_at", now), markdown.Unset("reason"), markdown.Unset(retryKey)}
	if len(shorts) > 0 {
		edits = append(edits, markdown.Set("commits", shorts))
	}
	if r.Agent != nil && r.Agent.Model != "" {
		edits = append(edits, markdown.Set("model", r.Agent.Model))
	}
	if len(verdicts) > 0 {
		edits = append(edits, markdown.Set("last_verified", now), markdown.Set("verification_status", "passed"))
	}
	return append(edits, markdown.Unset("verification_failures"))
}

// note keeps the evidence with the commit it speaks of.
func (r *Run) note(ctx context.Context, commit string) error {
	info, err := r.Repo.ReadCommit(ctx, commit)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(verify.Report{
		SpecID: r.Job.ID, Commit: commit, Tree: info.Tree, At: r.Now().UTC(), Verified: true, Criteria: r.Verdicts,
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.Repo.AddNote(ctx, NotesRef, commit, append(text, '\n'))
}
