package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// leftovers commits on the branch what lies uncommitted in the tree. Nothing an
// agent has written is only in a working tree for longer than its run. What git
// cannot commit as it is (unfinished) stays where it is.
func (r *Run) leftovers(ctx context.Context) error {
	if r.Tree == "" || !whole(r.Tree) {
		return nil
	}
	if why, err := r.unfinished(ctx); err != nil || why != "" {
		return err
	}
	commit, err := r.commitAll(ctx)
	if err == nil && commit != "" {
		r.emit(Collect, "step", "committed what was left uncommitted as %s", short(commit))
	}
	return err
}

// commitAll commits the tree. A lock on its index that outlives every retry was
// left by a git of the agent's, for all processes of the run are dead.
func (r *Run) commitAll(ctx context.Context) (string, error) {
	message := r.message("leftovers", "What the agent left uncommitted.")
	commit, err := r.Repo.CommitAll(ctx, r.Tree, message)
	if err == nil || ctx.Err() != nil {
		return commit, err
	}
	broken, lockErr := r.Repo.BreakLock(r.Tree)
	if lockErr != nil || !broken {
		return commit, errors.Join(err, lockErr)
	}
	r.emit(Collect, "warning", "removed the lock that a killed git had left on the index of the worktree")
	return r.Repo.CommitAll(ctx, r.Tree, message)
}

// unfinished says what keeps a tree from being committed as it is: a merge that
// was not ended, or repositories inside it.
func (r *Run) unfinished(ctx context.Context) (string, error) {
	unmerged, underway, err := r.Repo.Unmerged(ctx, r.Tree)
	if err != nil {
		return "", err
	}
	if len(unmerged) > 0 {
		return fmt.Sprintf("unresolved conflicts in %s", strings.Join(unmerged, ", ")), nil
	}
	if underway != "" {
		return "an unfinished " + underway, nil
	}
	nested, err := r.Repo.NestedRepositories(ctx, r.Tree)
	if err != nil || len(nested) == 0 {
		return "", err
	}
	return fmt.Sprintf("a repository of its own in %s, whose content would be lost", strings.Join(nested, ", ")), nil
}

// collect brings everything the agent made onto the branch and judges it.
func (r *Run) collect(ctx context.Context) error {
	if !whole(r.Tree) {
		return &Failure{Kind: Strayed, Message: fmt.Sprintf("the agent broke its worktree: %q has no .git any longer", r.Tree)}
	}
	if why, err := r.unfinished(ctx); err != nil {
		return err
	} else if why != "" {
		return &Failure{Kind: Strayed, Message: fmt.Sprintf("the agent left %s (in %q)", why, r.Tree), Next: fmt.Sprintf("git -C %q status", r.Tree)}
	}
	if err := r.leftovers(ctx); err != nil {
		return err
	}
	if err := r.onBranch(ctx); err != nil {
		return err
	}
	if err := r.unbroken(ctx); err != nil {
		return err
	}
	if r.Agent != nil && !r.Agent.OK {
		return &Failure{Kind: AgentFailed, Message: r.Agent.Reason}
	}
	if err := r.untampered(ctx); err != nil {
		return err
	}
	if now, err := r.ownSpec(ctx); r.Agent != nil && err == nil && now.Status == spec.Failed {
		return &Failure{Kind: AgentFailed, Message: "the agent says that it could not do it"}
	}
	return r.worked(ctx)
}

