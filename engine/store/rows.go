package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chant/engine/spec"
	"chant/engine/store/disk"
	"chant/engine/store/index"
	"chant/engine/store/record"
	"chant/markdown"
)

// The kinds of values in the index.
const (
	rowKind   = "spec"       // a storedSpec of a file in home, by its id
	blobKind  = "spec blob"  // a storedSpec by the id of its blob
	placeKind = "spec place" // the id of a blob, by commit:path
	listKind  = "spec list"  // the storedList of the folder of specs, without a name
)

// storedSpec is the index's record of a spec: its facts, or the error of reading it.
type storedSpec struct {
	Facts spec.Facts
	Fault *storedFault
	Stamp disk.Stamp // of its file, zero for a blob
}

// storedFault is a *markdown.SyntaxError without the path.
type storedFault struct {
	Line int
	Msg  string
}

// encodeSpec returns the row of a file that was read; ok is false if it failed for a reason that a row cannot record.
func encodeSpec(got *spec.Spec, err error, at disk.Stamp, count bool) (data []byte, ok bool) {
	if err == nil {
		return record.Encode(storedSpec{Facts: got.Facts(count), Stamp: at}), true
	}
	// Only a syntax error follows from the text alone; any other failure may be gone at the next read.
	broken, ok := errors.AsType[*markdown.SyntaxError](err)
	if !ok {
		return nil, false
	}
	return record.Encode(storedSpec{Fault: &storedFault{broken.Line, broken.Msg}, Stamp: at}), true
}

// decodeSpec returns what encodeSpec was given; ok is false if the row is of no use, such as one of a file that has
// another stamp now.
func (r *rowSource) decodeSpec(id, data string, now disk.Stamp) (got *spec.Spec, fault error, ok bool) {
	var row storedSpec
	got, err := spec.FromFacts(id, SpecPath(id), func(facts spec.Facts) error {
		row.Facts = facts
		return record.Decode(data, &row)
	})
	// The zero stamp of a blob matches always: its name is the hash of its content.
	if err != nil || row.Stamp != now {
		return nil, nil, false
	}
	if row.Fault != nil {
		return nil, &markdown.SyntaxError{Path: SpecPath(id), Line: row.Fault.Line, Msg: row.Fault.Msg}, true
	}
	got.Rules, got.Target = r.Rules, cmp.Or(got.Fields.Onto, r.Target)
	return got, nil, true
}

// rowSource reads from the index what it knows, and the rest from files and commits. It is for one query.
type rowSource struct {
	*Store
	view *index.View
	homeFolder
	read  []reading          // of all of these, nil if they are read one by one
	named map[string]reading // those that were read one by one
	tips  map[string]string  // of the branches of runs, by id
	ids   []string           // of all files and branches, in the order of their bytes

	searched int // documents that were searched

	mu     sync.Mutex
	batch  index.Batch
	hashes map[string]string            // commits by revisions
	asked  map[string]int               // how often each commit was asked for a place that is not stored
	listed map[string]map[string]string // blobs by the ids of specs, of commits that were asked often
}

func newRowSource(s *Store, view *index.View) *rowSource {
	return &rowSource{Store: s, homeFolder: homeFolder{dir: specsFolder(s.home), of: s}, view: view, named: map[string]reading{}, hashes: map[string]string{}, asked: map[string]int{}, listed: map[string]map[string]string{}}
}

type reading struct {
	id     string
	found  *spec.Spec
	err    error
	stored bool // the index has its row, or gets it
}

// branches implements source. They are read once.
func (r *rowSource) branches(ctx context.Context) (map[string]string, error) {
	var err error
	if r.tips == nil {
		r.tips, err = r.Store.branches(ctx)
	}
	return r.tips, err
}

// join sets the ids of all files and branches.
func (r *rowSource) join(tips map[string]string) {
	r.ids = r.here
	if len(tips) > 0 {
		r.ids = slices.AppendSeq(slices.Clone(r.here), maps.Keys(tips))
		slices.Sort(r.ids)
		r.ids = slices.Compact(r.ids)
	}
}

// needsCount reports whether queries ask how many criteria the spec has: they do for completed specs, for drivers,
// which have members or could have, and for tasks.
func (r *rowSource) needsCount(s *spec.Spec) bool {
	if s == nil || s.Status == spec.Completed || s.Fields.Type.Container() || len(s.Fields.Members) > 0 || s.Fields.Task != "" {
		return s != nil
	}
	// Members have ids below that of the spec, and the ids are in the order of their bytes.
	at, _ := slices.BinarySearch(r.ids, s.ID+".")
	return at < len(r.ids) && strings.HasPrefix(r.ids[at], s.ID+".")
}

