package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/format/adopted"
	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
)

// branch creates the run's branch with the start commit on the target's tip, which it returns, or starts another attempt
// on the existing branch.
func (r *Run) branch(ctx context.Context) (string, error) {
	ref := "refs/heads/" + r.Job.Branch
	_, err := r.Repo.Resolve(ctx, ref)
	switch {
	case err == nil:
		return "", r.startOnBranch(ctx)
	case !errors.Is(err, gitops.ErrNotFound):
		return "", err
	case r.Job.Silent:
		return "", r.startSilently(ctx, ref)
	}
	doc, word, err := r.startedSpec(ctx)
	if err != nil {
		return "", err
	}
	files, err := r.checkSource(ctx, doc)
	if err != nil {
		return "", err
	}
	files = append(files, gitops.File{Path: store.SpecPath(r.Job.ID), Content: doc.Bytes()})
	start, err := r.startCommit(ctx, ref, files, string(word))
	if git, ok := errors.AsType[*gitops.GitError](err); ok && git.Damaged() {
		// A "git gc --prune=now" was faster than the branch: git may remove a commit until a ref leads to it.
		start, err = r.startCommit(ctx, ref, files, string(word))
	}
	return start, err
}

// startCommit makes the start commit, has it count, and makes the branch.
func (r *Run) startCommit(ctx context.Context, ref string, files []gitops.File, word string) (string, error) {
	start, err := r.commitStart(ctx, files, r.Message(word, ""))
	if err != nil {
		return "", err
	}
	// Trusted before a branch leads to it: once the branch exists, an agent can commit there, too.
	if err := r.Journal.Trust(journal.Trusted{Commit: start}); err != nil {
		return "", err
	}
	// Git cannot make the branch while another one continues its name.
	if err := tree.RemoveBranchesBelow(ctx, r.Trees); err != nil {
		return "", err
	}
	return start, r.Repo.UpdateRef(ctx, ref, start, "", "chant: start "+r.Job.ID)
}

// commitStart commits files on the target's tip, merged with the failing tests of another spec if the run begins with some.
func (r *Run) commitStart(ctx context.Context, files []gitops.File, message string) (string, error) {
	if r.Job.Tests == "" {
		return r.Repo.CommitOn(ctx, r.Job.Base, files, message)
	}
	m, err := r.Repo.MergeTree(ctx, r.Job.Base, r.Job.Tests)
	if err != nil {
		return "", err
	}
	if len(m.Conflicts) > 0 {
		id, err := attempt.SpecOf(ctx, r.Repo, r.Job.Tests)
		var paths []string
		for _, c := range m.Conflicts {
			paths = append(paths, c.Path)
		}
		return "", errors.Join(err, &journal.Failure{
			Kind: spec.ReasonConflict, Details: paths, Next: next.Merge.On(id).Flag("rebase"),
			Message: fmt.Sprintf("the tests of %q do not merge with %q: conflict in %s", id, r.Job.Target, strings.Join(paths, ", ")),
		})
	}
	tree, err := r.Repo.WriteTree(ctx, m.Tree, files)
	if err != nil {
		return "", err
	}
	return r.Repo.CommitTree(ctx, tree, []string{r.Job.Base, r.Job.Tests}, message)
}

// ForgetStart forgets a start commit that no branch got, because the process that made it was killed, and that git has
// removed since. Nothing was done for it.
func (r *Run) ForgetStart(ctx context.Context) error {
	t := r.Journal.History().Trusted
	if t == nil || t.Commit == "" {
		return nil
	}
	_, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if !errors.Is(err, gitops.ErrNotFound) {
		return err
	}
	// The branch is missing, too, when a person has deleted it. Then git still has the commit, which still counts.
	_, err = r.Repo.ReadCommit(ctx, t.Commit)
	if errors.Is(err, gitops.ErrNotFound) {
		r.Journal.Assume(nil)
		return nil
	}
	return err
}

