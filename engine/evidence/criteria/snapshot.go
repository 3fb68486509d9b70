package criteria

import (
	"chant/engine/store/disk"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Snapshot is the content of a folder at one moment: every file, link and folder in it except the
// `.git` at its top. Links are not followed.
type Snapshot struct {
	dir     string
	ours    bool             // a file may be created in dir for a moment
	differs bool             // it is only compared with an earlier one: what has no chance to be equal need not be read
	entries map[string]entry // by path, slash-separated from dir
	top     look             // of the folder itself
}

// look is what a path shows beside its content, which tools such as make decide by.
type look struct {
	mode    fs.FileMode // permissions, with those for set-uid and the like
	changed time.Time
}

// entry is one path of a snapshot. Two entries are equal if kind and sum are; the stamp only
// saves reading a file whose inode has not been written since.
type entry struct {
	kind  fs.FileMode // type, and whether the owner may execute it
	size  int64
	stamp disk.Stamp
	young bool   // it was written so recently that a later write could leave the same stamp
	sum   string // of a file's content, of one kind or as git's name of it; the target of a link
	look  look   // of files, folders and links
}

// Difference is how a folder differs from an earlier snapshot of it. Added has new folders
// without their content. All lists are sorted.
type Difference struct{ Changed, Removed, Added []string }

// TakeSnapshot reads a folder. It reuses the sums of files that have not been written since
// an earlier snapshot of the same folder, which may be nil.
func TakeSnapshot(ctx context.Context, dir string, earlier *Snapshot) (*Snapshot, error) {
	s := &Snapshot{dir: dir, ours: earlier != nil && earlier.ours}
	return s, s.take(ctx, earlier)
}

// TakeSnapshotOfOurs is TakeSnapshot of a folder in which no other program works. It creates a file there for a moment, to ask
// the file system for its time: fewer files then have to be read again. blobs are git's names, in SHA-1, of the content of
// files, by path, that git has just written: they are not read before something writes to them.
func TakeSnapshotOfOurs(ctx context.Context, dir string, blobs map[string]string) (*Snapshot, error) {
	s := &Snapshot{dir: dir, ours: true}
	written := &Snapshot{entries: make(map[string]entry, len(blobs))}
	for name, blob := range blobs {
		written.entries[name] = entry{stamp: asWritten, sum: blobMark + blob}
	}
	return s, s.take(ctx, written)
}

// Sums that are not of the content begin with one of these: git's name of it, or the stamp of the file.
const (
	blobMark  = "blob "
	stampMark = "stamp "
)

// asWritten is the stamp of a file that nothing has written to since git has.
var asWritten = disk.Stamp{Changed: -1}

// seen is a path that the walk over a folder has found.
type seen struct {
	name, path string
	d          fs.DirEntry
}

func (s *Snapshot) take(ctx context.Context, earlier *Snapshot) error {
	// Before the walk: what is written during it counts as young and is read again.
	old := oldBefore(s.dir, s.ours)
	var all []seen
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(s.dir, path)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case relErr != nil:
			return relErr
		case rel == ".":
			if info, statErr := os.Lstat(path); statErr == nil {
				s.top = lookOf(info)
			}
			return err
		case errors.Is(err, fs.ErrNotExist):
			// It was removed since its folder was read.
			return nil
		case err != nil:
			// The folder is unreadable, so its earlier content counts as missing.
			return fs.SkipDir
		case rel == ".git":
			return skip(d)
		}
		all = append(all, seen{filepath.ToSlash(rel), path, d})
		return nil
	})
	if err == nil {
		s.entries, err = readAll(ctx, all, old, earlier, s.differs)
	}
	return err
}