// readHome implements source.
func (r *rowSource) readHome(_ context.Context, id string) (*spec.Spec, error) {
	at, ok := slices.BinarySearch(r.here, id)
	if !ok {
		return nil, fs.ErrNotExist
	}
	if r.read != nil {
		return r.read[at].found, r.read[at].err
	}
	got, ok := r.named[id]
	if !ok {
		got = r.readNamed(id)
		r.named[id] = got
	}
	return got.found, got.err
}

// readNamed reads one file of home, from its row if it has not changed since.
func (r *rowSource) readNamed(id string) reading {
	// The name may come from a row or a reference, so it is checked before it becomes a path.
	if spec.ValidName(id) != nil {
		return reading{id: id, err: fs.ErrNotExist}
	}
	data, stored := r.view.Value(rowKind, id)
	var now disk.Stamp
	// Without a row, the stamp would be compared with nothing.
	if stored {
		if info, err := os.Lstat(filepath.Join(r.Store.home, filepath.FromSlash(SpecPath(id)))); err == nil && info.Mode().IsRegular() {
			now = disk.FromInfo(info)
		}
	}
	// A zero stamp, as of a link, never matches a row, so such a file is always read.
	got, row := r.readOne(id, data, now)
	if row != nil {
		r.storeRow(id, *row)
	}
	return got
}

// freshRow is a row to store.
type freshRow struct {
	data []byte // nil removes it
	refs []string
	at   disk.Stamp
}

// storeRow adds the row of a file to the batch.
func (r *rowSource) storeRow(id string, row freshRow) {
	r.batch.Put(rowKind, id, row.data)
	if r.batch.Refs == nil {
		r.batch.Refs = map[string][]string{}
	}
	r.batch.Refs[id] = row.refs
}

// readOne returns a spec from its row if its file still has the same stamp, otherwise from the file together with the
// row to store.
func (r *rowSource) readOne(id string, data []byte, now disk.Stamp) (reading, *freshRow) {
	adopts := false
	if data != nil {
		got, fault, ok := r.decodeSpec(id, string(data), now)
		// A spec with a key `source` is read each time: facts about a folder depend on more than the stamp of one file.
		adopts = ok && fault == nil && got.Fields.Source != ""
		if ok && !adopts && (fault != nil || got.Counted() || !r.needsCount(got)) {
			return reading{id, got, fault, true}, nil
		}
	}
	src, at, err := readStamped(r.Store, r.Store.home, SpecPath(id))
	if err != nil {
		return reading{id: id, err: err}, nil
	}
	parsed, err := r.Parse(id, SpecPath(id), src)
	AdoptHome(r.Store, parsed)
	got, err := withoutFile(parsed, err)
	count := r.needsCount(got)
	var row *freshRow
	// With such a key, the stored row already says what a row can.
	if !adopts {
		row = r.newRow(id, got, err, at, count)
	}
	if got != nil {
		got.Forget(count)
	}
	return reading{id, got, err, adopts || row != nil}, row
}

// newRow returns the row of a file that was read, nil if it cannot be stored.
func (r *rowSource) newRow(id string, got *spec.Spec, err error, at disk.Stamp, count bool) *freshRow {
	// A stamp that had not settled could stay the same after the next write.
	if r.Index == IndexOff || !at.Known() {
		return nil
	}
	data, ok := encodeSpec(got, err, at, count)
	if !ok {
		return nil
	}
	row := &freshRow{data: data, at: at}
	if got != nil {
		row.refs = refsOf(got)
	}
	return row
}

// readStamped is ReadTree with the stamp of the file.
func readStamped(s *Store, tree, path string) ([]byte, disk.Stamp, error) {
	if src, has := s.extra[path]; has && tree == s.home {
		return src, disk.Stamp{}, nil
	}
	// The time is taken before the file is looked at: a stamp counts only if it is older than the beginning of the read.
	now := s.clock()
	full, err := regularFile(tree, s.inTree(tree, path))
	if err != nil {
		return nil, disk.Stamp{}, err
	}
	return disk.ReadFile(full, now)
}

// runParallel calls a function for 0 to n-1 with a few goroutines, until ctx is done.
func runParallel(ctx context.Context, n int, act func(i int)) {
	const width, share = 4, 64
	var wg sync.WaitGroup
	for w := range width {
		wg.Go(func() {
			for from := w * share; from < n && ctx.Err() == nil; from += width * share {
				for i := from; i < min(from+share, n); i++ {
					act(i)
				}
			}
		})
	}
	wg.Wait()
}
