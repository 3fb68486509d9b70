package author

import (
	"context"
	"errors"
	"os"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/spec/versions"
	"chant/gitops"
)

// MergeDriverInput names the three files that git passes to a merge driver.
type MergeDriverInput struct {
	Base, Ours, Theirs string // paths; the result replaces Ours
	Path               string // of the file in the repository
}

// MergeDriver merges a spec file field by field, for git. If conflicts are left for a
// person, Ours contains what could be merged, and both sides of each conflict between
// git's markers. If one side cannot be read, the file is merged as text. Errors: Conflict
// if Ours is written with conflicts; with any other error Ours is unchanged.
func MergeDriver(ctx context.Context, dir string, in MergeDriverInput) error {
	repo, err := gitops.Open(dir)
	if err != nil {
		return engine.Wrap(err, "")
	}
	var src [3][]byte
	for i, path := range []string{in.Base, in.Ours, in.Theirs} {
		if src[i], err = os.ReadFile(path); err != nil {
			return engine.Wrap(err, "")
		}
	}
	lines := func(b, o, t []byte) ([]byte, bool, error) { return repo.MergeFile(ctx, b, o, t) }
	merged, conflicts, unread := versions.MergeMarked(in.Path, src[0], src[1], src[2], versions.MergeRemarks(versions.MergeBoxes(lines)))
	if unread != nil {
		if merged, _, err = lines(src[0], src[1], src[2]); err != nil {
			return engine.Wrap(errors.Join(unread, err), "")
		}
	}
	if err := os.WriteFile(in.Ours, merged, 0o644); err != nil {
		return engine.Wrap(err, "")
	}
	if len(conflicts) > 0 {
		return engine.Fail(engine.Conflict, next.Shell("git status"), "%s: both sides changed %v", in.Path, conflicts)
	}
	// A merge as text can join fields wrongly, so a person looks at it.
	if unread != nil {
		return engine.Fail(engine.Conflict, next.Shell("git status"), "%s; the file is merged as text", unread)
	}
	return nil
}
