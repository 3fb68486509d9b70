package store

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/spec"
)

// LoadAround returns the specs that decide what the specs with these ids wait for: themselves, the drivers above them, their
// members, what all of these depend on, and so on. In its graph, blockers, readiness, drivers and members of these ids
// are as in the graph of Load. Other specs are not read.
func (s *Store) LoadAround(ctx context.Context, ids ...string) (set *Set, err error) {
	s.query(ctx, func(r *rowSource) { set, err = r.loadAround(ctx, ids) })
	return set, err
}

// loadAround implements LoadAround for one query.
func (r *rowSource) loadAround(ctx context.Context, ids []string) (*Set, error) {
	set, _, err := r.loadSome(ctx, func() (*Set, error) { return r.walkAround(ctx, ids) })
	return set, err
}

// errDrivers means that the index cannot say which drivers name a spec, because it is broken.
var errDrivers = errors.New("the drivers of a spec are unknown")

// loadSome returns what a function has read if the index knows all files as they are now. Otherwise it loads all specs,
// and all is true.
func (r *rowSource) loadSome(ctx context.Context, read func() (*Set, error)) (set *Set, all bool, err error) {
	if err := r.list(r.view, r.clock()); err != nil {
		return nil, true, err
	}
	// Without a digest of all stamps, any other file may have become a driver that names one of the specs asked for.
	if r.read == nil && r.trusted && r.known.Sum != "" {
		unchanged := make(chan bool, 1)
		// The stamps are compared while the specs are read: looking at 100,000 files takes 100 ms.
		go func() { unchanged <- r.isUnchanged() }()
		set, err := read()
		// The result is only discarded here, since whether it holds is known only after reading.
		if <-unchanged && !errors.Is(err, errDrivers) {
			return set, false, err
		}
	}
	set, err = r.loadAll(ctx)
	return set, true, err
}

// LoadFirst returns the first ids of all active specs in their order, at most limit, with the specs around them (see LoadAround),
// and how many active specs there are.
func (s *Store) LoadFirst(ctx context.Context, limit int) (set *Set, ids []string, total int, err error) {
	s.query(ctx, func(r *rowSource) {
		var all bool
		set, all, err = r.loadSome(ctx, func() (*Set, error) {
			if ids, err = r.activeIDs(ctx); err != nil {
				return nil, err
			}
			spec.SortIDs(ids)
			return r.walkAround(ctx, ids[:min(limit, len(ids))])
		})
		if all && err == nil {
			ids = set.IDs()
			spec.SortIDs(ids)
		}
	})
	return set, ids[:min(limit, len(ids))], len(ids), err
}

// activeIDs lists the ids of active specs by the names of files and branches.
func (r *rowSource) activeIDs(ctx context.Context) ([]string, error) {
	ids := slices.Clone(r.here)
	tips, err := r.branches(ctx)
	if err != nil {
		return nil, err
	}
	more, err := r.onBranchesOnly(ctx, tips)
	return append(ids, more...), err
}

// walkAround reads the specs around some ids. r knows the ids of all files.
func (r *rowSource) walkAround(ctx context.Context, ids []string) (*Set, error) {
	tips, err := r.branches(ctx)
	if err != nil {
		return nil, err
	}
	// Members of these specs may exist on branches of runs only.
	r.join(tips)
	away, err := r.targetRevision(ctx)
	if err != nil {
		return nil, err
	}
	c := current{r.Store, r, away}
	w := &walk{r: r, c: c, found: map[string]reading{}, above: map[string]bool{}, members: map[string]bool{}}
	if w.drivers, err = w.driversElsewhere(ctx, tips); err != nil {
		return nil, err
	}
	for _, id := range ids {
		w.above[id] = true
		w.todo = append(w.todo, id)
		w.followID(id)
	}
	if err := w.run(ctx, tips); err != nil {
		return nil, err
	}
	return r.assembleFound(ctx, c, w)
}

// walk collects the specs around some others.
type walk struct {
	r     *rowSource
	c     current
	found map[string]reading
	above map[string]bool // the specs that were asked for and the drivers above them, whose dependencies always count
	todo  []string

	lost    bool                // the drivers of some id are unknown
	members map[string]bool     // ids whose members were added
	drivers map[string][]string // the drivers by whose keys on the branch of a run, or in the caller's, an id is a member
}

// driversElsewhere reads the copies of specs that are not in home and lists the members that they name.
func (w *walk) driversElsewhere(ctx context.Context, tips map[string]string) (map[string][]string, error) {
	out := map[string][]string{}
	for _, id := range slices.Sorted(maps.Keys(tips)) {
		got, err := w.read(ctx, id, tips[id])
		if err != nil {
			return nil, err
		}
		if got.err == nil {
			for _, member := range got.found.Fields.Members {
				out[member] = append(out[member], id)
			}
		}
	}
	return out, ctx.Err()
}

