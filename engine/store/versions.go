package store

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"chant/engine/spec"
	"chant/engine/store/disk"
	"chant/engine/store/index"
	"chant/gitops"
)

// Query is one query by a package that derives something of its own from specs and files. All that it reads comes from
// one generation of the index, and what it puts into the batch is stored at its end.
type Query struct {
	*Store
	View  *index.View // nil if there is no index
	Batch *index.Batch
	rows  *rowSource
}

// Query calls a function with a query.
func (s *Store) Query(ctx context.Context, ask func(*Query)) {
	s.query(ctx, func(r *rowSource) { ask(&Query{s, r.view, &r.batch, r}) })
}

// Load is Load of the store.
func (q *Query) Load(ctx context.Context) (*Set, error) { return q.rows.loadAll(ctx) }

// LoadAround does the same as LoadAround of the store.
func (q *Query) LoadAround(ctx context.Context, ids ...string) (*Set, error) {
	return q.rows.loadAround(ctx, ids)
}

// State identifies everything that the answer of Load depends on; ok is false unless the index knows all files as they
// are now, and inside a run. Two queries with the same state have the same answer.
func (q *Query) State(ctx context.Context) (state string, ok bool) {
	r := q.rows
	// Inside a run the worktree's uncommitted copy counts, which no digest covers.
	if r.run != "" || r.list(r.view, r.clock()) != nil || !r.trusted || r.known.Sum == "" || !r.isUnchanged() {
		return "", false
	}
	// Landing moves any branch, so all of them are a part of the state, not only those of runs.
	refs, err := r.repo.Refs(ctx, "refs/heads/")
	head, headErr := r.repo.Head(ctx, r.Store.home)
	archived, archiveErr := archivePaths(r.Home())
	if errors.Join(err, headErr, archiveErr) != nil {
		return "", false
	}
	return fmt.Sprintf("%s %v %v %v %v %v", r.known.Sum, refs, head, archived, r.Target, r.Rules), true
}

// Lookup returns what is known of one file in home. Error: that of reading it.
func (q *Query) Lookup(id string) (*spec.Spec, error) {
	got := q.rows.readNamed(id)
	return got.found, got.err
}

// MayStore reports whether the batch is stored if the query concerns so many files: a new index is not made for few.
func (q *Query) MayStore(files int) bool {
	q.rows.searched = max(q.rows.searched, files)
	return q.Index != IndexOff && (q.View != nil || files >= fewFiles)
}

// Source is where a text is: in a file of a worktree, or in a blob.
type Source struct {
	Path string // below the top of the worktree
	Tree string // the top of the worktree, "" for a blob
	Blob string // id of the blob, "" for a file
}

// Read reads a text. The stamp is that of the file, zero if it had not settled, and for a blob. Errors as of ReadTree;
// gitops.ErrNotFound.
func (q *Query) Read(ctx context.Context, from Source) ([]byte, disk.Stamp, error) {
	if from.Tree != "" {
		return readStamped(q.Store, from.Tree, from.Path)
	}
	src, err := q.repo.ReadBlob(ctx, from.Blob)
	return src, disk.Stamp{}, err
}

// ReadArchived reads the archived spec at a path below home.
func (q *Query) ReadArchived(id, path string) (*spec.File, error) {
	return readArchived(q.Store, id, path)
}

// Version is the current version of a spec.
type Version struct {
	ID       string
	Archived bool
	Source
}

// SpecFiles lists the names of the spec files in home in the order of their ids, from the index if none has come or gone
// since.
func (q *Query) SpecFiles() ([]string, error) {
	err := q.rows.list(q.View, q.clock())
	return fileNames(q.rows.here), err
}

// SpecStamps returns the stamps of the files that SpecFiles lists. It may be called beside other methods.
func (q *Query) SpecStamps() ([]disk.Stamp, error) { return q.rows.sweep() }

// Versions lists the current version of each active and each archived spec: the one in the worktree of the run in which
// the caller is, on the branch of its run, or in home. The first ones are those of files, which are the result of
// SpecFiles, in their order. If an id has several files, the active one counts.
//
// It reads none of them, so it does not know which specs are completed on the target while home has another branch
// checked out.
func (q *Query) Versions(ctx context.Context, files []string) ([]Version, error) {
	archived, err := archivePaths(q.home)
	if err != nil {
		return nil, err
	}
	tips, err := q.rows.branches(ctx)
	if err != nil {
		return nil, err
	}
	// The map is that of the query, and entries are deleted below.
	tips = maps.Clone(tips)
	list := make([]Version, 0, len(files)+len(archived))
	for _, name := range files {
		file := SpecsDir + "/" + name
		// Names and ids share memory: with 100,000 files, cutting is cheaper than joining again.
		id := file[len(SpecsDir)+1 : len(file)-len(".md")]
		v := Version{id, false, Source{file, q.home, ""}}
		if err := q.findVersion(ctx, &v, tips[id]); err != nil {
			return nil, err
		}
		list = append(list, v)
		// If an id has several files, the active one counts.
		delete(archived, id)
		delete(tips, id)
	}
	for id, file := range archived {
		list = append(list, Version{id, true, Source{file, q.home, ""}})
		delete(tips, id)
	}
	// Those that are left exist on the branch of their run only.
	for id, tip := range tips {
		v := Version{ID: id, Source: Source{Path: SpecPath(id)}}
		if err := q.findVersion(ctx, &v, tip); err != nil {
			return nil, err
		}
		// A branch need not have a spec, for instance where git ignores .chant.
		if v.Tree != "" || v.Blob != "" {
			list = append(list, v)
		}
	}
	return list, nil
}

// findVersion replaces the source of a spec by that in the worktree of the caller's run, or on the tip of its branch.
func (q *Query) findVersion(ctx context.Context, v *Version, tip string) error {
	if v.ID == q.run {
		// A run's worktree whose copy is missing or a link falls back to the branch.
		if _, err := regularFile(q.Tree(v.ID), q.inTree(q.Tree(v.ID), v.Path)); err == nil {
			v.Tree = q.Tree(v.ID)
			return nil
		}
	}
	if tip == "" || spec.ValidName(v.ID) != nil {
		return nil
	}
	oid, err := q.rows.blobID(ctx, tip, v.ID)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil
	}
	if err == nil && oid != "" {
		v.Tree, v.Blob = "", oid
	}
	return err
}
