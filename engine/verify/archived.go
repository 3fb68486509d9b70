package verify

import (
	"context"
	"errors"
	"fmt"
	"path"

	"chant/archive"
	"chant/engine"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// archivedAt reads a spec from the archive of a commit, from where it belongs or, as older
// projects have it, directly in the archive; gitops.ErrNotFound.
func archivedAt(ctx context.Context, p *engine.Project, commit, id string) (*spec.Spec, error) {
	for _, file := range []string{path.Join(store.Dir, archive.Path(id)), path.Join(store.ArchiveDir, id+".md")} {
		src, err := p.Repo.ReadFile(ctx, commit, file)
		if errors.Is(err, gitops.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		s, err := spec.Parse(id, file, src)
		if err == nil {
			s.Archived = true
		}
		return s, err
	}
	return nil, fmt.Errorf("archived spec %q in %q: %w", id, commit, gitops.ErrNotFound)
}
