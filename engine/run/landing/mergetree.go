package landing

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/format/adopted"
	"chant/engine/run/guard"
	"chant/engine/spec"
	"chant/engine/spec/versions"
	"chant/engine/store"
	"chant/gitops"
)

// mergedTree computes the merge without touching any worktree. Conflicts in spec files are resolved field by field; any
// other conflict stops the landing.
func (l *Lander) mergedTree(ctx context.Context, target, side string) (string, error) {
	m, err := l.mergeTree(ctx, target, side)
	if err != nil {
		return "", err
	}
	joined := map[string][]byte{}
	clashes := map[string]bool{}
	for _, c := range m.Conflicts {
		merged, ok, err := l.JoinSpec(ctx, c)
		if err != nil {
			return "", err
		}
		if !ok {
			clashes[c.Path] = true
			continue
		}
		joined[c.Path] = merged
	}
	if len(clashes) > 0 {
		names := slices.Sorted(maps.Keys(clashes))
		return "", l.Clash(names, NoMerge)
	}
	if len(joined) == 0 {
		return m.Tree, nil
	}
	var files []gitops.File
	for _, path := range slices.Sorted(maps.Keys(joined)) {
		files = append(files, gitops.File{Path: path, Content: joined[path]})
	}
	return l.Repo.WriteTree(ctx, m.Tree, files)
}

// merge is the merge of two commits, which never changes.
type merge struct {
	ours, theirs string
	gitops.Merge
}

// mergeTree merges two commits, and remembers the last answer: a landing asks twice, while all other landings wait.
func (l *Lander) mergeTree(ctx context.Context, ours, theirs string) (gitops.Merge, error) {
	if l.merged.ours == ours && l.merged.theirs == theirs {
		return l.merged.Merge, nil
	}
	m, err := l.Repo.MergeTree(ctx, ours, theirs)
	if err == nil {
		l.merged = merge{ours, theirs, m}
	}
	return m, err
}

// JoinSpec resolves a conflict in a spec file, or one about boxes alone in the folder that the spec adopts; ok is false
// for any other file.
func (l *Lander) JoinSpec(ctx context.Context, c gitops.Conflict) ([]byte, bool, error) {
	if c.Base == "" && c.Ours != "" && c.Theirs != "" && slices.Contains(l.derived, c.Path) {
		src, err := l.Repo.ReadBlob(ctx, c.Theirs) // the target's version, and what becomes of it
		return src, err == nil, err
	}
	if c.Base == "" || c.Ours == "" || c.Theirs == "" {
		return nil, false, nil
	}
	isSpec := strings.HasPrefix(c.Path, store.SpecsDir+"/")
	if !isSpec {
		if own, err := l.OwnSpec(ctx); err != nil || !own.Adopted().Has(c.Path) {
			return nil, false, err
		}
	}
	var blobs [3][]byte
	for i, hash := range []string{c.Base, c.Ours, c.Theirs} {
		var err error
		if blobs[i], err = l.Repo.ReadBlob(ctx, hash); err != nil {
			return nil, false, err
		}
	}
	if !isSpec { // members of one folder tick neighbouring lines
		merged, ok := adopted.MergeBoxes(blobs[0], blobs[1], blobs[2])
		return merged, ok, nil
	}
	merged, conflicts, err := versions.Merge(c.Path, blobs[0], blobs[1], blobs[2], versions.MergeRemarks(versions.MergeBoxes(func(b, o, t []byte) ([]byte, bool, error) {
		return l.Repo.MergeFile(ctx, b, o, t)
	})))
	if err == nil && c.Path == store.SpecPath(l.Job.ID) {
		merged, conflicts, err = guard.OwnApproval(c.Path, merged, blobs[2], conflicts)
	}
	return merged, err == nil && len(conflicts) == 0, nil
}

// The ways in which a branch conflicts with its target.
const (
	NoMerge  = "does not merge with"
	NoReplay = "cannot be replayed on"
)

// Clash is the failure of a branch that conflicts with the target.
func (l *Lander) Clash(files []string, how string) *journal.Failure {
	return &journal.Failure{
		Kind: spec.ReasonConflict, Details: files, Next: l.WayOut(),
		Message: fmt.Sprintf("%q %s %q: conflict in %s", l.Job.Branch, how, l.Job.Target, strings.Join(files, ", ")),
	}
}

// Merges checks, without changing anything, whether the run's branch merges with the target as both are now. Errors:
// *Failure with the files, of the kind ReasonConflict, if it does not.
func (l *Lander) Merges(ctx context.Context) error {
	target, err := l.Repo.Resolve(ctx, "refs/heads/"+l.Job.Target)
	if err != nil {
		return err
	}
	tip, err := l.Repo.Resolve(ctx, "refs/heads/"+l.Job.Branch)
	if err != nil {
		return err
	}
	_, err = l.mergedTree(ctx, target, tip)
	return err
}