func (w *walk) run(ctx context.Context, tips map[string]string) error {
	for len(w.todo) > 0 {
		id := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		got, known := w.found[id]
		if !known {
			var err error
			if got, err = w.read(ctx, id, tips[id]); err != nil {
				return err
			}
			w.found[id] = got
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		// A spec that was followed before counts again only if it has turned out to be above one that was asked for: then
		// its dependencies count although it is done.
		if got.err != nil || known && !w.above[id] {
			continue
		}
		w.follow(got.found)
	}
	if w.lost {
		return errDrivers
	}
	return nil
}

// read reads one spec. The error is that of searching the archive.
func (w *walk) read(ctx context.Context, id, tip string) (reading, error) {
	// The branch of a spec that is archived does not count.
	if _, here := slices.BinarySearch(w.r.here, id); !here && tip != "" {
		archived, err := archivedAmong(w.r.Home(), []string{id})
		if err != nil || len(archived) > 0 {
			return reading{id: id, err: fs.ErrNotExist}, err
		}
	}
	got, err := w.c.read(ctx, id, tip)
	return reading{id: id, found: got, err: err}, nil
}

// follow adds the specs that decide what a spec waits for.
func (w *walk) follow(s *spec.Spec) {
	// A spec that is done waits for nothing, unless its own members or dependencies were asked for.
	if !w.above[s.ID] && (s.Status == spec.Cancelled || s.Status == spec.Completed && s.Landed) {
		return
	}
	w.followID(s.ID)
	for _, id := range slices.Concat(s.Fields.Members, s.Fields.DependsOn) {
		w.add(id, false)
	}
}

// add adds a spec, once; a driver that is above a spec that was asked for is followed again if it was not known as such.
func (w *walk) add(id string, above bool) {
	_, known := w.found[id]
	if above && !w.above[id] {
		w.above[id] = true
	} else if known {
		return
	}
	w.todo = append(w.todo, id)
}

// followID adds the drivers and the members of an id, which may have no file.
func (w *walk) followID(id string) {
	for parent, ok := spec.Parent(id); ok; parent, ok = spec.Parent(parent) {
		w.add(parent, w.above[id])
		// Members wait for each other even if their driver has no file.
		w.addMembers(parent)
	}
	// Drivers name members in their own files, so only the index of references finds them without reading all specs.
	referrers, ok := w.r.view.Referrers(id)
	w.lost = w.lost || !ok
	for _, other := range referrers {
		w.add(other, w.above[id])
	}
	// The index has rows of home's files only: keys on the branch of a run come from driversElsewhere.
	for _, other := range w.drivers[id] {
		w.add(other, w.above[id])
	}
	w.addMembers(id)
}

// addMembers adds the specs below an id, once.
func (w *walk) addMembers(id string) {
	if w.members[id] {
		return
	}
	w.members[id] = true
	for _, member := range w.r.membersOf(id) {
		w.add(member, false)
	}
}

// membersOf lists the ids below one, at any level.
func (r *rowSource) membersOf(id string) []string {
	// The ids are in the order of their bytes, in which all that begin with "ID." lie together.
	from, _ := slices.BinarySearch(r.ids, id+".")
	to := from
	for to < len(r.ids) && strings.HasPrefix(r.ids[to], id+".") {
		to++
	}
	return slices.DeleteFunc(slices.Clone(r.ids[from:to]), func(other string) bool { return !spec.MemberOf(other, id) })
}

// assembleFound makes a set of what a walk found.
func (r *rowSource) assembleFound(ctx context.Context, c current, w *walk) (*Set, error) {
	ids := slices.Collect(maps.Keys(w.found))
	spec.SortIDs(ids)
	set := &Set{}
	var missing []string
	for _, id := range ids {
		set.add(w.found[id])
		if errors.Is(w.found[id].err, fs.ErrNotExist) {
			missing = append(missing, id)
		}
	}
	var err error
	if set.Archived, err = archivedAmong(r.Home(), missing); err != nil {
		return nil, err
	}
	// Targets come first: whether a dependency is reached depends on the branch on which the spec lands.
	if err := c.inheritTargets(ctx, set); err != nil {
		return nil, err
	}
	return set, c.findReached(ctx, set)
}

// archivedAmong returns which of some ids are archived, in order.
func archivedAmong(home string, ids []string) (archived []string, err error) {
	var index map[string]string
	for _, id := range ids {
		// Where chant itself puts an archived spec, one Lstat finds it; walking the whole archive is left to ids that are
		// elsewhere.
		if slices.ContainsFunc(Places(id)[1:], func(path string) bool {
			info, err := os.Lstat(filepath.Join(home, filepath.FromSlash(path)))
			return err == nil && !info.IsDir()
		}) {
			archived = append(archived, id)
			continue
		}
		if index == nil {
			if index, err = archivePaths(home); err != nil {
				return nil, err
			}
		}
		if _, ok := index[id]; ok {
			archived = append(archived, id)
		}
	}
	return archived, nil
}
