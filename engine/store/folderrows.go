package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine/index"
	"chant/engine/stamp"
)

// readFolder reads all spec files of home: rows of unchanged files, and the files that changed.
func (r *rowSource) readFolder(ctx context.Context) error {
	dir := filepath.Join(r.Store.home, filepath.FromSlash(SpecsDir))
	listed := stamp.Stamp{}
	known := r.trustNames()
	if !known {
		var err error
		if listed, r.here, err = listFolder(dir, r.clock()); err != nil {
			return err
		}
	}
	var rows []index.Row
	var wg sync.WaitGroup
	wg.Go(func() { rows, _ = r.view.Rows(SpecsDir) })
	stamps, err := stamp.Sweep(dir, fileNames(r.here))
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
	r.read = make([]reading, len(r.here))
	fresh := make([]*index.Row, len(r.here))
	parallel(ctx, len(r.here), func(i int) {
		r.read[i], fresh[i] = r.readOne(r.here[i], stored[i])
	})
	if err := ctx.Err(); err != nil { // some were not read
		return err
	}
	r.batch.Gone = gone
	for _, row := range fresh {
		if row != nil {
			r.batch.Rows = append(r.batch.Rows, *row)
		}
	}
	if r.dropRemoved() {
		listed = stamp.Stamp{}
	}
	if !known {
		r.storeNames(listed)
	}
	return nil
}

// dropRemoved drops the files that were removed meanwhile. It returns whether there were some.
func (r *rowSource) dropRemoved() bool {
	removed := func(got reading) bool { return errors.Is(got.err, fs.ErrNotExist) }
	if !slices.ContainsFunc(r.read, removed) {
		return false
	}
	r.read = slices.DeleteFunc(r.read, removed)
	r.here = make([]string, len(r.read))
	for i, got := range r.read {
		r.here[i] = got.id
	}
	return true
}

// storeNames adds the ids to the batch if they are not stored with the stamp of their folder.
func (r *rowSource) storeNames(at stamp.Stamp) {
	if f, ok := r.view.Folder(SpecsDir); !ok || f.Stamp != at && at.Known() {
		r.batch.At, r.batch.Names = at, r.here
	}
}

// listings is how often a folder is listed while its files change.
const listings = 4

// listFolder returns the ids of the spec files in a folder, sorted, and the stamp of the folder, zero if files may
// have come or gone meanwhile, or if a later change could leave the same stamp. now is when the caller begins. A listing
// may miss a file that is being replaced, so a folder that changes is listed again, and the ids of all listings count.
func listFolder(dir string, now time.Time) (at stamp.Stamp, ids []string, err error) {
	for range listings {
		before, err := stamp.Folder(dir)
		if err != nil {
			return at, nil, err
		}
		more, err := listIDs(dir)
		if err != nil {
			return at, nil, err
		}
		after, err := stamp.Folder(dir)
		if err != nil {
			return at, nil, err
		}
		calm := ids == nil
		ids = append(ids, more...)
		if after != before {
			continue
		}
		if calm && before.Settled(now) {
			at = before
		}
		break
	}
	slices.Sort(ids)
	return at, slices.Compact(ids), nil
}

// listIDs lists the ids of the spec files in a folder, unsorted. Hidden files are not specs.
func listIDs(dir string) ([]string, error) {
	folder, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	ids := names[:0]
	for _, name := range names {
		if id, ok := strings.CutSuffix(name, ".md"); ok && !strings.HasPrefix(name, ".") {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// fileNames returns the names of the files of specs.
func fileNames(ids []string) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = id + ".md"
	}
	return names
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
