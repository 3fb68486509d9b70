package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// leftovers commits on the branch what lies uncommitted in the tree. Nothing an
// agent has written is only in a working tree for longer than its run.
func (r *Run) leftovers(ctx context.Context) error {
	if r.Tree == "" {
		return nil
	}
	message := r.message("leftovers", "What the agent left uncommitted.")
	commit, err := r.Repo.CommitAll(ctx, r.Tree, message)
	if err == nil && commit != "" {
		r.emit(Collect, "step", "committed what was left uncommitted as %s", short(commit))
	}
	return err
}

// collect brings everything the agent made onto the branch and judges it.
func (r *Run) collect(ctx context.Context) error {
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

// unbroken checks that the branch still grows from its start commit.
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
	return nil
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
		return []string{fmt.Sprintf("the spec can no longer be read: %s", err)}, nil
	}
	found := spec.Tampering(spec.Criteria(start.Doc), spec.Criteria(now.Doc))
	if !sameApproval(start.Fields.Approval, now.Fields.Approval) {
		found = append(found, "the approval in the spec was changed")
	}
	return found, nil
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
		if !Bookkeeping(commits[i]) {
			out = append(out, commits[i].Hash)
		}
	}
	return out, nil
}

// Bookkeeping tells whether a commit only moves a spec through the machine.
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
