package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine/run"
	"chant/engine/verify"
	"chant/gitops"
)

// withEvidenceHere leaves out the specs of which nothing is wrong but that no evidence is
// here, and tells of them, where it may well be elsewhere: this repository has none at
// all, and either a remote keeps it or nothing here is known of the remote (all).
func (e *Engine) withEvidenceHere(ctx context.Context, all bool, ref string, bad []VerifyResult) ([]VerifyResult, error) {
	refs, err := e.notesRefs(ctx)
	n := 0
	for _, one := range bad {
		if one.onlyWithoutEvidence() {
			n++
		}
	}
	if err != nil || len(refs) > 0 || n == 0 {
		return bad, err
	}
	remote, err := e.keeper(ctx)
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
		text += fmt.Sprintf("it comes with: git fetch %s %s:%s", remote, run.NotesRef, run.NotesRef)
	}
	e.warn("", text)
	return slices.DeleteFunc(bad, VerifyResult.onlyWithoutEvidence), nil
}

// onlyWithoutEvidence reports whether all that speaks against a completion is that no
// evidence of it was found.
func (r VerifyResult) onlyWithoutEvidence() bool {
	more := func(doubt string) bool { return !strings.HasPrefix(doubt, NoEvidence) }
	return len(r.Forged) > 0 && !slices.ContainsFunc(r.Forged, more) && verify.Sum(r.Verdicts) == verify.Passed
}

// keeper is the first remote that keeps evidence, "" when none does or answers.
func (e *Engine) keeper(ctx context.Context) (string, error) {
	remotes, err := e.repo.Remotes(ctx)
	if err != nil {
		return "", err
	}
	for _, name := range remotes {
		var silent *gitops.GitError
		has, err := e.repo.RemoteHas(ctx, name, run.NotesRef)
		if err != nil && !errors.As(err, &silent) {
			return "", err
		}
		if has {
			return name, nil
		}
	}
	return "", nil
}