// checkSource checks that the commit from which the branch starts has the folder that the spec adopts. It returns what the
// start commit changes there: a replay unticks boxes.
func (r *Run) checkSource(ctx context.Context, doc *markdown.Document) ([]gitops.File, error) {
	s, err := spec.FromDocument(r.Job.ID, doc)
	if err == nil {
		err = store.AdoptAt(ctx, r.Store, r.Job.Base, s)
	}
	if err != nil || s.Adopted() == nil {
		return nil, err
	}
	a := s.Adopted()
	if a.Problem != "" {
		return nil, &journal.Failure{
			Kind: spec.ReasonStrayed, Next: next.Show.On(r.Job.ID),
			Message: fmt.Sprintf("branch %q does not have what spec %q adopts: %s", r.Job.Target, r.Job.ID, a.Problem),
		}
	}
	// Only a replay begins with ticked boxes, of the run that has landed.
	if !r.Job.Replay {
		return nil, nil
	}
	base, err := r.Repo.FS(ctx, r.Job.Base)
	if err != nil {
		return nil, err
	}
	unticked, err := adopted.Unticked(base, a)
	var out []gitops.File
	for _, f := range unticked {
		out = append(out, gitops.File{Path: f.Path, Content: f.Content})
	}
	return out, err
}

// startedSpec returns the spec as the start commit has it, and the event: home's copy, in progress; or, for a replay,
// the copy that has landed on the target.
func (r *Run) startedSpec(ctx context.Context) (*markdown.Document, spec.Event, error) {
	if r.Job.Replay {
		s, err := r.Store.ReadAt(ctx, r.Job.Base, r.Job.ID)
		if err != nil {
			return nil, "", err
		}
		ev, _ := s.ReplayEvent()
		doc, err := s.ReplayDocument(r.Now().UTC().Format(time.RFC3339))
		if err == nil && r.Job.Onto != "" {
			doc, err = doc.Apply(markdown.Set("onto", r.Job.Onto))
		}
		return doc, ev, err
	}
	s, err := r.Store.ReadHome(r.Job.ID)
	if err != nil {
		return nil, "", err
	}
	edits := spec.ClearReason()
	if r.Job.Onto != "" {
		// The target is part of the start commit, so that an agent cannot choose another branch to land on.
		edits = append(edits, markdown.Set("onto", r.Job.Onto))
	}
	doc, err := s.Apply(spec.Start, edits...)
	return doc, spec.Start, err
}

// startOnBranch starts an attempt on a branch that may have a worktree.
func (r *Run) startOnBranch(ctx context.Context) error {
	own, err := r.TreePath(r.Job.ID)
	if err == nil {
		// Of a worktree that was moved git does not know which branch it has, so the spec in it would stay as the last
		// attempt has left it, and its failure would be taken for what the next agent says.
		err = r.Repo.RepairWorktree(ctx, own, r.Job.Branch)
	}
	if err != nil {
		return err
	}
	return r.startAgain(ctx)
}

// startAgain starts an attempt on the branch of an earlier one.
func (r *Run) startAgain(ctx context.Context) error {
	s, err := r.Store.Get(ctx, r.Job.ID)
	if err != nil {
		return err
	}
	if err := r.EnsureTrusted(ctx); err != nil {
		return err
	}
	if s.Status == spec.InProgress {
		// The process that started it was killed.
		return nil
	}
	_, err = r.Store.Transition(ctx, store.Change{
		ID: r.Job.ID, Event: spec.Start, Attempt: r.Job.Attempt, Edits: spec.ClearReason(), More: r.AgentTrailers(),
	})
	return err
}

func (r *Run) startSilently(ctx context.Context, ref string) error {
	src, err := r.Store.ReadTree(r.Store.Home(), store.SpecPath(r.Job.ID))
	if err != nil {
		return err
	}
	// Git ignores the spec in silent mode, so its text is trusted instead of a commit.
	if err := r.Journal.Trust(journal.Trusted{Text: string(src)}); err != nil {
		return err
	}
	if err := tree.RemoveBranchesBelow(ctx, r.Trees); err != nil {
		return err
	}
	if err := r.Repo.UpdateRef(ctx, ref, r.Job.Base, "", "chant: start "+r.Job.ID); err != nil {
		return err
	}
	return r.startAgain(ctx)
}
