package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/run/attempt"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/gitops"
)

// push is one ref that is pushed to a remote.
type push struct {
	ref   string // its name in this repository
	tip   string
	there string // the commit of the remote's ref, zeros if the ref is new
}

// checkPush verifies the completed specs in the commits of a push.
func checkPush(ctx context.Context, project *engine.Project, in HookRunInput) ([]verify.VerifyAllResult, error) {
	remote := ""
	// A hook that is called by hand has no arguments.
	if len(in.Args) > 0 {
		remote = in.Args[0]
	}
	pushes, err := readPushes(ctx, project, in.Stdin)
	var out []verify.VerifyAllResult
	for _, p := range pushes {
		from, all, err := pushBase(ctx, project, remote, p.tip, p.there)
		if err != nil {
			return out, err
		}
		// A hook must not write results into specs that are already committed.
		r, err := verify.VerifyAll(ctx, project, verify.VerifyAllInput{Changed: from + ".." + p.tip, NoWrite: true})
		if err != nil {
			return out, err
		}
		out = append(out, r)
		bad, err := withoutMissingEvidence(ctx, project, all, p.ref, r.Broken())
		if err != nil {
			return out, err
		}
		if len(bad) > 0 {
			err := engine.Fail(engine.Unverified, next.Verify.On(bad[0].SpecID), "spec %q in %s is not verified: %s", bad[0].SpecID, p.ref, bad[0].Notes)
			if len(bad) > 1 {
				err.Message = fmt.Sprintf("%d specs in %s are not verified, the first is %q: %s", len(bad), p.ref, bad[0].SpecID, bad[0].Notes)
			}
			return out, err
		}
	}
	return out, err
}

// readPushes reads the refs of a push from git's input. It leaves out refs that are deleted, that do not point to a
// commit with specs, or whose commit is an ancestor of another pushed commit.
func readPushes(ctx context.Context, p *engine.Project, stdin string) ([]push, error) {
	byTip := map[string]push{}
	for line := range strings.Lines(stdin) {
		said := strings.Fields(line)
		// A ref that is deleted needs no check.
		if len(said) != 4 || isZero(said[1]) {
			continue
		}
		tip, err := p.Repo.Resolve(ctx, said[1])
		if err == nil {
			_, err = p.Repo.ReadDir(ctx, tip, store.Dir)
		}
		// Tags of files, and branches without specs, have nothing to check.
		if errors.Is(err, gitops.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// A ref that exists on the remote has the shorter range.
		if _, known := byTip[tip]; !known || !isZero(said[3]) {
			byTip[tip] = push{said[0], tip, said[3]}
		}
	}
	tips := make([]string, 0, len(byTip))
	for tip := range byTip {
		tips = append(tips, tip)
	}
	// The commits of an ancestor are in the range of its descendant.
	tips, err := p.Repo.Independent(ctx, tips)
	if err != nil {
		return nil, err
	}
	// Maps have no order, and messages must not change from one push to the next.
	slices.Sort(tips)
	var out []push
	for _, tip := range tips {
		out = append(out, byTip[tip])
	}
	return out, nil
}

// isZero reports whether a hash is all zeros, git's form for no object.
func isZero(hash string) bool { return strings.Trim(hash, "0") == "" }

// pushBase returns the commit after which the commits of a push are new to the remote: its ref, or else the merge base
// with the remote's branches, or else with the target. Without any of these it returns the first commit of the history.
// all reports whether this repository knows no ref of the remote.
func pushBase(ctx context.Context, p *engine.Project, remote, local, there string) (from string, all bool, err error) {
	// After a forced push the commit of the remote may be missing here.
	if !isZero(there) {
		if base, err := p.Repo.MergeBase(ctx, there, local); err == nil {
			return base, false, nil
		}
	}
	refs, err := p.Repo.Refs(ctx, "refs/remotes/"+remote+"/")
	if err != nil {
		return "", false, err
	}
	all = len(refs) == 0 && isZero(there)
	var known []string
	for _, ref := range refs {
		// Refs of the remote whose commits are missing cannot be compared.
		if hash, err := p.Repo.Resolve(ctx, ref.Hash); err == nil && !slices.Contains(known, hash) {
			known = append(known, hash)
		}
	}
	// Nothing was fetched from the remote, so what has landed is taken for known.
	if len(known) == 0 {
		if target, err := engine.Target(ctx, p); err == nil {
			known = append(known, "refs/heads/"+target)
		}
	}
	base, err := p.Repo.Parted(ctx, local, known)
	// Without a ref of the remote everything is new to it, though the target has it.
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

// withoutMissingEvidence returns the specs without those whose only problem is missing evidence, and warns about these,
// if the evidence may exist elsewhere: this repository has no evidence at all, and either a remote has some or no ref
// of the remote is known here (all).
func withoutMissingEvidence(ctx context.Context, p *engine.Project, all bool, ref string, bad []verify.VerifyResult) ([]verify.VerifyResult, error) {
	refs, err := verify.NotesRefs(ctx, p)
	n := 0
	for _, one := range bad {
		if one.OnlyWithoutEvidence() {
			n++
		}
	}
	// With some evidence here, that of a single spec is not missing by accident.
	if err != nil || len(refs) > 0 || n == 0 {
		return bad, err
	}
	remote, err := remoteWithEvidence(ctx, p)
	// The remote is known and no one has evidence, so it exists nowhere.
	if err != nil || remote == "" && !all {
		return bad, err
	}
	specs := fmt.Sprintf("%d completed specs", n)
	if n == 1 {
		specs = "one completed spec"
	}
	text := fmt.Sprintf("no evidence here for %s in %s; ", specs, ref)
	if remote == "" {
		text += "no remote has any"
	} else {
		text += fmt.Sprintf("fetch it with: git fetch %s %s:%s", remote, attempt.NotesRef, attempt.NotesRef)
	}
	engine.Warn(p, "", text)
	return slices.DeleteFunc(bad, verify.VerifyResult.OnlyWithoutEvidence), nil
}

// remoteWithEvidence returns the first remote with evidence, "" if none has some or none answers.
func remoteWithEvidence(ctx context.Context, p *engine.Project) (string, error) {
	remotes, err := p.Repo.Remotes(ctx)
	if err != nil {
		return "", err
	}
	for _, name := range remotes {
		var silent *gitops.GitError
		has, err := p.Repo.RemoteHas(ctx, name, attempt.NotesRef)
		// A remote that does not answer must not stop a push to another one.
		if err != nil && !errors.As(err, &silent) {
			return "", err
		}
		if has {
			return name, nil
		}
	}
	return "", nil
}
