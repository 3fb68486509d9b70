package store

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"chant/engine/index"
	"chant/engine/stamp"
)

// readFolder reads all spec files of home: rows of unchanged files, and the files that changed.
func (r *rowSource) readFolder(ctx context.Context) error {
	if err := r.list(r.view, r.clock()); err != nil {
		return err
	}
	var rows []index.Row
	var wg sync.WaitGroup
	wg.Go(func() { rows, _ = r.view.Rows(SpecsDir) }) // without rows, all files are read
	stamps, err := r.sweep()
	wg.Wait()
	if err != nil {
		return err
	}
	tips, err := r.branches(ctx)
	if err != nil {
		return err
	}
	r.join(tips)
	stored, gone := matchRows(rows, r.here, stamps)
	read := make([]reading, len(r.here))
	fresh := make([]*index.Row, len(r.here))
	parallel(ctx, len(r.here), func(i int) {
		read[i], fresh[i] = r.readOne(r.here[i], stored[i])
	})
	if err := ctx.Err(); err != nil { // some were not read
		return err
	}
	r.read, r.batch.Gone = read, gone
	stamps = slices.Clone(stamps)
	for i, row := range fresh {
		if row != nil {
			r.batch.Rows = append(r.batch.Rows, *row)
			stamps[i] = row.Stamp
		}
	}
	r.storeList(stamps)
	r.dropRemoved()
	return nil
}

// storeList adds to the batch what is known of all files together: their ids, and a digest of their stamps. Both count
// only if the index has a row of each file; otherwise it would not know the members that the others name.
func (r *rowSource) storeList(stamps []stamp.Stamp) {
	next := index.Folder{Stamp: r.asOf, Names: r.here}
	if slices.ContainsFunc(r.read, func(got reading) bool { return !got.stored }) {
		next.Stamp = stamp.Stamp{}
	} else if len(r.here) <= mostSwept {
		next.Sum = sumOf(stamps)
	}
	switch {
	case !r.trusted && next.Stamp.Known():
		r.batch.List = &next
	case r.trusted && (next.Stamp != r.known.Stamp || next.Sum != r.known.Sum):
		next.Names = nil
		r.batch.List = &next
	}
}

// dropRemoved drops the files that were removed meanwhile.
func (r *rowSource) dropRemoved() {
	removed := func(got reading) bool { return errors.Is(got.err, fs.ErrNotExist) }
	if !slices.ContainsFunc(r.read, removed) {
		return
	}
	r.read = slices.DeleteFunc(r.read, removed)
	r.here = make([]string, len(r.read))
	for i, got := range r.read {
		r.here[i] = got.id
	}
}

// matchRows returns for each id the data of its row if its file has not changed since, "" otherwise, and the ids of rows
// whose files are gone. rows and ids are sorted.
func matchRows(rows []index.Row, ids []string, stamps []stamp.Stamp) (data, gone []string) {
	data = make([]string, len(ids))
	at := 0
	for i, id := range ids {
		for at < len(rows) && rows[at].Name < id {
			gone = append(gone, rows[at].Name)
			at++
		}
		if at < len(rows) && rows[at].Name == id {
			if stamps[i].Known() && rows[at].Stamp == stamps[i] {
				data[i] = rows[at].Data
			}
			at++
		}
	}
	for _, row := range rows[at:] {
		gone = append(gone, row.Name)
	}
	return data, gone
}
