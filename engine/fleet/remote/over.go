package remote

import (
	"context"
	"errors"
	"io/fs"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// Over says why nothing is left to do for a spec at a commit of the target: it is gone, completed or cancelled there. It
// returns "" if it is neither.
func Over(ctx context.Context, st *store.Store, commit, id string) (string, error) {
	s, err := st.At(ctx, commit, id)
	if errors.Is(err, gitops.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return "it is gone from the target", nil
	}
	if err != nil {
		return "", nil //nolint:nilerr // a file that cannot be read is reported by whoever works or lands it
	}
	if s.Status == spec.Completed || s.Status == spec.Cancelled {
		return "it is " + string(s.Status) + " on the target", nil
	}
	return "", nil
}
