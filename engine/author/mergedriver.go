package author

import (
	"context"
	"errors"
	"os"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec/versions"
	"chant/gitops"
)

// MergeDriverInput are the three files that git hands to a merge driver.
type MergeDriverInput struct {
	Base, Ours, Theirs string // paths; the result replaces Ours
	Path               string // what the file is called in the repository
}

// MergeDriver merges a spec file field by field, for git. Where something is left for a
// person, Ours holds what could be merged, and both sides at each conflict between git's
// marks. A file of which one side cannot be read is merged as text. Errors: Conflict
// when Ours is written and something is left; with any other it is as it was.
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
	merged, conflicts, unread := versions.MergeMarked(in.Path, src[0], src[1], src[2], versions.MergeDiscussion(versions.MergeBoxes(lines)))
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
	if unread != nil {
		return engine.Fail(engine.Conflict, next.Shell("git status"), "%s; the file is merged as text", unread)
	}
	return nil
}
