package documents

import (
	"context"
	"errors"
	"slices"

	"chant/engine/find"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops/lockfile"
)

// segmentKind is the kind of the segments. Its number changes with what is read from documents, and with the format of
// package find.
const segmentKind = "documents 1"

// fields are the fields of documents. Names are the id and the labels of a spec, and the path of other documents.
func fields() find.Fields {
	return find.Fields{{Name: "title", Weight: 4}, {Name: "names", Weight: 3}, {Name: "body", Weight: 1}}
}

// Searcher finds documents for one question.
type Searcher struct {
	query    *store.Query
	docs     []Document
	segments []part
	lease    *lockfile.Lock // held while documents are read to be stored
}

// Match is a document that was found.
type Match struct {
	Document
	Score float64 // above 0 and at most 1
}

// Ask calls a function with a searcher that knows the documents as they are now, and returns its error.
//
// Only documents that no segment of the index has with their present stamps are read. If there are such, and no other
// process is reading some at the moment, they are stored as a new segment.
func Ask(ctx context.Context, st *store.Store, ask func(*Searcher) error) (err error) {
	s := Searcher{}
	st.Query(ctx, func(q *store.Query) {
		s.query = q
		if err = s.load(ctx); err == nil {
			err = ask(&s)
		}
	})
	if s.lease != nil {
		err = errors.Join(err, s.lease.Release())
	}
	return err
}

// Load returns the active specs without their texts, as store.Load does.
func (s *Searcher) Load(ctx context.Context) (*store.Set, error) { return s.query.Load(ctx) }

// Around returns the active specs with these ids and what decides what they wait for, as store.Around does.
func (s *Searcher) Around(ctx context.Context, ids ...string) (*store.Set, error) {
	return s.query.Around(ctx, ids...)
}

// ReadArchived reads an archived spec.
func (s *Searcher) ReadArchived(d Document) (*spec.File, error) {
	return s.query.ReadArchived(d.ID, d.Path)
}

// Text returns the text of a document. Errors as of store.ReadTree; gitops.ErrNotFound.
func (s *Searcher) Text(ctx context.Context, d Document) ([]byte, error) {
	text, _, err := s.query.Read(ctx, d.Source)
	return text, err
}

// Find returns all documents with words of a query, the best first. keep reports whether a document may be found; nil
// keeps all.
//
// If a stored segment is broken although its checksums are right, all documents are read.
func (s *Searcher) Find(ctx context.Context, q find.Query, keep func(Document) bool) ([]Match, error) {
	found, err := s.search(q, keep)
	if err == nil && len(found) == 0 && s.dropGone() {
		found, err = s.search(q, keep)
	}
	if err == nil || s.query.View == nil {
		return found, err
	}
	s.query.View.ReportBroken()
	s.query.Batch.Segments, s.query.Batch.Replaced = nil, nil
	all := make([]int, len(s.docs))
	for i := range all {
		all[i] = i
	}
	if s.segments, err = s.build(ctx, all); err != nil {
		return nil, err
	}
	return s.search(q, keep)
}

// part is a segment with the documents that are current.
type part struct {
	*find.Segment
	id      int64 // in the index, 0 if it is not stored
	data    []byte
	current []int32 // the number of each document, -1 if its text has changed or it is gone
	loose   bool    // it has documents whose stamps had not settled, and must not be stored
}

// load lists the documents, takes what the index has of them, and reads the others.
func (s *Searcher) load(ctx context.Context) (err error) {
	if err = s.list(ctx); err != nil {
		return err
	}
	missing := s.loadSegments()
	if s.query.MayStore(len(s.docs)) && (s.anyKnown(missing) || len(s.chooseMerge()) > 0) {
		s.takeLease()
	}
	built, err := s.build(ctx, missing)
	if err != nil {
		return err
	}
	s.segments = append(s.segments, built...)
	if s.lease != nil {
		s.collect()
	}
	return nil
}

// anyKnown reports whether one of some documents could be stored: its stamp is known.
func (s *Searcher) anyKnown(numbers []int) bool {
	return slices.ContainsFunc(numbers, func(n int) bool { return s.docs[n].key(s.docs[n].at) != "" })
}

// takeLease takes the lock under which documents are read to be stored, without waiting for it. Without it, nothing is
// stored.
func (s *Searcher) takeLease() {
	path, err := s.query.Local(store.Locks, "index.lock")
	if err != nil {
		return
	}
	if lock, err := lockfile.Acquire(path, "index documents"); err == nil {
		s.lease = lock
	}
}

// loadSegments opens the stored segments and returns the numbers of the documents that none of them has. A document that
// two segments have counts in the first one.
func (s *Searcher) loadSegments() (missing []int) {
	stored, _ := s.query.View.Segments(segmentKind)
	numbers := make(map[string]int32, len(s.docs))
	if len(stored) > 0 {
		for i := range s.docs {
			if key := s.docs[i].key(s.docs[i].at); key != "" {
				numbers[key] = int32(i)
			}
		}
	}
	have := make([]bool, len(s.docs))
	for _, one := range stored {
		segment, err := find.Open(one.Data)
		if err != nil {
			s.query.View.ReportBroken()
			continue
		}
		p := part{Segment: segment, id: one.ID, data: one.Data, current: make([]int32, segment.Len())}
		for doc := range p.current {
			n, ok := numbers[segment.Key(uint32(doc))]
			if !ok || have[n] {
				p.current[doc] = -1
				continue
			}
			p.current[doc], have[n] = n, true
		}
		s.segments = append(s.segments, p)
	}
	for i, has := range have {
		if !has {
			missing = append(missing, i)
		}
	}
	return missing
}

func (s *Searcher) search(q find.Query, keep func(Document) bool) ([]Match, error) {
	segments, most := make([]*find.Segment, len(s.segments)), 1
	for i, p := range s.segments {
		segments[i] = p.Segment
		most += p.Len()
	}
	hits, err := find.Search(segments, fields(), q, find.Options{Top: most, Keep: func(segment int, doc uint32) bool {
		n := s.segments[segment].current[doc]
		return n >= 0 && (keep == nil || keep(s.docs[n]))
	}})
	if err != nil {
		return nil, err
	}
	found := make([]Match, len(hits))
	for i, h := range hits {
		found[i] = Match{s.docs[s.segments[h.Segment].current[h.Doc]], h.Score}
	}
	return found, nil
}
