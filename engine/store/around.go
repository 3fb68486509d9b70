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
	"chant/engine/stamp"
)

// Around returns the specs that decide what the specs with these ids wait for: themselves, the drivers above them, their
// members, what all of these depend on, and so on. In its graph, blockers, readiness, drivers and members of these ids
// are as in the graph of Load. Other specs are not read.
//
// A driver that names a member in its key `members` is known from the last query that read all specs, or from a change
// that created or replaced a file since. Such a key that another program has just written into an existing file counts
// from the next Load on.
func (s *Store) Around(ctx context.Context, ids ...string) (set *Set, err error) {
	s.query(ctx, func(r *rowSource) { set, err = r.loadAround(ctx, ids) })
	return set, err
}

// loadAround is Around for one query. All specs are read if the names of files have changed.
func (r *rowSource) loadAround(ctx context.Context, ids []string) (*Set, error) {
	if !r.trustNames() {
		return r.loadAll(ctx)
	}
	return r.around(ctx, ids)
}

// First returns the first ids of all active specs in their order, at most limit, with the specs around them (see Around),
// and how many active specs there are.
func (s *Store) First(ctx context.Context, limit int) (set *Set, ids []string, total int, err error) {
	s.query(ctx, func(r *rowSource) {
		if !r.trustNames() {
			if set, err = r.loadAll(ctx); err == nil {
				ids = set.IDs()
				spec.SortIDs(ids)
			}
		} else if ids, err = r.activeIDs(ctx); err == nil {
			spec.SortIDs(ids)
			set, err = r.around(ctx, ids[:min(limit, len(ids))])
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

// trustNames reports whether no file has come, gone or been replaced since the ids were stored, and takes them over.
func (r *rowSource) trustNames() bool {
	if r.trusted {
		return true // they were at the beginning of the query
	}
	known, ok := r.view.Folder(SpecsDir)
	if !ok || !known.Stamp.Known() {
		return false
	}
	now, err := stamp.Folder(filepath.Join(r.Store.home, filepath.FromSlash(SpecsDir)))
	if err != nil || now != known.Stamp {
		return false
	}
	r.here, r.trusted = known.Names, true
	return true
}

// around reads the specs around some ids. r knows the ids of all files.
func (r *rowSource) around(ctx context.Context, ids []string) (*Set, error) {
	tips, err := r.branches(ctx)
	if err != nil {
		return nil, err
	}
	r.join(tips)
	away, err := r.targetElsewhere(ctx)
	if err != nil {
		return nil, err
	}
	c := current{r.Store, r, away}
	w := &walk{r: r, c: c, found: map[string]reading{}, above: map[string]bool{}, members: map[string]bool{}}
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

	members map[string]bool // ids whose members were added
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
		if got.err != nil || known && !w.above[id] {
			continue
		}
		w.follow(got.found)
	}
	return nil
}

// read reads one spec. The branch of a spec that is archived does not count. The error is that of searching the archive.
func (w *walk) read(ctx context.Context, id, tip string) (reading, error) {
	if _, here := slices.BinarySearch(w.r.here, id); !here && tip != "" {
		archived, err := w.r.archivedAmong([]string{id})
		if err != nil || len(archived) > 0 {
			return reading{id: id, err: fs.ErrNotExist}, err
		}
	}
	got, err := w.c.read(ctx, id, tip)
	return reading{id, got, err}, nil
}

// follow adds the specs that decide what a spec waits for. A spec that is done by itself waits for nothing, unless its
// own members or dependencies were asked for.
func (w *walk) follow(s *spec.Spec) {
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
		w.addMembers(parent) // they wait for each other even if it does not exist
	}
	referrers, _ := w.r.view.Referrers(SpecsDir, id)
	for _, other := range referrers {
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
	if set.Archived, err = r.archivedAmong(missing); err != nil {
		return nil, err
	}
	if err := c.inheritTargets(ctx, set); err != nil {
		return nil, err
	}
	return set, c.reach(ctx, set)
}

// archivedAmong returns which of some ids are archived, in order. It looks where chant puts them, and searches the
// archive only for the others.
func (l Locals) archivedAmong(ids []string) (archived []string, err error) {
	var index map[string]string
	for _, id := range ids {
		if slices.ContainsFunc(Places(id)[1:], func(path string) bool {
			info, err := os.Lstat(filepath.Join(l.home, filepath.FromSlash(path)))
			return err == nil && !info.IsDir()
		}) {
			archived = append(archived, id)
			continue
		}
		if index == nil {
			if index, err = l.archivePaths(); err != nil {
				return nil, err
			}
		}
		if _, ok := index[id]; ok {
			archived = append(archived, id)
		}
	}
	return archived, nil
}
