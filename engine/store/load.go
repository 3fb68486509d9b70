package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chant/engine/spec"
)

// Invalid is a spec file that could not be read.
type Invalid struct {
	ID   string `json:"id"`
	Path string `json:"path"`
	Err  error  `json:"-"`
}

// Set is the result of Load.
type Set struct {
	Specs    []*spec.Spec // active ones, in id order
	Invalid  []Invalid    // in id order
	Archived []string     // ids in the archive
}

// IDs lists the active ids, including those of unreadable specs.
func (t *Set) IDs() []string {
	ids := make([]string, 0, len(t.Specs)+len(t.Invalid))
	for _, s := range t.Specs {
		ids = append(ids, s.ID)
	}
	for _, bad := range t.Invalid {
		ids = append(ids, bad.ID)
	}
	return ids
}

// Graph builds the graph of the set.
func (t *Set) Graph() *spec.Graph { return spec.NewGraph(t.Specs, t.Archived) }

// Load reads the current version of every active spec, and the names of the
// archived ones.
func (s *Store) Load(ctx context.Context) (*Set, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	archived, err := s.archivePaths()
	if err != nil {
		return nil, err
	}
	branches, err := s.branches(ctx)
	if err != nil {
		return nil, err
	}
	for id := range branches {
		if _, gone := archived[id]; !gone && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	set := &Set{}
	for id := range archived {
		set.Archived = append(set.Archived, id)
	}
	slices.SortFunc(ids, spec.Compare)
	away, err := s.targetElsewhere(ctx)
	if err != nil {
		return nil, err
	}
	readings := s.readAll(ctx, ids, branches, away)
	if err := ctx.Err(); err != nil { // some were not read
		return nil, err
	}
	for _, got := range readings {
		switch {
		case got.err == nil:
			set.Specs = append(set.Specs, got.found)
		case errors.Is(got.err, fs.ErrNotExist): // a branch without a spec, or a file that was just removed
		default:
			set.Invalid = append(set.Invalid, Invalid{got.id, SpecPath(got.id), got.err})
		}
	}
	slices.SortFunc(set.Archived, spec.Compare)
	if err := s.inheritTargets(ctx, set); err != nil {
		return nil, err
	}
	return set, s.Reach(ctx, set)
}

// inheritTargets gives members the target of their driver, unless they name a branch of their own
// or have already begun.
func (s *Store) inheritTargets(ctx context.Context, set *Set) error {
	if !slices.ContainsFunc(set.Specs, func(one *spec.Spec) bool { return one.Fields.Onto != "" }) {
		return nil
	}
	g := set.Graph()
	for i, one := range set.Specs {
		if one.Fields.Onto != "" || one.Branch != "" {
			continue
		}
		from := g.OntoFrom(one.ID)
		if from == nil {
			continue
		}
		away, err := s.elsewhere(ctx, from.Fields.Onto)
		if err != nil {
			return err
		}
		if away != "" && one.Status != spec.Completed {
			if one, err = s.landedOrHome(ctx, one, away); err != nil {
				return err
			}
			set.Specs[i] = one
		}
		one.Fields.Onto, one.Target, one.Inherits = from.Fields.Onto, from.Fields.Onto, true
	}
	return nil
}

// Reach finds out which completed specs exist on the targets of the specs that wait for them. It does nothing if all
// specs land on one branch.
func (s *Store) Reach(ctx context.Context, set *Set) error {
	apart := slices.ContainsFunc(set.Specs, func(one *spec.Spec) bool { return one.Target != s.Target })
	if !apart {
		return nil
	}
	g := set.Graph()
	for _, waiting := range set.Specs {
		for _, id := range g.WaitsFor(waiting.ID) {
			dep := g.Spec(id)
			if dep == nil || dep.Status != spec.Completed || dep.Target == waiting.Target || slices.Contains(dep.Reached, waiting.Target) {
				continue
			}
			there, err := s.completedAt(ctx, dep, "refs/heads/"+waiting.Target)
			if err != nil {
				return err
			}
			if there {
				dep.Reached = append(dep.Reached, waiting.Target)
			}
		}
	}
	return nil
}

type reading struct {
	id    string
	found *spec.Spec
	err   error
}

// readAll reads the ids with a few goroutines, keeping their order.
func (s *Store) readAll(ctx context.Context, ids []string, branches map[string]string, away string) []reading {
	const width = 4
	out := make([]reading, len(ids))
	var wg sync.WaitGroup
	for w := range width {
		wg.Go(func() {
			for i := w; i < len(ids) && ctx.Err() == nil; i += width {
				got, err := s.read(ctx, ids[i], branches[ids[i]], away)
				out[i] = reading{ids[i], got, err}
			}
		})
	}
	wg.Wait()
	return out
}

// ids lists the spec files in home, unsorted: that reads a folder of thousands in
// half the time. Whether a file is a valid spec shows when it is
// read. Hidden files are not specs.
func (s *Store) ids() ([]string, error) {
	dir, err := os.Open(filepath.Join(s.home, filepath.FromSlash(SpecsDir)))
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", SpecsDir, err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", SpecsDir, err)
	}
	ids := names[:0]
	for _, name := range names {
		if id, ok := strings.CutSuffix(name, ".md"); ok && !strings.HasPrefix(name, ".") {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// branches maps the ids of specs with a run's branch to its tip.
func (s *Store) branches(ctx context.Context) (map[string]string, error) {
	refs, err := s.repo.Branches(ctx, s.prefix)
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(refs))
	for _, ref := range refs {
		out[strings.TrimPrefix(ref.Name, s.prefix)] = ref.Hash
	}
	return out, nil
}

// IDs lists the active ids by file names only, unsorted: those in home, and those of
// branches of runs whose spec is neither in home nor in the archive.
func (s *Store) IDs(ctx context.Context) ([]string, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	branches, err := s.branches(ctx)
	if err != nil {
		return nil, err
	}
	archived, err := s.archivePaths()
	if err != nil {
		return nil, err
	}
	for id, tip := range branches {
		if _, gone := archived[id]; gone || slices.Contains(ids, id) {
			continue
		}
		if _, err := s.repo.ReadFile(ctx, tip, SpecPath(id)); err == nil {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
