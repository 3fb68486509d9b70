package gate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/next"
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
func prePush(ctx context.Context, project *engine.Project, in HookRunInput) ([]verify.VerifyAllResult, error) {
	remote := ""
	if len(in.Args) > 0 {
		remote = in.Args[0]
	}
	pushes, err := pushes(ctx, project, in.Stdin)
	var out []verify.VerifyAllResult
	for _, p := range pushes {
		from, all, err := pushedSince(ctx, project, remote, p.tip, p.there)
		if err != nil {
			return out, err
		}
		r, err := verify.VerifyAll(ctx, project, verify.VerifyAllInput{Changed: from + ".." + p.tip, NoWrite: true})
		if err != nil {
			return out, err
		}
		out = append(out, r)
		bad, err := withEvidenceHere(ctx, project, all, p.ref, r.Broken())
		if err != nil {
			return out, err
		}
		if len(bad) > 0 {
			return out, engine.Fail(engine.Unverified, next.Verify.On(bad[0].SpecID), "%d specs that %s brings are not verified, the first is %q: %s", len(bad), p.ref, bad[0].SpecID, bad[0].Notes)
		}
	}
	return out, err
}

// pushes reads what git says of a push. Refs that it deletes, those that lead to no commit
// or to one without specs, and those that another one leads up to are left out.
func pushes(ctx context.Context, p *engine.Project, stdin string) ([]push, error) {
	byTip := map[string]push{}
	for line := range strings.Lines(stdin) {
		said := strings.Fields(line)
		if len(said) != 4 || absent(said[1]) {
			continue
		}
		tip, err := p.Repo.Resolve(ctx, said[1])
		if err == nil {
			_, err = p.Repo.ReadDir(ctx, tip, store.Dir)
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
	tips, err := p.Repo.Independent(ctx, tips)
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
func pushedSince(ctx context.Context, p *engine.Project, remote, local, there string) (from string, all bool, err error) {
	if !absent(there) {
		if base, err := p.Repo.MergeBase(ctx, there, local); err == nil {
			return base, false, nil
		}
	}
	refs, err := p.Repo.Refs(ctx, "refs/remotes/"+remote+"/")
	if err != nil {
		return "", false, err
	}
	all = len(refs) == 0 && absent(there)
	var known []string
	for _, ref := range refs {
		if hash, err := p.Repo.Resolve(ctx, ref.Hash); err == nil && !slices.Contains(known, hash) {
			known = append(known, hash)
		}
	}
	if len(known) == 0 {
		if target, err := engine.Target(ctx, p); err == nil {
			known = append(known, "refs/heads/"+target)
		}
	}
	base, err := p.Repo.Parted(ctx, local, known)
	if err == nil && (base != local || len(refs) > 0) {
		return base, all, nil
	}
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return "", all, err
	}
	commits, err := p.Repo.Log(ctx, "", local)
	if err != nil {
		return "", all, err
	}
	return commits[len(commits)-1].Hash, all, nil
}
