package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/run/attempt"
	"chant/engine/verify"
	"chant/gitops"
)

// withEvidenceHere leaves out the specs of which nothing is wrong but that no evidence is
// here, and tells of them, where it may well be elsewhere: this repository has none at
// all, and either a remote keeps it or nothing here is known of the remote (all).
func withEvidenceHere(ctx context.Context, p *engine.Project, all bool, ref string, bad []verify.VerifyResult) ([]verify.VerifyResult, error) {
	refs, err := verify.NotesRefs(ctx, p)
	n := 0
	for _, one := range bad {
		if one.OnlyWithoutEvidence() {
			n++
		}
	}
	if err != nil || len(refs) > 0 || n == 0 {
		return bad, err
	}
	remote, err := keeper(ctx, p)
	if err != nil || remote == "" && !all {
		return bad, err
	}
	specs := fmt.Sprintf("%d completed specs", n)
	if n == 1 {
		specs = "one completed spec"
	}
	text := fmt.Sprintf("no evidence here of %s that %s brings; ", specs, ref)
	if remote == "" {
		text += "no remote keeps any"
	} else {
		text += fmt.Sprintf("it comes with: git fetch %s %s:%s", remote, attempt.NotesRef, attempt.NotesRef)
	}
	engine.Warn(p, "", text)
	return slices.DeleteFunc(bad, verify.VerifyResult.OnlyWithoutEvidence), nil
}

// keeper is the first remote that keeps evidence, "" when none does or answers.
func keeper(ctx context.Context, p *engine.Project) (string, error) {
	remotes, err := p.Repo.Remotes(ctx)
	if err != nil {
		return "", err
	}
	for _, name := range remotes {
		var silent *gitops.GitError
		has, err := p.Repo.RemoteHas(ctx, name, attempt.NotesRef)
		if err != nil && !errors.As(err, &silent) {
			return "", err
		}
		if has {
			return name, nil
		}
	}
	return "", nil
}
