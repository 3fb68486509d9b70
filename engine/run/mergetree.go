package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chant/engine/spec/versions"
	"chant/engine/store"
	"chant/gitops"
)

// mergedTree computes the merge without touching any tree. Conflicts in spec
// files are joined field by field; all others stop the landing.
func (r *Run) mergedTree(ctx context.Context, target, side string) (string, error) {
	m, err := r.mergeTree(ctx, target, side)
	if err != nil {
		return "", err
	}
	joined := map[string][]byte{}
	clashes := map[string]bool{}
	for _, c := range m.Conflicts {
		merged, ok, err := r.joinSpec(ctx, c)
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
		return "", r.clash(names, noMerge)
	}
	if len(joined) == 0 {
		return m.Tree, nil
	}
	var files []gitops.File
	for _, path := range slices.Sorted(maps.Keys(joined)) {
		files = append(files, gitops.File{Path: path, Content: joined[path]})
	}
	return r.Repo.WriteTree(ctx, m.Tree, files)
}

// merge is what two commits make together, which never changes.
type merge struct {
	ours, theirs string
	gitops.Merge
}

// mergeTree merges two commits, and remembers the last answer: a landing asks twice,
// while all others wait for it.
func (r *Run) mergeTree(ctx context.Context, ours, theirs string) (gitops.Merge, error) {
	if r.merged.ours == ours && r.merged.theirs == theirs {
		return r.merged.Merge, nil
	}
	m, err := r.Repo.MergeTree(ctx, ours, theirs)
	if err == nil {
		r.merged = merge{ours, theirs, m}
	}
	return m, err
}

// wayOut is the command with which a person begins to resolve a conflict: merging
// the target in the run's worktree. finalize and merge follow.
func (r *Run) wayOut() string {
	tree, err := r.treePath(r.Job.ID)
	if err != nil || !r.whole(tree) {
		return ""
	}
	return fmt.Sprintf("git -C %q merge %s", tree, r.Job.Target)
}

// joinSpec resolves a conflict in a spec file; ok is false for anything else.
func (r *Run) joinSpec(ctx context.Context, c gitops.Conflict) ([]byte, bool, error) {
	if c.Base == "" && c.Ours != "" && c.Theirs != "" && slices.Contains(r.derived, c.Path) {
		src, err := r.Repo.ReadBlob(ctx, c.Theirs) // the target's version, and what becomes of it
		return src, err == nil, err
	}
	if !strings.HasPrefix(c.Path, store.SpecsDir+"/") || c.Base == "" || c.Ours == "" || c.Theirs == "" {
		return nil, false, nil
	}
	var blobs [3][]byte
	for i, hash := range []string{c.Base, c.Ours, c.Theirs} {
		var err error
		if blobs[i], err = r.Repo.ReadBlob(ctx, hash); err != nil {
			return nil, false, err
		}
	}
	merged, conflicts, err := versions.Merge(c.Path, blobs[0], blobs[1], blobs[2], versions.ApartDiscussion(versions.AlikeBoxes(func(b, o, t []byte) ([]byte, bool, error) {
		return r.Repo.MergeFile(ctx, b, o, t)
	})))
	if err == nil && c.Path == store.SpecPath(r.Job.ID) {
		merged, conflicts, err = ownApproval(c.Path, merged, blobs[2], conflicts)
	}
	return merged, err == nil && len(conflicts) == 0, nil
}
