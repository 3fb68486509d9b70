package store

import (
	"context"
	"errors"
	"slices"

	"chant/engine/find"
	"chant/engine/spec"
	"chant/gitops/lockfile"
)

// searchKind is the kind of the segments of documents. It changes with what is read from them, and with the format of
// package find.
const searchKind = "documents 1"

// searchFields are the fields of documents. Names are the id and the labels of a spec, and the path of other documents.
func searchFields() find.Fields {
	return find.Fields{{Name: "title", Weight: 4}, {Name: "names", Weight: 3}, {Name: "body", Weight: 1}}
}

// Searcher finds documents by their words: specs, archived specs, prompts and documentation.
type Searcher struct{ *Store }

// Match is a document that was found.
type Match struct {
	Document
	Score float64 // above 0 and at most 1
}

// Find returns all documents with words of a query, the best first. keep reports whether a document may be found; nil
// keeps all.
//
// Only documents that no segment of the index has with their present stamps are read. If there are such, and no other
// process is reading some at the moment, they are stored as a new segment.
func (s Searcher) Find(ctx context.Context, q find.Query, keep func(Document) bool) (found []Match, err error) {
	x := documentIndex{}
	s.query(ctx, func(r *rowSource) {
		x.rowSource = r
		if err = x.load(ctx); err == nil {
			found, err = x.search(ctx, q, keep)
		}
	})
	if x.lease != nil {
		err = errors.Join(err, x.lease.Release())
	}
	return found, err
}

// Text returns the text of a document.
func (s Searcher) Text(ctx context.Context, d Document) ([]byte, error) {
	if d.tree == "" {
		return s.repo.ReadBlob(ctx, d.blob)
	}
	return s.ReadTree(d.tree, d.Path)
}

// Archived reads an archived spec.
func (s Searcher) Archived(d Document) (*spec.File, error) { return s.readArchived(d.ID, d.Path) }

// documentIndex searches the documents of one query.
type documentIndex struct {
	*rowSource
	docs     []Document
	segments []documentSegment
	lease    *lockfile.Lock // held while documents are read to be stored
}

// documentSegment is a segment with the documents that are current.
type documentSegment struct {
	*find.Segment
	id      int64 // in the index, 0 if it is not stored
	data    []byte
	current []int32 // the number of each document, -1 if its text has changed or it is gone
	loose   bool    // it has documents whose stamps had not settled, and must not be stored
}

// load lists the documents, takes what the index has of them, and reads the others.
func (x *documentIndex) load(ctx context.Context) (err error) {
	if x.docs, err = x.listDocuments(ctx); err != nil {
		return err
	}
	x.searched = len(x.docs)
	missing := x.loadSegments()
	if x.mayStore() && (x.anyKnown(missing) || len(x.chooseMerge()) > 0) {
		x.takeLease()
	}
	built, err := x.build(ctx, missing)
	if err != nil {
		return err
	}
	x.segments = append(x.segments, built...)
	if x.lease != nil {
		x.collect()
	}
	return nil
}

// mayStore reports whether there is, or will be, an index in which segments are stored.
func (x *documentIndex) mayStore() bool {
	return x.Index != IndexOff && (x.view != nil || len(x.docs) >= fewFiles)
}

// anyKnown reports whether one of some documents could be stored: its stamp is known.
func (x *documentIndex) anyKnown(numbers []int) bool {
	return slices.ContainsFunc(numbers, func(n int) bool { return x.docs[n].key(x.docs[n].at) != "" })
}

// takeLease takes the lock under which documents are read to be stored, without waiting for it. Without it, nothing is
// stored.
func (x *documentIndex) takeLease() {
	path, err := x.Local(Locks, "index.lock")
	if err != nil {
		return
	}
	if lock, err := lockfile.Acquire(path, "index documents"); err == nil {
		x.lease = lock
	}
}

// loadSegments opens the stored segments and returns the numbers of the documents that none of them has. A document that
// two segments have counts in the first one.
func (x *documentIndex) loadSegments() (missing []int) {
	stored, _ := x.view.Segments(searchKind)
	numbers := make(map[string]int32, len(x.docs))
	if len(stored) > 0 {
		for i := range x.docs {
			if key := x.docs[i].key(x.docs[i].at); key != "" {
				numbers[key] = int32(i)
			}
		}
	}
	have := make([]bool, len(x.docs))
	for _, one := range stored {
		segment, err := find.Open(one.Data)
		if err != nil {
			x.view.ReportBroken()
			continue
		}
		s := documentSegment{Segment: segment, id: one.ID, data: one.Data, current: make([]int32, segment.Len())}
		for doc := range s.current {
			n, ok := numbers[segment.Key(uint32(doc))]
			if !ok || have[n] {
				s.current[doc] = -1
				continue
			}
			s.current[doc], have[n] = n, true
		}
		x.segments = append(x.segments, s)
	}
	for i, has := range have {
		if !has {
			missing = append(missing, i)
		}
	}
	return missing
}

// search searches all segments. If a stored one is broken although its checksums are right, all documents are read.
func (x *documentIndex) search(ctx context.Context, q find.Query, keep func(Document) bool) ([]Match, error) {
	found, err := x.searchSegments(q, keep)
	if err == nil && len(found) == 0 && x.dropGone() {
		found, err = x.searchSegments(q, keep)
	}
	if err == nil || x.view == nil {
		return found, err
	}
	x.view.ReportBroken()
	x.batch.Segments, x.batch.Replaced = nil, nil
	all := make([]int, len(x.docs))
	for i := range all {
		all[i] = i
	}
	if x.segments, err = x.build(ctx, all); err != nil {
		return nil, err
	}
	return x.searchSegments(q, keep)
}

func (x *documentIndex) searchSegments(q find.Query, keep func(Document) bool) ([]Match, error) {
	segments, most := make([]*find.Segment, len(x.segments)), 1
	for i, s := range x.segments {
		segments[i] = s.Segment
		most += s.Len()
	}
	hits, err := find.Search(segments, searchFields(), q, find.Options{Top: most, Keep: func(segment int, doc uint32) bool {
		n := x.segments[segment].current[doc]
		return n >= 0 && (keep == nil || keep(x.docs[n]))
	}})
	if err != nil {
		return nil, err
	}
	found := make([]Match, len(hits))
	for i, h := range hits {
		found[i] = Match{x.docs[x.segments[h.Segment].current[h.Doc]], h.Score}
	}
	return found, nil
}
