package find

import (
	"encoding/binary"
	"errors"
	"fmt"

	"chant/engine/store/record"
)

// Errors of segments.
var (
	// ErrBroken is the error for bytes that are not a segment, or not a whole one.
	ErrBroken = errors.New("broken segment")
	// ErrVersion is the error for a segment in a format that this version does not know.
	ErrVersion = errors.New("unknown version of a segment")
	// ErrTooLarge is the error for a segment of more than 2 GiB.
	ErrTooLarge = errors.New("segment is too large")
)

// Segment is an immutable index of some documents. It may be used by several goroutines at once.
type Segment struct {
	fields   []string
	totals   []uint64 // words in each field
	docs     int
	entries  int
	keyEnds  []byte
	keys     []byte
	lengths  [][]byte // of each field
	starts   []byte
	blocks   []byte
	postings []byte
	uses     []byte

	gone     []uint64 // a bit for each document that was taken out; nil if none was
	goneDocs int
}

// Open returns the segment in data, which it does not copy: data must not change while the segment is in use. It reads
// all of data once, to compare the checksum.
func Open(data []byte) (*Segment, error) {
	if len(data) < len(magic)+2 || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it does not begin like one", ErrBroken)
	}
	if v := data[len(magic)]; v != version {
		return nil, fmt.Errorf("%w: %d", ErrVersion, v)
	}
	if len(data) < len(magic)+2+4 {
		return nil, fmt.Errorf("%w: its end is missing", ErrBroken)
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if checksum(body) != sum {
		return nil, fmt.Errorf("%w: the checksum differs", ErrBroken)
	}
	return openBody(body)
}

func openBody(body []byte) (*Segment, error) {
	r := record.Read(body[len(magic)+1:])
	s := &Segment{}
	for range r.Byte() {
		s.fields = append(s.fields, string(r.Take(uint64(r.Byte()))))
		s.totals = append(s.totals, r.Uvarint())
	}
	docs, entries, keys := r.Uvarint(), r.Uvarint(), r.Uvarint()
	blocks, postings, uses := r.Uvarint(), r.Uvarint(), r.Uvarint()
	// No count may exceed the bytes that there are, so that the products below cannot overflow.
	if n := uint64(len(body)); r.Failed() || len(s.fields) == 0 || len(s.fields) > maxFields || docs > n || entries > n {
		return nil, fmt.Errorf("%w: its header is wrong", ErrBroken)
	}
	s.docs, s.entries = int(docs), int(entries)
	s.keyEnds, s.keys = r.Take(4*docs), r.Take(keys)
	for range s.fields {
		s.lengths = append(s.lengths, r.Take(2*docs))
	}
	s.starts = r.Take(4 * ((entries + blockSize - 1) / blockSize))
	s.blocks, s.postings, s.uses = r.Take(blocks), r.Take(postings), r.Take(uses)
	if r.Failed() || r.Len() > 0 {
		return nil, fmt.Errorf("%w: its parts have wrong lengths", ErrBroken)
	}
	return s, nil
}

// Len returns the number of documents, which are named by the numbers below it.
func (s *Segment) Len() int { return s.docs }

// Key returns the key that the document was added with, or "" if there is no such document.
func (s *Segment) Key(doc uint32) string {
	from, to := s.keyRange(doc)
	return string(s.keys[from:to])
}

// AppendKey appends the key of a document to out.
func (s *Segment) AppendKey(out []byte, doc uint32) []byte {
	from, to := s.keyRange(doc)
	return append(out, s.keys[from:to]...)
}

func (s *Segment) keyRange(doc uint32) (from, to uint32) {
	if int(doc) >= s.docs {
		return 0, 0
	}
	to = binary.LittleEndian.Uint32(s.keyEnds[4*doc:])
	if doc > 0 {
		from = binary.LittleEndian.Uint32(s.keyEnds[4*(doc-1):])
	}
	// Ends come from the file; a broken one must not panic.
	if from > to || uint64(to) > uint64(len(s.keys)) {
		return 0, 0
	}
	return from, to
}

// Fields returns the names of the fields in the order in which texts were added.
func (s *Segment) Fields() []string { return append([]string(nil), s.fields...) }
