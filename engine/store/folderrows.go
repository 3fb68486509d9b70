package store

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"chant/engine/store/disk"
	"chant/engine/store/index"
	"chant/engine/store/record"
)

// readFolder reads all spec files of home: rows of unchanged files, and the files that changed.
func (r *rowSource) readFolder(ctx context.Context) error {
	if err := r.list(r.view, r.clock()); err != nil {
		return err
	}
	var rows []index.Value
	var wg sync.WaitGroup
	// Rows are an optimization: if they cannot be read, all files are.
	wg.Go(func() { rows, _ = r.view.All(rowKind) })
	stamps, err := r.sweep()
	wg.Wait()
	if err != nil {
		return err
	}
	tips, err := r.branches(ctx)
	if err != nil {
		return err
	}
	// needsCount looks for members among all ids, so they must be known before any spec is read.
	r.join(tips)
	stored, gone := matchRows(rows, r.here)
	read := make([]reading, len(r.here))
	fresh := make([]*freshRow, len(r.here))
	runParallel(ctx, len(r.here), func(i int) {
		read[i], fresh[i] = r.readOne(r.here[i], stored[i], stamps[i])
	})
	// A canceled read leaves gaps that would look like removed files.
	if err := ctx.Err(); err != nil {
		return err
	}
	r.read = read
	for _, id := range gone {
		r.storeRow(id, freshRow{})
	}
	// The sweep's result is shared with isUnchanged, which must see the stamps as they were.
	stamps = slices.Clone(stamps)
	for i, row := range fresh {
		if row != nil {
			r.storeRow(r.here[i], *row)
			// A file that was read anew has the stamp of its read, which may be later than that of the sweep.
			stamps[i] = row.at
		}
	}
	r.storeList(stamps)
	// Removed files go last: rows and stamps above are matched by position.
	r.dropRemoved()
	return nil
}

// storeList adds to the batch what is known of all files together: their ids, and a digest of their stamps. Both count
// only if the index has a row of each file; otherwise it would not know the members that the others name.
func (r *rowSource) storeList(stamps []disk.Stamp) {
	next := storedList{Stamp: r.asOf, Names: r.here}
	// One file without a row could name members that the index does not know, so nothing is known of all files together.
	if slices.ContainsFunc(r.read, func(got reading) bool { return !got.stored }) {
		next.Stamp = disk.Stamp{}
	} else {
		next.Sum = sumOf(stamps)
	}
	// An unchanged list is not written again: each write makes a new generation of the index.
	if !r.trusted && next.Stamp.Known() || r.trusted && (next.Stamp != r.known.Stamp || next.Sum != r.known.Sum) {
		r.batch.Put(listKind, "", record.Encode(next))
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

// matchRows returns for each id the data of its row, nil if there is none, and the ids of rows whose files are gone. rows
// and ids are sorted.
func matchRows(rows []index.Value, ids []string) (data [][]byte, gone []string) {
	data = make([][]byte, len(ids))
	for _, row := range rows {
		if at, ok := slices.BinarySearch(ids, row.Name); ok {
			data[at] = row.Data
		} else {
			gone = append(gone, row.Name)
		}
	}
	return data, gone
}
