package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine/store"
	"chant/engine/verify"
	"chant/gitops"
)

// push is a commit that a push brings to a remote.
type push struct {
	ref   string // as it is called here
	tip   string
	there string // what the ref of the remote is at, zeros when it is new
}

// prePush verifies what a push brings, all of its refs together: what one of them has is
// not looked at again for another.
func (e *Engine) prePush(ctx context.Context, in HookRunInput) ([]VerifyAllResult, error) {
	remote := ""
	if len(in.Args) > 0 {
		remote = in.Args[0]
	}
	pushes, err := e.pushes(ctx, in.Stdin)
	var out []VerifyAllResult
	for _, p := range pushes {
		from, all, err := e.pushedSince(ctx, remote, p.tip, p.there)
		if err != nil {
			return out, err
		}
		r, err := e.VerifyAll(ctx, VerifyAllInput{Changed: from + ".." + p.tip, NoWrite: true})
		if err != nil {
			return out, err
		}
		out = append(out, r)
		bad, err := e.withEvidenceHere(ctx, all, p.ref, r.broken())
		if err != nil {
			return out, err
		}
		if len(bad) > 0 {
			return out, fail(Unverified, "chant verify "+bad[0].SpecID, "%d specs that %s brings are not verified, the first is %q: %s", len(bad), p.ref, bad[0].SpecID, bad[0].Notes)
		}
	}
	return out, err
}

// pushes reads what git says of a push. Refs that it deletes, those that lead to no commit
// or to one without specs, and those that another one leads up to are left out.
func (e *Engine) pushes(ctx context.Context, stdin string) ([]push, error) {
	byTip := map[string]push{}
	for line := range strings.Lines(stdin) {
		said := strings.Fields(line)
		if len(said) != 4 || absent(said[1]) {
			continue
		}
		tip, err := e.repo.Resolve(ctx, said[1])
		if err == nil {
			_, err = e.repo.ReadDir(ctx, tip, store.Dir)
		}
		if errors.Is(err, gitops.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if _, known := byTip[tip]; !known || !absent(said[3]) {
			byTip[tip] = push{said[0], tip, said[3]}
		}
	}
	tips := make([]string, 0, len(byTip))
	for tip := range byTip {
		tips = append(tips, tip)
	}
	tips, err := e.repo.Independent(ctx, tips)
	if err != nil {
		return nil, err
	}
	slices.Sort(tips)
	var out []push
	for _, tip := range tips {
		out = append(out, byTip[tip])
	}
	return out, nil
}

// absent reports whether git names no object.
func absent(hash string) bool { return strings.Trim(hash, "0") == "" }

// pushedSince is the commit after which a push is news to the remote: what its ref is
// at, else where it parted from the branches of the remote, else from the target. Without
// any of them it is its first commit. all tells that nothing here is known of the remote.
func (e *Engine) pushedSince(ctx context.Context, remote, local, there string) (from string, all bool, err error) {
	if !absent(there) {
		if base, err := e.repo.MergeBase(ctx, there, local); err == nil {
			return base, false, nil
		}
	}
	refs, err := e.repo.Refs(ctx, "refs/remotes/"+remote+"/")
	if err != nil {
		return "", false, err
	}
	all = len(refs) == 0 && absent(there)
	var known []string
	for _, ref := range refs {
		if hash, err := e.repo.Resolve(ctx, ref.Hash); err == nil && !slices.Contains(known, hash) {
			known = append(known, hash)
		}
	}
	if len(known) == 0 {
		if target, err := e.target(ctx); err == nil {
			known = append(known, "refs/heads/"+target)
		}
	}
	base, err := e.repo.Parted(ctx, local, known)
	if err == nil && (base != local || len(refs) > 0) {
		return base, all, nil
	}
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return "", all, err
	}
	commits, err := e.repo.Log(ctx, "", local)
	if err != nil {
		return "", all, err
	}
	return commits[len(commits)-1].Hash, all, nil
}

// broken lists the specs that do not hold. A completed spec with nothing to verify is one of them only where the
// settings require that there is something.
func (r *VerifyAllResult) broken() []VerifyResult {
	var out []VerifyResult
	for _, one := range r.Specs {
		vacuous := one.required && one.Status == verify.Nothing
		if vacuous || one.Status == verify.Failed || len(one.Forged) > 0 || !one.Verified && one.Criteria.Total > 0 {
			out = append(out, one)
		}
	}
	return out
}
