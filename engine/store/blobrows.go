package store

import (
	"context"
	"fmt"
	"strings"

	"chant/engine/spec"
	"chant/engine/store/disk"
	"chant/gitops"
)

// fewPlaces is for how many specs of a commit their places are looked up and stored one by one.
const fewPlaces = 8

// readAt implements source.
func (r *rowSource) readAt(ctx context.Context, rev, id string) (*spec.Spec, error) {
	if err := spec.ValidName(id); err != nil {
		return nil, err
	}
	// Goroutines of assemble read beside each other, and git's objects, the maps and the batch are not safe for that.
	r.mu.Lock()
	defer r.mu.Unlock()
	oid, err := r.blobID(ctx, rev, id)
	if err != nil {
		return nil, err
	}
	if data, ok := r.view.Value(blobKind, oid); ok {
		// A row counts only if it has what this query asks: not for a folder of `source`, nor without a count that is
		// needed.
		if got, fault, ok := r.decodeSpec(id, string(data), disk.Stamp{}); ok && (fault != nil || got.Fields.Source == "" && (got.Counted() || !r.needsCount(got))) {
			return got, fault
		}
	}
	src, err := r.repo.ReadBlob(ctx, oid)
	if err != nil {
		return nil, err
	}
	parsed, err := r.Parse(id, SpecPath(id), src)
	if err == nil {
		// The folder of `source` is the one of this commit, not of home.
		err = AdoptAt(ctx, r.Store, rev, parsed)
	}
	got, err := withoutFile(parsed, err)
	// Counting criteria parses the whole text, so only specs whose count is asked for are counted and stored with it.
	count := r.needsCount(got)
	if data, ok := encodeSpec(got, err, disk.Stamp{}, count); ok {
		r.batch.Put(blobKind, oid, data)
	}
	if got != nil {
		got.Forget(count)
	}
	return got, err
}

// blobID returns the id of the blob of a spec in a revision. Error: gitops.ErrNotFound.
func (r *rowSource) blobID(ctx context.Context, rev, id string) (string, error) {
	commit, ok := r.hashes[rev]
	if !ok {
		var err error
		if commit, err = r.repo.Resolve(ctx, rev); err != nil {
			return "", err
		}
		r.hashes[rev] = commit
	}
	path := SpecPath(id)
	if oid, ok := r.view.Value(placeKind, commit+":"+path); ok {
		return string(oid), nil
	}
	// Looking up a path walks three trees of git; from some number on, listing the folder once is cheaper.
	if r.asked[commit]++; r.asked[commit] > fewPlaces {
		return r.listedPlace(ctx, commit, id)
	}
	entry, err := r.repo.Entry(ctx, commit, path)
	if err == nil && !entry.IsFile() {
		err = fmt.Errorf("path %q in %q is not a file: %w", path, commit, gitops.ErrNotFound)
	}
	if err != nil {
		return "", err
	}
	// The place of a path in a commit never changes, so the row needs no stamp.
	r.batch.Put(placeKind, commit+":"+path, []byte(entry.Hash))
	return entry.Hash, nil
}

// listedPlace returns the id of the blob of a spec in a commit whose specs are listed once. Error: gitops.ErrNotFound.
func (r *rowSource) listedPlace(ctx context.Context, commit, id string) (string, error) {
	if r.listed[commit] == nil {
		entries, err := r.repo.ReadDir(ctx, commit, SpecsDir)
		if err != nil {
			return "", err
		}
		r.listed[commit] = make(map[string]string, len(entries))
		for _, e := range entries {
			if id, ok := strings.CutSuffix(e.Name, ".md"); ok && e.IsFile() {
				r.listed[commit][id] = e.Hash
			}
		}
	}
	if oid, ok := r.listed[commit][id]; ok {
		return oid, nil
	}
	return "", fmt.Errorf("spec %q in %q: %w", id, commit, gitops.ErrNotFound)
}
