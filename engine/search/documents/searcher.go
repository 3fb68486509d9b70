package documents

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"sort"
	"strings"

	"chant/engine/search/find"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
)

// segmentKind is the kind of the segments. Its number changes with what is read from documents, and with the format of
// package find.
const segmentKind = "documents 3"

// fields are the fields of documents. Names are the id and the labels of a spec, and the path of other documents.
func fields() find.Fields {
	return find.Fields{{Name: "title", Weight: 4}, {Name: "names", Weight: 3}, {Name: "body", Weight: 1}}
}

// Searcher finds documents for one question.
type Searcher struct {
	query    *store.Query
	docs     []Document
	files    int            // that the first so many documents are: those of spec files, in the order of their ids
	others   map[string]int // numbers of the other documents, by path
	segments []part
	lease    *lockfile.Lock // held while documents are read to be stored
}

// Match is a document that was found.
type Match struct {
	Document
	Exact bool    // it contains Options.Text
	Score float64 // at most 1; 0 for one that is found only since it contains Options.Text
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
	// The lease is held until the batch of the query is stored.
	if s.lease != nil {
		err = errors.Join(err, s.lease.Release())
	}
	return err
}

// Load returns the active specs without their texts, as store.Load does.
func (s *Searcher) Load(ctx context.Context) (*store.Set, error) { return s.query.Load(ctx) }

