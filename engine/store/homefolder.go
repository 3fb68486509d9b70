package store

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine/store/disk"
	"chant/engine/store/index"
	"chant/engine/store/record"
)

// specsFolder is the folder of the spec files in home.
func specsFolder(home string) string { return filepath.Join(home, filepath.FromSlash(SpecsDir)) }

// storedList is the index's record of the folder of specs.
type storedList struct {
	Stamp disk.Stamp // of the folder, zero if that had not settled
	Names []string   // the ids of the files, in the order of their bytes
	Sum   string     // of the stamps of all files, "" if it is not known
}

// storedFiles returns the list of the files from the index, false if it has none.
func storedFiles(v *index.View) (list storedList, ok bool) {
	data, ok := v.Value(listKind, "")
	return list, ok && record.Decode(string(data), &list) == nil
}

// homeFolder is the folder of the spec files in home, as one query sees it.
type homeFolder struct {
	dir string
	of  *Store

	isListed bool
	here     []string   // the ids of all files, in the order of their bytes
	asOf     disk.Stamp // of the folder, zero if it had not settled
	known    storedList // what the index has of the folder, if it still holds
	trusted  bool       // it does

	sweeping sync.Once
	stamps   []disk.Stamp // of all files
	sweepErr error
}

// list lists the files, once: from the index if none has come, gone or been replaced since.
func (f *homeFolder) list(view *index.View, now time.Time) (err error) {
	if f.isListed {
		return nil
	}
	f.isListed = true
	if known, ok := storedFiles(view); ok && known.Stamp.Known() {
		// A folder's stamp changes when a file comes, goes or is replaced; one that is edited in place shows in its own
		// stamp.
		if present, err := disk.Folder(f.dir); err == nil && present == known.Stamp {
			f.known, f.here, f.asOf, f.trusted = known, known.Names, known.Stamp, true
			return nil
		}
	}
	f.asOf, f.here, err = listFolder(f.dir, now)
	f.here = withExtra(f.of, f.here)
	return err
}

// sweep returns the stamps of all listed files. They are read once.
func (f *homeFolder) sweep() ([]disk.Stamp, error) {
	f.sweeping.Do(func() {
		// Without files there may be no folder either.
		if len(f.here) > 0 {
			f.stamps, f.sweepErr = disk.Sweep(f.dir, fileNames(f.here))
		}
	})
	return f.stamps, f.sweepErr
}

// isUnchanged reports whether all files are as when the index got to know all of them.
func (f *homeFolder) isUnchanged() bool {
	stamps, err := f.sweep()
	return err == nil && f.known.Sum == sumOf(stamps)
}

// sumOf returns a digest of the stamps of all files.
func sumOf(stamps []disk.Stamp) string {
	all := make([]byte, 0, len(stamps)*32)
	for _, s := range stamps {
		all = s.Append(all)
	}
	sum := sha256.Sum256(all)
	return string(sum[:16])
}

// maxListings limits how often a folder is listed while its files change.
const maxListings = 4

// listFolder returns the ids of the spec files in a folder, sorted, and the stamp of the folder, zero if files may
// have come or gone meanwhile, or if a later change could leave the same stamp. now is when the caller begins. A listing
// may miss a file that is being replaced, so a folder that changes is listed again, and the ids of all listings count.
func listFolder(dir string, now time.Time) (at disk.Stamp, ids []string, err error) {
	for range maxListings {
		before, err := disk.Folder(dir)
		// A clone of a project without specs lacks the folder, since git keeps no empty one.
		if errors.Is(err, fs.ErrNotExist) {
			return at, nil, nil
		}
		if err != nil {
			return at, nil, err
		}
		// The folder is looked at before and after listing: a file that is replaced meanwhile may be missing in one listing.
		more, err := listIDs(dir)
		if err != nil {
			return at, nil, err
		}
		after, err := disk.Folder(dir)
		if err != nil {
			return at, nil, err
		}
		// Only a first, undisturbed listing has a stamp that counts; after a disturbed one, the ids of all listings count.
		calm := ids == nil
		ids = append(ids, more...)
		if after != before {
			continue
		}
		// A stamp that is too recent could stay the same after another change within the clock's resolution.
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
	// The result reuses the memory of the names, of which each is read before its place is overwritten.
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
