package store

import (
	"context"
	"fmt"
	"strings"

	"chant/engine/spec"
	"chant/engine/store/stamp"
	"chant/gitops"
)

// fewPlaces is for how many specs of a commit their places are looked up and stored one by one.
const fewPlaces = 8

// at implements source.
func (r *rowSource) at(ctx context.Context, rev, id string) (*spec.Spec, error) {
	if err := spec.ValidName(id); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	oid, err := r.place(ctx, rev, id)
	if err != nil {
		return nil, err
	}
	if data, ok := r.view.Value(blobKind, oid); ok {
		if got, fault, ok := r.decodeSpec(id, string(data), stamp.Stamp{}); ok && (fault != nil || got.Fields.Source == "" && (got.Counted() || !r.needsCount(got))) {
			return got, fault
		}
	}
	src, err := r.repo.ReadBlob(ctx, oid)
	if err != nil {
		return nil, err
	}
	parsed, err := r.Parse(id, SpecPath(id), src)
	if err == nil {
		err = AdoptAt(ctx, r.Store, rev, parsed)
	}
	got, err := withoutFile(parsed, err)
	count := r.needsCount(got)
	if data, ok := encodeSpec(got, err, stamp.Stamp{}, count); ok {
		r.batch.Put(blobKind, oid, data)
	}
	if got != nil {
		got.Forget(count)
	}
	return got, err
}

// place returns the id of the blob of a spec in a revision. Error: gitops.ErrNotFound.
func (r *rowSource) place(ctx context.Context, rev, id string) (string, error) {
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