// readAll reads the entries of many paths side by side.
func readAll(ctx context.Context, all []seen, old time.Time, earlier *Snapshot, differs bool) (map[string]entry, error) {
	found, failed := make([]entry, len(all)), make([]error, len(all))
	var next atomic.Int64
	read := func() {
		for i := int(next.Add(1)) - 1; i < len(all) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
			found[i], failed[i] = readEntry(all[i].path, all[i].d, old, earlier.find(all[i].name), differs)
		}
	}
	var readers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0)-1, len(all)/readersFrom) {
		readers.Go(read)
	}
	read()
	readers.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	entries := make(map[string]entry, len(all))
	for i, at := range all {
		switch err := failed[i]; {
		case err == nil:
			entries[at.name] = found[i]
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return entries, nil
}

// readersFrom is the number of files from which another reader is worth its start.
const readersFrom = 64

// SnapshotFiles is TakeSnapshot for some files of a folder, slash-separated from there; missing files
// are left out.
func SnapshotFiles(ctx context.Context, dir string, names []string, earlier *Snapshot) (*Snapshot, error) {
	s := &Snapshot{dir: dir, entries: map[string]entry{}}
	old := oldBefore(dir, false)
	for _, name := range names {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		info, err := os.Lstat(path)
		if err == nil {
			s.entries[name], err = readEntry(path, fs.FileInfoToDirEntry(info), old, earlier.find(name), false)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return s, nil
}

// skip skips a path, and everything in it.
func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func (s *Snapshot) find(name string) (found entry) {
	if s != nil {
		found = s.entries[name]
	}
	return found
}

// maxRead is the size in bytes from which a file counts by its stamp, not by its content: a command can make many files of a
// TiB that take no room on the disk. If such a file is only touched, it counts as changed.
const maxRead = 64 << 20

// readEntry reads one path; known is its entry in an earlier snapshot. differs is as in Snapshot.
func readEntry(path string, d fs.DirEntry, old time.Time, known entry, differs bool) (entry, error) {
	info, err := d.Info()
	// Only a program that goes there folder by folder can read it.
	if errors.Is(err, syscall.ENAMETOOLONG) {
		return entry{kind: d.Type(), sum: "unreadable"}, nil
	}
	if err != nil {
		return entry{}, err
	}
	e := entry{kind: info.Mode().Type(), look: lookOf(info)}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		e.sum, err = os.Readlink(path)
		return e, err
	case !info.Mode().IsRegular():
		return e, nil
	}
	e.kind |= info.Mode() & 0o100
	e.size = info.Size()
	e.stamp = disk.FromInfo(info)
	e.young = !e.stamp.Known() || e.stamp.Changed > old.UnixNano()
	// Nothing has written to it by its stamp, so it is not read again.
	if known.sum != "" && (known.stamp == e.stamp || known.stamp == asWritten) && !known.young {
		e.sum = known.sum
		return e, nil
	}
	switch another := known.sum == "" || known.size != e.size; {
	case differs && another:
		e.sum = "another"
	// A command can make files of a TiB that take no room on the disk.
	case e.size > maxRead && e.stamp.Known() && (another || strings.HasPrefix(known.sum, stampMark)):
		e.sum = fmt.Sprint(stampMark, e.stamp)
	default:
		e.sum, err = contentSum(path, e.size, strings.HasPrefix(known.sum, blobMark))
	}
	if errors.Is(err, fs.ErrPermission) {
		e.sum, err = "unreadable", nil
	}
	return e, err
}

func lookOf(info fs.FileInfo) look {
	return look{info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky), info.ModTime()}
}

// Reset gives the files, folders and links that a later snapshot of the same folder shows the permissions and times that they
// had, as far as they are still there. The later snapshot has them then, too.
func (s *Snapshot) Reset(now *Snapshot) error {
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var names []string
	for name, was := range s.entries {
		is, there := now.entries[name]
		if !there || is.kind&fs.ModeType != was.kind&fs.ModeType {
			continue
		}
		// What was removed from a folder has changed its time since.
		if is.look != was.look || was.kind.IsDir() {
			names = append(names, name)
		}
	}
	// What is deeper comes first: changing a file in a folder without permissions needs those of the folder, which a
	// command cannot have taken away without the file being missed.
	slices.SortFunc(names, func(a, b string) int { return strings.Count(b, "/") - strings.Count(a, "/") })
	for _, name := range names {
		was, is := s.entries[name], now.entries[name]
		err := error(nil)
		switch {
		case was.kind&fs.ModeSymlink != 0:
			err = setLinkTime(root, name, was.look.changed)
		case was.kind.IsRegular() || was.kind.IsDir():
			err = setLook(root, name, was.look)
		}
		if err != nil {
			return err
		}
		is.look = was.look
		now.entries[name] = is
	}
	now.top = s.top
	return setLook(root, ".", s.top)
}

func setLook(root *os.Root, name string, l look) error {
	if err := root.Chmod(name, l.mode); err != nil {
		return err
	}
	return root.Chtimes(name, time.Time{}, l.changed)
}

// contentSum reads a file; size is what it is expected to have, and asBlob asks for git's name of the content.
func contentSum(path string, size int64, asBlob bool) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum, mark := sha256.New(), ""
	if asBlob {
		sum, mark = sha1.New(), blobMark
		fmt.Fprintf(sum, "blob %d\x00", size)
	}
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return mark + hex.EncodeToString(sum.Sum(nil)), nil
}