// LoadAround returns the active specs with these ids and what decides what they wait for, as store.LoadAround does.
func (s *Searcher) LoadAround(ctx context.Context, ids ...string) (*store.Set, error) {
	return s.query.LoadAround(ctx, ids...)
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

// Options say what may be found.
type Options struct {
	Text   string              // specs whose title or body contains it, in any case, come first; "" = none
	AnyOf  []string            // of which a spec must contain one, in any case, or have it in its names; none: it need not
	Specs  int                 // how many specs are returned at most, 0 for all
	Others int                 // how many other documents are returned at most, 0 for all
	Keep   func(Document) bool // reports whether a document may be found; nil keeps all
}

// Found is what was found, the best first.
type Found struct {
	Specs, Others []Match
	Total         int // specs, before the limit
}

// Find finds documents with words of a query.
//
// If a stored segment is broken although its checksums are right, all documents are read.
func (s *Searcher) Find(ctx context.Context, q find.Query, o Options) (Found, error) {
	found, err := s.search(q, o)
	if err == nil || s.query.View == nil {
		return found, err
	}
	// The segment cannot be trusted although its checksum is right, so nothing of it is merged or kept.
	s.query.View.ReportBroken()
	s.query.Batch.Segments, s.query.Batch.Replaced = nil, nil
	all := make([]int, len(s.docs))
	for i := range all {
		all[i] = i
	}
	if s.segments, err = s.build(ctx, all); err != nil {
		return Found{}, err
	}
	return s.search(q, o)
}

// part is a segment without the documents that are not current.
type part struct {
	*find.Segment
	texts   texts
	id      int64 // in the index, 0 if it is not stored
	data    []byte
	current []int32 // the number of each document, -1 if its text has changed or it is gone
	gone    int     // documents that are not current
	loose   bool    // it has documents whose stamps had not settled, and must not be stored
}

// load lists the documents, takes what the index has of them, and reads the others.
func (s *Searcher) load(ctx context.Context) error {
	if err := s.list(ctx, s.openSegments); err != nil {
		return err
	}
	missing := s.matchSegments()
	// The lease is only taken if something can be stored afterwards.
	if s.query.MayStore(len(s.docs)) && (s.anyKnown(missing) || len(s.chooseMerge()) > 0) {
		s.takeLease()
	}
	built, err := s.build(ctx, missing)
	if err != nil {
		return err
	}
	s.segments = append(s.segments, built...)
	// Without the lease another process stores these documents now.
	if s.lease != nil {
		s.collect()
	}
	return nil
}

// anyKnown reports whether one of some documents could be stored: its stamp is known.
func (s *Searcher) anyKnown(numbers []int) bool {
	return slices.ContainsFunc(numbers, func(n int) bool { return len(s.docs[n].appendKey(nil, s.docs[n].at)) > 0 })
}

// takeLease takes the lock under which documents are read to be stored, without waiting for it. Without it, nothing is
// stored.
func (s *Searcher) takeLease() {
	path, err := s.query.Local(local.Locks, "index.lock")
	if err != nil {
		return
	}
	// Another holder is not waited for, because it may have been stopped.
	if lock, err := lockfile.Acquire(path, "index documents"); err == nil {
		s.lease = lock
	}
}

// openSegments opens the stored segments.
func (s *Searcher) openSegments() {
	stored, _ := s.query.View.Segments(segmentKind)
	for _, one := range stored {
		segment, texts, err := unpack(one.Data)
		if err != nil {
			// The other segments still count; what this one had is read again.
			s.query.View.ReportBroken()
			continue
		}
		s.segments = append(s.segments, part{Segment: segment, texts: texts, id: one.ID, data: one.Data, current: make([]int32, segment.Len())})
	}
}

// matchSegments takes the documents that are not current out of the segments, and returns the numbers of the current
// ones that no segment has. A document that two segments have counts in the first one.
func (s *Searcher) matchSegments() (missing []int) {
	have := make([]bool, len(s.docs))
	var key, now []byte
	var gone []uint32
	for i := range s.segments {
		p := &s.segments[i]
		next := 0 // most segments have documents in the order of their numbers
		gone = gone[:0]
		for doc := range p.current {
			key = p.AppendKey(key[:0], uint32(doc))
			if n, ok := s.numberOf(key, next); ok {
				next = n + 1
				now = s.docs[n].appendKey(now[:0], s.docs[n].at)
				// A document that two segments have counts in the first one.
				if !have[n] && bytes.Equal(now, key) {
					p.current[doc], have[n] = int32(n), true
					continue
				}
			}
			p.current[doc] = -1
			gone = append(gone, uint32(doc))
		}
		p.gone, p.Segment = len(gone), p.Without(gone)
	}
	for i, has := range have {
		if !has {
			missing = append(missing, i)
		}
	}
	return missing
}

// numberOf returns the number of the document with the path of a key. It is most likely a certain one.
func (s *Searcher) numberOf(key []byte, likely int) (int, bool) {
	path, _, _ := bytes.Cut(key, []byte{0})
	if likely < len(s.docs) && s.docs[likely].Path == string(path) {
		return likely, true
	}
	// The order of the ids is not that of the paths: "x" comes before "x.1", and "x.1.md" before "x.md".
	if id, ok := store.SpecOf(string(path)); ok {
		n := sort.Search(s.files, func(i int) bool { return s.docs[i].ID >= id })
		if n < s.files && s.docs[n].Path == string(path) {
			return n, true
		}
	}
	n, ok := s.others[string(path)]
	return n, ok
}

// search searches all segments for specs and for other documents.
func (s *Searcher) search(q find.Query, o Options) (Found, error) {
	segments := make([]*find.Segment, len(s.segments))
	for i, p := range s.segments {
		segments[i] = p.Segment
	}
	document := func(segment int, doc uint32) *Document { return &s.docs[s.segments[segment].current[doc]] }
	among := find.Options{Keep: s.keep(o, document)}
	if whole := bytes.ToLower([]byte(o.Text)); len(whole) > 0 {
		isNamed := func(d Document) bool { return d.ID != "" && strings.EqualFold(d.ID, o.Text) }
		// Others that contain the id of a spec only mention it.
		named := slices.ContainsFunc(s.docs, isNamed)
		among.First = func(segment int, doc uint32) bool {
			if named {
				return isNamed(*document(segment, doc))
			}
			return bytes.Contains(s.segments[segment].texts.body(doc), whole)
		}
	}
	groups, err := find.SearchGroups(segments, fields(), q, among, []int{orUnlimited(o.Specs), orUnlimited(o.Others)}, func(segment int, doc uint32) int {
		if document(segment, doc).ID == "" {
			return 1
		}
		return 0
	})
	if err != nil {
		return Found{}, err
	}
	matches := func(hits []find.Hit) []Match {
		list := make([]Match, len(hits))
		for i, h := range hits {
			list[i] = Match{*document(h.Segment, h.Doc), h.First, h.Score}
		}
		return list
	}
	return Found{matches(groups[0].Hits), matches(groups[1].Hits), groups[0].Total}, nil
}

// keep returns what reports whether a document may be found.
func (s *Searcher) keep(o Options, document func(segment int, doc uint32) *Document) func(segment int, doc uint32) bool {
	var words [][]byte
	for _, w := range o.AnyOf {
		words = append(words, bytes.ToLower([]byte(w)))
	}
	return func(segment int, doc uint32) bool {
		d := document(segment, doc)
		if d.ID != "" && words != nil {
			text := s.segments[segment].texts.text(doc)
			if !slices.ContainsFunc(words, func(w []byte) bool { return bytes.Contains(text, w) }) {
				return false
			}
		}
		return o.Keep == nil || o.Keep(*d)
	}
}

// orUnlimited returns a limit of which 0 means none.
func orUnlimited(limit int) int {
	if limit <= 0 {
		return math.MaxInt
	}
	return limit
}
