package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chant/engine/index"
	"chant/engine/stamp"
)

// readFolder reads all spec files of home: rows of unchanged files, and the files that changed.
func (r *rowSource) readFolder(ctx context.Context) error {
	dir := filepath.Join(r.Store.home, filepath.FromSlash(SpecsDir))
	at, names, err := listFolder(dir, r.clock())
	if err != nil {
		return err
	}
	stamps, err := stamp.Sweep(dir, names)
	if err != nil {
		return err
	}
	tips, err := r.branches(ctx)
	if err != nil {
		return err
	}
	r.listIDs(names, tips)
	rows, _ := r.view.Rows(SpecsDir)
	known := matchRows(rows, names, stamps)
	readings := make([]reading, len(names))
	fresh := make([]*index.Row, len(names))
	parallel(ctx, len(names), func(i int) {
		readings[i], fresh[i] = r.readOne(names[i], known[i])
	})
	if err := ctx.Err(); err != nil { // some were not read
		return err
	}
	r.batch.At, r.batch.Gone = at, goneNames(rows, names)
	for i := range readings {
		if fresh[i] != nil {
			r.batch.Rows = append(r.batch.Rows, *fresh[i])
		}
		if errors.Is(readings[i].err, fs.ErrNotExist) {
			r.batch.At = stamp.Stamp{} // it was removed meanwhile
			continue
		}
		r.files[readings[i].id] = &readings[i]
	}
	if f, ok := r.view.Folder(SpecsDir); !ok || f.Stamp != r.batch.At && r.batch.At.Known() {
		r.batch.Names = names
	}
	return nil
}

// listings is how often a folder is listed while its names change.
const listings = 4

// listFolder returns the names of the spec files in a folder, sorted, and the stamp of the folder, zero if names may
// have come or gone meanwhile, or if a later change could leave the same stamp. now is when the caller begins. A listing
// may miss a file that is being replaced, so a folder that changes is listed again, and the names of all listings count.
func listFolder(dir string, now time.Time) (at stamp.Stamp, names []string, err error) {
	for range listings {
		before, err := stamp.Folder(dir)
		if err != nil {
			return at, nil, err
		}
		more, err := fileNames(dir)
		if err != nil {
			return at, nil, err
		}
		after, err := stamp.Folder(dir)
		if err != nil {
			return at, nil, err
		}
		calm := names == nil
		names = append(names, more...)
		if after != before {
			continue
		}
		if calm && before.Settled(now) {
			at = before
		}
		break
	}
	slices.Sort(names)
	return at, slices.Compact(names), nil
}

// fileNames lists the spec files in a folder, unsorted. Hidden files are not specs.
func fileNames(dir string) ([]string, error) {
	folder, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	return slices.DeleteFunc(names, func(name string) bool {
		return !strings.HasSuffix(name, ".md") || strings.HasPrefix(name, ".")
	}), err
}

// matchRows returns for each name the data of its row if the file has not changed since, "" otherwise. rows and names
// are sorted.
func matchRows(rows []index.Row, names []string, stamps []stamp.Stamp) []string {
	out := make([]string, len(names))
	at := 0
	for i, name := range names {
		for at < len(rows) && rows[at].Name < name {
			at++
		}
		if at < len(rows) && rows[at].Name == name && stamps[i].Known() && rows[at].Stamp == stamps[i] {
			out[i] = rows[at].Data
		}
	}
	return out
}

// goneNames lists the rows without a name. rows and names are sorted.
func goneNames(rows []index.Row, names []string) []string {
	var out []string
	for _, row := range rows {
		if _, still := slices.BinarySearch(names, row.Name); !still {
			out = append(out, row.Name)
		}
	}
	return out
}