// Retake reads the folder again and returns the new snapshot and its difference from this one.
func (s *Snapshot) Retake(ctx context.Context) (*Snapshot, Difference, error) {
	now := &Snapshot{dir: s.dir, ours: s.ours, differs: true}
	if err := now.take(ctx, s); err != nil {
		return nil, Difference{}, err
	}
	return now, s.DifferenceTo(now), nil
}

// DifferenceTo is the difference of a later snapshot of the same folder.
func (s *Snapshot) DifferenceTo(now *Snapshot) (d Difference) {
	for name, was := range s.entries {
		is, there := now.entries[name]
		switch {
		case !there:
			d.Removed = append(d.Removed, name)
		case is.kind != was.kind || is.sum != was.sum:
			d.Changed = append(d.Changed, name)
		}
	}
	for name := range now.entries {
		if _, known := s.entries[name]; !known && !now.addedAbove(s, name) {
			d.Added = append(d.Added, name)
		}
	}
	slices.Sort(d.Changed)
	slices.Sort(d.Removed)
	slices.Sort(d.Added)
	return d
}

// addedAbove reports whether the folder of a path is new itself.
func (s *Snapshot) addedAbove(was *Snapshot, name string) bool {
	folder, _ := cutLast(name)
	if folder == "" {
		return false
	}
	_, known := was.entries[folder]
	return !known
}

func cutLast(name string) (folder, base string) {
	at := strings.LastIndexByte(name, '/')
	return name[:max(at, 0)], name[at+1:]
}

// Sums returns a hash for each path at the top of the folder, of everything below it. Folders with skipped names count
// as empty at any depth.
func (s *Snapshot) Sums(skipped ...string) map[string]string {
	hashes := map[string][]string{}
	for name, e := range s.entries {
		parts := strings.Split(name, "/")
		if !slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(skipped, part) }) {
			hashes[parts[0]] = append(hashes[parts[0]], name+"\x00"+e.kind.String()+"\x00"+e.sum)
		}
	}
	out := make(map[string]string, len(hashes))
	for top, lines := range hashes {
		out[top] = hashOf(lines)
	}
	return out
}

// Sum returns one hash of the snapshot.
func (s *Snapshot) Sum() string {
	var lines []string
	for name, e := range s.entries {
		lines = append(lines, name+"\x00"+e.kind.String()+"\x00"+e.sum)
	}
	return hashOf(lines)
}

func hashOf(lines []string) string {
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// FileSums returns a short hash of each file in the snapshot, by path.
func (s *Snapshot) FileSums() map[string]string {
	out := make(map[string]string, len(s.entries))
	for name, e := range s.entries {
		out[name] = e.kind.String() + " " + e.sum[:min(len(e.sum), 16)]
	}
	return out
}

// IsFolder reports whether a path of the snapshot is a folder.
func (s *Snapshot) IsFolder(name string) bool { return s.entries[name].kind.IsDir() }

// Without removes sorted paths and everything below them from the snapshot, and returns it.
func (s *Snapshot) Without(paths []string) *Snapshot {
	for name := range s.entries {
		for at := name; at != ""; at, _ = cutLast(at) {
			if _, gone := slices.BinarySearch(paths, at); gone {
				delete(s.entries, name)
				break
			}
		}
	}
	return s
}

// With returns a copy of the snapshot in which paths, and the folders above them, are as a later snapshot of the same
// folder has them.
func (s *Snapshot) With(now *Snapshot, paths []string) *Snapshot {
	out := *s
	out.entries, out.top = maps.Clone(s.entries), now.top
	for _, name := range paths {
		for at := name; at != ""; at, _ = cutLast(at) {
			if e, there := now.entries[at]; there {
				out.entries[at] = e
			} else {
				delete(out.entries, at)
			}
		}
	}
	return &out
}
