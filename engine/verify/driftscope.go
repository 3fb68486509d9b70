package verify

import (
	"context"
	"errors"
	"slices"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/gitops"
)

// driftCommit returns the commit to compare with.
func driftCommit(ctx context.Context, p *engine.Project, at string) (string, error) {
	if at != "" {
		commit, err := p.Repo.Resolve(ctx, at)
		if errors.Is(err, gitops.ErrNotFound) {
			err = missingCommit(p, "there is no commit %q here", spec.Echo(at))
		}
		return commit, err
	}
	head, err := p.Repo.Head(ctx, engine.Home(p))
	return head.Hash, err
}

// tipOfTarget returns the tip of the branch that the spec names under onto. It returns the checked-out commit if that
// contains the tip, if the branch does not exist, or if the spec names none or is archived.
func tipOfTarget(ctx context.Context, p *engine.Project, s *spec.File, checkedOut string) (string, error) {
	if s.Fields.Onto == "" || s.Archived {
		return checkedOut, nil
	}
	tip, err := p.Repo.Resolve(ctx, "refs/heads/"+s.Fields.Onto)
	if errors.Is(err, gitops.ErrNotFound) {
		return checkedOut, nil
	}
	if err != nil {
		return "", err
	}
	merged, err := p.Repo.IsAncestor(ctx, tip, checkedOut)
	if merged || err != nil {
		return checkedOut, err
	}
	return tip, nil
}

// driftCandidates returns the selected specs that are completed and have landed. For ids, any other spec is an error;
// without ids, specs without entries to compare are left out.
func driftCandidates(ctx context.Context, p *engine.Project, in DriftInput) ([]*spec.File, error) {
	var out []*spec.File
	for _, text := range in.IDs {
		s, err := engine.FindAny(ctx, p, text)
		if err != nil {
			return nil, engine.Wrap(err, text)
		}
		if s.Status != spec.Completed || !s.Landed {
			return nil, engine.Fail(engine.State, next.Show.On(s.ID), "spec %q is %s; only what was completed and has landed can drift", s.ID, s.Status)
		}
		if !slices.ContainsFunc(out, func(known *spec.File) bool { return known.ID == s.ID }) {
			out = append(out, s)
		}
	}
	if len(in.IDs) > 0 {
		return out, nil
	}
	_, all, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return nil, err
	}
	if in.Archived {
		archived, _, err := p.Store.LoadArchived() // unreadDrift reports those that cannot be read
		if err != nil {
			return nil, err
		}
		all = append(all, archived...)
	}
	for _, s := range all {
		if s.Status == spec.Completed && s.Landed && len(s.Fields.Sources()) > 0 {
			out = append(out, s)
		}
	}
	return out, nil
}

// unreadDrift returns a result for each spec that cannot be read, unless specs are selected by id: any of them could be
// completed.
func unreadDrift(ctx context.Context, p *engine.Project, in DriftInput) ([]DriftedSpec, error) {
	if len(in.IDs) > 0 {
		return nil, nil
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return nil, err
	}
	bad := set.Invalid
	if in.Archived {
		_, unreadable, err := p.Store.LoadArchived()
		if err != nil {
			return nil, err
		}
		bad = append(bad, unreadable...)
	}
	var out []DriftedSpec
	for _, one := range bad {
		out = append(out, DriftedSpec{
			ID: one.ID, Path: one.Path, State: Unknown, Why: "it cannot be read: " + one.Err.Error(), Next: engine.EditStep(one.Path),
		})
	}
	return out, nil
}
