package run

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/store"
	"chant/gitops"
)

// untampered checks that the branch changes no protected file, and of everything below
// .chant its own spec at most, and there no criterion, no command and no approval.
func (r *Run) untampered(ctx context.Context) error {
	if r.Accepted {
		return nil
	}
	since, err := r.acceptedOr(ctx)
	if err != nil {
		return err
	}
	changes, err := r.Repo.Diff(ctx, since, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	var found []string
	own := store.SpecPath(r.Job.ID)
	start, err := r.trusted(ctx)
	if err != nil {
		return err
	}
	for _, c := range changes {
		switch {
		case c.Path == own:
		case inChant(c.Path):
			found = append(found, fmt.Sprintf("%s was %s", c.Path, verb(c.Status)))
		case r.protects(start, c.Path):
			found = append(found, fmt.Sprintf("%s is protected and was %s", c.Path, verb(c.Status)))
		}
	}
	found = append(found, r.shadows(changes)...)
	links, err := r.outward(ctx, changes)
	if err != nil {
		return err
	}
	found = append(found, links...)
	if r.Job.Silent {
		return tampered(found) // the spec is not on the branch: home's copy is compared in verify
	}
	more, err := r.ownSpecTampering(ctx)
	if err != nil {
		return err
	}
	return tampered(append(found, more...))
}

// acceptedOr is the commit up to which a person has accepted all that the branch changes,
// else the one where it left the target.
func (r *Run) acceptedOr(ctx context.Context) (string, error) {
	t := r.History.Trusted
	if t == nil || !t.Accepted || t.Commit == "" {
		return r.base(ctx)
	}
	grown, err := r.Repo.IsAncestor(ctx, t.Commit, "refs/heads/"+r.Job.Branch)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return "", err
	}
	if grown {
		return t.Commit, nil
	}
	return r.base(ctx)
}

// inChant reports whether a path lies in .chant, also where the disk does not tell cases
// apart.
func inChant(file string) bool {
	folder, _, below := strings.Cut(file, "/")
	return strings.EqualFold(folder, store.Dir) && (below || folder != store.Dir)
}

// outward names the links that the branch brings and that lead out of the repository:
// behind them lies what nobody has committed.
func (r *Run) outward(ctx context.Context, changes []gitops.Change) ([]string, error) {
	var out []string
	for _, c := range changes {
		if !c.Link || inChant(c.Path) {
			continue // what is in .chant is named as such
		}
		to, err := r.Repo.ReadLink(ctx, "refs/heads/"+r.Job.Branch, c.Path)
		if err != nil {
			return nil, err
		}
		target := filepath.ToSlash(to)
		if path.IsAbs(target) || filepath.IsAbs(to) || !spec.Inside(path.Join(path.Dir(c.Path), target)) {
			out = append(out, fmt.Sprintf("%s is a link that leads out of the repository, to %s", c.Path, spec.Echo(target)))
		}
	}
	return out, nil
}

func (r *Run) ownSpecTampering(ctx context.Context) ([]string, error) {
	start, err := r.trusted(ctx)
	if err != nil {
		return nil, err
	}
	now, err := r.ownSpec(ctx)
	if err != nil && r.asked {
		return []string{fmt.Sprintf("the spec can no longer be read (%s)", err)}, nil
	}
	if err != nil {
		return []string{fmt.Sprintf("the spec can no longer be read (%s); it was put back as it was", err)}, r.putBack(ctx, start)
	}
	found := r.rewritten(start, now)
	more, err := r.weakerThanTarget(ctx, now)
	return append(found, more...), err
}

// weakerThanTarget compares the spec with the one on which its branch began, where a
// process has died while the agent worked: what the journal says of the criteria that count
// may be of the agent's making then.
func (r *Run) weakerThanTarget(ctx context.Context, now *spec.Spec) ([]string, error) {
	if !r.History.Crashed() {
		return nil, nil
	}
	base, err := r.base(ctx)
	if err != nil {
		return nil, err
	}
	before, err := r.specAt(ctx, base)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return spec.Weakened(before, now), nil
}

// protects reports whether the settings keep a run's hands off a path.
func (r *Run) protects(start *spec.Spec, file string) bool {
	globs := slices.Concat(r.Settings.Verify.Protect, start.Checks().Protect)
	return slices.ContainsFunc(globs, func(g string) bool { return fileset.Match(g, file) })
}

// rewritten names what a spec now says otherwise of when it is done.
func (r *Run) rewritten(start, now *spec.Spec) []string {
	found := append(spec.Weakened(start, now), spec.Loosened(start, now, r.Settings.Required)...)
	if !r.sameApproval(start, now) {
		found = append(found, "the approval in the spec was changed")
	}
	return found
}

// straight checks that no agent of the run has done something behind its back. What one
// did counts until a person accepts it or drops the run.
func (r *Run) straight() error {
	if r.Accepted {
		return nil
	}
	var found []string
	for _, a := range r.History.Attempts {
		if !a.Gone {
			found = append(found, a.Behind...)
		}
		if !a.Gone && a.Agent != nil && (r.Agent == nil || a.Number != r.Job.Attempt) {
			found = append(found, a.Agent.Behind...)
		}
	}
	if r.Agent != nil {
		found = append(found, r.Agent.Behind...)
	}
	return tampered(found)
}

// putBack commits the spec as it was trusted, so that it can say what happened.
// The agent's version stays in the history of the branch.
func (r *Run) putBack(ctx context.Context, start *spec.Spec) error {
	own := store.SpecPath(r.Job.ID)
	if err := r.Store.Put(r.Tree, own, start.Doc.Bytes()); err != nil {
		return err
	}
	_, _, err := r.Repo.CommitFiles(ctx, gitops.CommitOptions{
		Branch: r.Job.Branch, Dir: r.Tree, Message: r.message("restore", "The agent had made the spec unreadable."),
		Files: []gitops.File{{Path: own, Content: start.Doc.Bytes()}},
	})
	return err
}

func tampered(found []string) error {
	if len(found) == 0 {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonTampered, Details: found,
		Message: "forbidden changes during the run: " + strings.Join(found, "; "),
	}
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
