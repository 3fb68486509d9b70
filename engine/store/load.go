package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/gitops"
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

// add adds what was read of one id: a spec, an unreadable file, or nothing for a branch without a spec and for a file
// that was just removed.
func (t *Set) add(got reading) {
	switch {
	case got.err == nil:
		t.Specs = append(t.Specs, got.found)
	case !errors.Is(got.err, fs.ErrNotExist):
		t.Invalid = append(t.Invalid, Invalid{got.id, SpecPath(got.id), got.err})
	}
}

// Graph builds the graph of the set.
func (t *Set) Graph() *spec.Graph { return spec.NewGraph(t.Specs, t.Archived) }

// Load returns the current version of every active spec without their texts, and the ids of archived specs. Files that
// have not changed since the last query are not read.
func (s *Store) Load(ctx context.Context) (set *Set, err error) {
	s.query(ctx, func(r *rowSource) { set, err = r.loadAll(ctx) })
	return set, err
}

// loadAll is Load for one query.
func (r *rowSource) loadAll(ctx context.Context) (*Set, error) {
	if err := r.readFolder(ctx); err != nil {
		return nil, err
	}
	return r.assemble(ctx, r, r.here)
}

// LoadFiles is Load with the texts of all specs, and without the index: what may land, and what is checked, is decided
// by the files themselves.
func (s *Store) LoadFiles(ctx context.Context) (*Set, []*spec.File, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, nil, err
	}
	set, err := s.assemble(ctx, fileSource{s}, ids)
	if err != nil {
		return nil, nil, err
	}
	files := make([]*spec.File, len(set.Specs))
	for i, one := range set.Specs {
		files[i] = one.File()
	}
	return set, files, nil
}

// assemble finds the current version of each spec: of those with these ids, which are in home, in the order of their
// bytes, and of those that exist on the branches of runs only.
func (s *Store) assemble(ctx context.Context, from source, ids []string) (*Set, error) {
	archived, err := archivePaths(s.home)
	if err != nil {
		return nil, err
	}
	branches, err := from.branches(ctx)
	if err != nil {
		return nil, err
	}
	elsewhere, err := s.targetRevision(ctx)
	if err != nil {
		return nil, err
	}
	here := func(id string) bool {
		_, found := slices.BinarySearch(ids, id)
		return found
	}
	// An active file counts before an archived copy of the same id.
	maps.DeleteFunc(archived, func(id, _ string) bool { return here(id) })
	var away []string
	for id := range branches {
		if _, gone := archived[id]; !gone && !here(id) {
			away = append(away, id)
		}
	}
	ids = slices.Concat(ids, away)
	spec.SortIDs(ids)
	set := &Set{Archived: slices.Collect(maps.Keys(archived))}
	spec.SortIDs(set.Archived)
	c := current{s, from, elsewhere}
	readings := make([]reading, len(ids))
	runParallel(ctx, len(ids), func(i int) {
		// No command could name such a file, and no branch be called after it.
		if err := spec.ValidName(ids[i]); err != nil {
			readings[i] = reading{id: ids[i], err: err}
			return
		}
		got, err := c.read(ctx, ids[i], branches[ids[i]])
		readings[i] = reading{id: ids[i], found: got, err: err}
	})
	if err := ctx.Err(); err != nil { // some were not read
		return nil, err
	}
	// The goroutines have written to their own places only, so the order of the set is that of the ids.
	for _, got := range readings {
		set.add(got)
	}
	if err := c.inheritTargets(ctx, set); err != nil {
		return nil, err
	}
	return set, c.findReached(ctx, set)
}

// inheritTargets gives members the target of their driver, unless they name a branch of their own
// or have already begun.
func (c current) inheritTargets(ctx context.Context, set *Set) error {
	// Most projects have one target: they need no graph here.
	if !slices.ContainsFunc(set.Specs, func(one *spec.Spec) bool { return one.Fields.Onto != "" }) {
		return nil
	}
	g := set.Graph()
	for i, one := range set.Specs {
		// A spec that has begun keeps the target its branch was made from.
		if one.Fields.Onto != "" || one.Branch != "" {
			continue
		}
		from := g.OntoFrom(one.ID)
		if from == nil {
			continue
		}
		away, err := c.branchRevision(ctx, from.Fields.Onto)
		if err != nil {
			return err
		}
		// With its new target known, the member may turn out to have landed there already.
		if away != "" && one.Status != spec.Completed {
			if one, err = c.landedOrHome(ctx, one, away); err != nil {
				return err
			}
			set.Specs[i] = one
		}
		one.Fields.Onto, one.Target, one.Inherits = from.Fields.Onto, from.Fields.Onto, true
	}
	return nil
}

// FindReached finds out which completed specs exist on the targets of the specs that wait for them. It does nothing if all
// specs land on one branch.
func (s *Store) FindReached(ctx context.Context, set *Set) error {
	return current{Store: s, from: fileSource{s}}.findReached(ctx, set)
}

func (c current) findReached(ctx context.Context, set *Set) error {
	apart := slices.ContainsFunc(set.Specs, func(one *spec.Spec) bool { return one.Target != c.Target })
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
			there, err := c.completedAt(ctx, dep, "refs/heads/"+waiting.Target)
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

// ids lists the spec files in home. Whether a file is a valid spec shows when it is
// read.
func (s *Store) ids() ([]string, error) {
	_, ids, err := listFolder(specsFolder(s.home), s.clock())
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", SpecsDir, err)
	}
	return withExtra(s, ids), nil
}

// withExtra adds the ids of specs that exist in memory only to those of files.
func withExtra(s *Store, ids []string) []string {
	if len(s.extra) == 0 {
		return ids
	}
	for path := range s.extra {
		if id, ok := SpecOf(path); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// branches maps the ids of specs with a run's branch to its tip.
func (s *Store) branches(ctx context.Context) (map[string]string, error) {
	refs, err := s.repo.Branches(ctx, s.prefix)
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(refs))
	for _, ref := range refs {
		// A branch that continues the name of another one belongs to no spec.
		if id := strings.TrimPrefix(ref.Name, s.prefix); !strings.Contains(id, "/") {
			out[id] = ref.Hash
		}
	}
	return out, nil
}

// IDs lists the active ids by file names only, unsorted: those in home, and those of
// branches of runs whose spec is neither in home nor in the archive.
func (s *Store) IDs(ctx context.Context) (ids []string, err error) {
	s.query(ctx, func(r *rowSource) {
		if err = r.list(r.view, r.clock()); err != nil {
			err = fmt.Errorf("read %q: %w", SpecsDir, err)
			return
		}
		ids, err = r.activeIDs(ctx)
	})
	return ids, err
}

// onBranchesOnly lists the specs that exist on the branches of runs, but neither in home nor in the archive.
func (r *rowSource) onBranchesOnly(ctx context.Context, branches map[string]string) (ids []string, err error) {
	var away []string
	for id := range branches {
		// A Lstat for each name finds most of them; only the rest is looked for in the archive.
		if !r.Exists(id) {
			away = append(away, id)
		}
	}
	archived, err := archivedAmong(r.Home(), away)
	if err != nil {
		return nil, err
	}
	for _, id := range away {
		if slices.Contains(archived, id) {
			continue
		}
		// A branch below the prefix need not have a spec.
		if _, err := r.readAt(ctx, branches[id], id); !errors.Is(err, gitops.ErrNotFound) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