// unbroken checks that the branch still grows from its start commit, and that
// nobody has brought the unfinished run to the target.
func (r *Run) unbroken(ctx context.Context) error {
	t := r.History.Trusted
	if t == nil || t.Commit == "" {
		return nil
	}
	ok, err := r.Repo.IsAncestor(ctx, t.Commit, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	if !ok {
		return &Failure{Kind: Strayed, Message: fmt.Sprintf("the agent rewrote branch %q: its start commit %s is gone from it", r.Job.Branch, short(t.Commit))}
	}
	if r.Accepted {
		return nil
	}
	leaked, err := r.Repo.IsAncestor(ctx, t.Commit, "refs/heads/"+r.Job.Target)
	if err == nil && leaked {
		err = &Failure{Kind: Strayed, Next: "git log " + r.Job.Target, Message: fmt.Sprintf("%q already has unfinished commits of this run: the agent, or somebody, merged them", r.Job.Target)}
	}
	return err
}

// base is the commit where the branch left the target.
func (r *Run) base(ctx context.Context) (string, error) {
	return r.Repo.MergeBase(ctx, "refs/heads/"+r.Job.Target, "refs/heads/"+r.Job.Branch)
}

// untampered checks that of everything below .chant the branch changes its own
// spec at most, and there no criterion and no approval.
func (r *Run) untampered(ctx context.Context) error {
	if r.Accepted || r.Job.Silent {
		return nil // in silent mode .chant is not on the branch; home's copy is compared in verify
	}
	base, err := r.base(ctx)
	if err != nil {
		return err
	}
	changes, err := r.Repo.Diff(ctx, base, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	var found []string
	own := store.SpecPath(r.Job.ID)
	for _, c := range changes {
		if strings.HasPrefix(c.Path, store.Dir+"/") && c.Path != own {
			found = append(found, fmt.Sprintf("%s was %s", c.Path, verb(c.Status)))
		}
	}
	more, err := r.ownSpecTampering(ctx)
	if err != nil {
		return err
	}
	return tampered(append(found, more...))
}

func (r *Run) ownSpecTampering(ctx context.Context) ([]string, error) {
	start, err := r.trusted(ctx)
	if err != nil {
		return nil, err
	}
	now, err := r.ownSpec(ctx)
	if err != nil {
		return []string{fmt.Sprintf("the spec can no longer be read (%s); it was put back as it was", err)}, r.putBack(ctx, start)
	}
	found := spec.Tampering(spec.Criteria(start.Doc), spec.Criteria(now.Doc))
	if !sameApproval(start.Fields.Approval, now.Fields.Approval) {
		found = append(found, "the approval in the spec was changed")
	}
	return found, nil
}

// putBack commits the spec as it was trusted, so that it can say what happened.
// The agent's version stays in the history of the branch.
func (r *Run) putBack(ctx context.Context, start *spec.Spec) error {
	path := store.SpecPath(r.Job.ID)
	if err := r.Store.Put(r.Tree, path, start.Doc.Bytes()); err != nil {
		return err
	}
	_, _, err := r.Repo.CommitFiles(ctx, gitops.CommitOptions{
		Branch: r.Job.Branch, Dir: r.Tree, Message: r.message("restore", "The agent had made the spec unreadable."),
		Files: []gitops.File{{Path: path, Content: start.Doc.Bytes()}},
	})
	return err
}

func sameApproval(a, b *spec.Approval) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// TamperedPrefix begins the message of every Tampered failure.
const TamperedPrefix = "the agent changed what it may not"

func tampered(found []string) error {
	if len(found) == 0 {
		return nil
	}
	return &Failure{
		Kind: Tampered, Details: found,
		Message: TamperedPrefix + ": " + strings.Join(found, "; "),
	}
}

// ownSpec reads the run's spec as the branch has it now, or home's file where
// git ignores .chant.
func (r *Run) ownSpec(ctx context.Context) (*spec.Spec, error) {
	if r.Job.Silent {
		return r.Store.FromHome(r.Job.ID)
	}
	path := store.SpecPath(r.Job.ID)
	src, err := r.Repo.ReadFile(ctx, "refs/heads/"+r.Job.Branch, path)
	if err != nil {
		return nil, err
	}
	return spec.Parse(r.Job.ID, path, src)
}

// worked checks that there is something to land. Ticking boxes is no work;
// writing into the spec is, for specs whose result is text.
func (r *Run) worked(ctx context.Context) error {
	base, err := r.base(ctx)
	if err != nil {
		return err
	}
	changes, err := r.Repo.Diff(ctx, base, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if !strings.HasPrefix(c.Path, store.Dir+"/") {
			return nil
		}
	}
	start, err := r.trusted(ctx)
	if err != nil {
		return err
	}
	if now, err := r.ownSpec(ctx); err == nil && prose(now) != prose(start) {
		return nil
	}
	return &Failure{Kind: AgentFailed, Message: "the agent ended without a commit or a change"}
}

// prose is the body without the state of its boxes.
func prose(s *spec.Spec) string {
	text := string(s.Doc.Body())
	return strings.TrimSpace(strings.NewReplacer("[x]", "[ ]", "[X]", "[ ]").Replace(text))
}

func verb(status byte) string {
	switch status {
	case 'A':
		return "added"
	case 'D':
		return "deleted"
	}
	return "changed"
}

func short(hash string) string { return hash[:min(len(hash), 7)] }

// agentCommits lists the commits on the branch that are work, oldest first:
// those that do not just move the spec through its states.
func (r *Run) agentCommits(ctx context.Context, tip string) ([]string, error) {
	commits, err := r.Repo.Log(ctx, "refs/heads/"+r.Job.Target, tip)
	if err != nil {
		return nil, err
	}
	var out []string
	for i := len(commits) - 1; i >= 0; i-- {
		moves, err := r.onlyMoves(ctx, commits[i])
		if err != nil {
			return nil, err
		}
		if !moves {
			out = append(out, commits[i].Hash)
		}
	}
	return out, nil
}

// onlyMoves reports whether a commit says that it moves the spec, and really
// changes nothing else: an agent may have copied the trailers.
func (r *Run) onlyMoves(ctx context.Context, c gitops.Commit) (bool, error) {
	if !Bookkeeping(c) || len(c.Parents) != 1 {
		return false, nil
	}
	changes, err := r.Repo.Diff(ctx, c.Parents[0], c.Hash)
	return err == nil && !slices.ContainsFunc(changes, func(ch gitops.Change) bool {
		return ch.Path != store.SpecPath(r.Job.ID)
	}), err
}

// Bookkeeping tells whether a commit says that it only moves a spec through the
// machine.
func Bookkeeping(c gitops.Commit) bool {
	return slices.ContainsFunc(spec.Transitions(), func(t spec.Transition) bool {
		return string(t.Event) == c.Trailers["Chant-Event"]
	})
}

// Accept makes the spec as the branch has it now the one that counts, with
// whatever else was changed below .chant. Only a person may decide that.
func (r *Run) Accept(ctx context.Context) error {
	if r.Job.Silent {
		src, err := r.Store.ReadTree(r.Store.Home(), store.SpecPath(r.Job.ID))
		if err != nil {
			return err
		}
		return r.trust(Trusted{Text: string(src)})
	}
	if err := r.leftovers(ctx); err != nil {
		return err
	}
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	r.Accepted = true
	return r.trust(Trusted{Commit: tip})
}
