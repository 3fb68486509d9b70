package find

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// Merge returns one segment with the documents of all segments in order, except those that are gone (see Without). The
// segments must have the same fields. The result is the same, byte by byte, as if the documents had been added to one
// builder.
func Merge(segments []*Segment) ([]byte, error) {
	if len(segments) == 0 {
		return nil, fmt.Errorf("%w: no segments to merge", ErrBroken)
	}
	m := merger{segments: segments}
	for _, s := range segments {
		if !slices.Equal(s.fields, segments[0].fields) {
			return nil, fmt.Errorf("fields differ: %q and %q", segments[0].fields, s.fields)
		}
	}
	m.copyDocuments()
	merged, err := m.mergeEntries()
	if err != nil {
		return nil, err
	}
	return m.write(merged)
}

type merger struct {
	segments []*Segment
	numbers  [][]int32 // of each segment's documents in the new segment; -1 for those that are gone
	parts    parts
}

func (m *merger) copyDocuments() {
	fields := m.segments[0].fields
	m.parts = parts{fields: fields, totals: make([]uint64, len(fields)), lengths: make([][]uint16, len(fields))}
	for _, s := range m.segments {
		numbers := make([]int32, s.docs)
		for doc := range s.docs {
			if s.isGone(uint32(doc)) {
				numbers[doc] = -1
				continue
			}
			numbers[doc] = int32(len(m.parts.keyEnds))
			from, to := s.keyRange(uint32(doc))
			m.parts.keys = append(m.parts.keys, s.keys[from:to]...)
			m.parts.keyEnds = append(m.parts.keyEnds, uint32(len(m.parts.keys)))
			for f := range fields {
				n := s.length(f, uint32(doc))
				m.parts.lengths[f] = append(m.parts.lengths[f], n)
				m.parts.totals[f] += uint64(n)
			}
		}
		m.numbers = append(m.numbers, numbers)
	}
}

// length returns how many words a field of a document has.
func (s *Segment) length(field int, doc uint32) uint16 {
	return binary.LittleEndian.Uint16(s.lengths[field][2*doc:])
}

// mergedEntry is an entry of the new dictionary. Its text is in one buffer with all others.
type mergedEntry struct {
	textEnd  int
	docs     uint32
	postEnd  int // of its postings
	stem     int // the merged entry with the stem of this word, or -1
	used     int // documents with the word
	useEnd   int // of its uses
	isNeeded bool
}

// mergedDict are the entries of the new dictionary, including those that no document has any more.
type mergedDict struct {
	entries  []mergedEntry
	texts    []byte
	postings []byte
	words    []wordWithStem
	uses     []byte
}

func (g *mergedDict) text(i int) string {
	from := 0
	if i > 0 {
		from = g.entries[i-1].textEnd
	}
	return string(g.texts[from:g.entries[i].textEnd])
}

// mergeEntries walks through all dictionaries at once.
func (m *merger) mergeEntries() (*mergedDict, error) {
	walks := make([]*dictWalk, len(m.segments))
	for i, s := range m.segments {
		walks[i] = &dictWalk{segment: s, at: -1, placed: make([]int32, s.entries), places: make([]uint32, s.entries)}
		if err := walks[i].next(); err != nil {
			return nil, err
		}
	}
	size := 0
	for _, s := range m.segments {
		size += len(s.postings)
	}
	g := &mergedDict{postings: make([]byte, 0, size)}
	for {
		text := smallest(walks)
		if text == nil {
			break
		}
		g.texts = append(g.texts, text...)
		number := len(g.entries)
		e := mergedEntry{stem: -1}
		last := int64(-1)
		for i, w := range walks {
			// The text is that in the buffer, because the walk's own changes with its next entry.
			if w.done || !bytes.Equal(w.text.text, g.texts[len(g.texts)-len(text):]) {
				continue
			}
			w.placed[w.at], w.places[w.at] = int32(number), e.docs
			if err := m.copyPostings(g, &e, i, w.entry, &last); err != nil {
				return nil, err
			}
			if w.entry.stem >= 0 {
				g.words = append(g.words, wordWithStem{number, w, w.entry.stem, w.entry.uses})
			}
			if err := w.next(); err != nil {
				return nil, err
			}
		}
		e.textEnd, e.postEnd = len(g.texts), len(g.postings)
		g.entries = append(g.entries, e)
	}
	return g, g.mergeUses()
}

func smallest(walks []*dictWalk) []byte {
	var least []byte
	for _, w := range walks {
		if !w.done && (least == nil || bytes.Compare(w.text.text, least) < 0) {
			least = w.text.text
		}
	}
	return least
}

// copyPostings appends those postings of an entry whose documents are not gone.
func (m *merger) copyPostings(g *mergedDict, e *mergedEntry, segment int, from entry, last *int64) error {
	p := m.segments[segment].readPostings(from)
	for {
		ok, err := p.next()
		if err != nil || !ok {
			return err
		}
		doc := int64(m.numbers[segment][p.doc])
		if doc < 0 {
			continue
		}
		g.postings = appendPosting(g.postings, uint32(doc-*last), &p.counts, p.fields)
		*last = doc
		e.docs++
	}
}

// write writes the entries that are left: stems and words that documents have.
func (m *merger) write(g *mergedDict) ([]byte, error) {
	numbers, count := make([]int, len(g.entries)), 0
	for i := range g.entries {
		e := &g.entries[i]
		// Entries whose documents are all gone are left out, as if they had never been added.
		e.isNeeded = e.docs > 0 || e.used > 0
		numbers[i] = count
		if e.isNeeded {
			count++
		}
	}
	w := dictWriter{}
	from, fromUse := 0, 0
	for i := range g.entries {
		e := &g.entries[i]
		size, uses := e.postEnd-from, e.useEnd-fromUse
		from, fromUse = e.postEnd, e.useEnd
		if !e.isNeeded {
			continue
		}
		stem := -1
		if e.used > 0 {
			stem = numbers[e.stem]
		}
		w.add(g.text(i), e.docs, size, stem, uses)
	}
	w.flush()
	m.parts.entries, m.parts.starts, m.parts.blocks = w.entries, w.starts, w.blocks
	m.parts.postings, m.parts.uses = g.postings, g.uses
	return m.parts.join()
}

// dictWalk goes through a dictionary entry by entry.
type dictWalk struct {
	segment *Segment
	at      int // the number of the entry
	done    bool
	text    textReader
	values  valueReader
	entry   entry
	placed  []int32  // numbers of the entries in the new dictionary
	places  []uint32 // of the first document of each entry among those with the stem in the new segment
}

func (w *dictWalk) next() error {
	w.at++
	if w.at >= w.segment.entries {
		w.done = true
		return nil
	}
	if w.at%blockSize == 0 {
		b, err := w.segment.block(w.at / blockSize)
		if err != nil {
			return err
		}
		w.text = textReader{rest: b.texts}
		w.values = w.segment.readValues(b)
	}
	if err := w.text.next(); err != nil {
		return err
	}
	e, err := w.values.next(w.at)
	w.entry = e
	return err
}

// wordWithStem is a word as written of one segment.
type wordWithStem struct {
	number int // of its entry in the new dictionary
	walk   *dictWalk
	stem   int // the entry with its stem in the segment
	uses   []byte
}

// mergeUses adds the stems of the words as written and their uses. g.words has the words in the order of the new
// dictionary, and those of one entry in the order of the segments.
func (g *mergedDict) mergeUses() error {
	var places []uint32
	words := g.words
	for number := range g.entries {
		places = places[:0]
		e := &g.entries[number]
		for len(words) > 0 && words[0].number == number {
			w := words[0]
			words = words[1:]
			e.stem = int(w.walk.placed[w.stem])
			var err error
			if places, err = w.appendPlaces(places); err != nil {
				return err
			}
		}
		if e.used = len(places); e.used > 0 {
			docs := g.entries[e.stem].docs
			// A segment gives the word another stem: it was made by another version, or is broken.
			if !slices.IsSorted(places) || places[e.used-1] >= docs {
				return ErrBroken
			}
			g.uses = appendUses(g.uses, places, docs)
		}
		e.useEnd = len(g.uses)
	}
	return nil
}

// appendPlaces appends the places of a word of one segment in the new segment.
func (w wordWithStem) appendPlaces(places []uint32) ([]uint32, error) {
	s := w.walk.segment
	stem, err := s.entry(w.stem)
	if err != nil {
		return nil, err
	}
	next := w.walk.places[w.stem] // of the next document of the stem that is not gone
	u, p := readUses(w.uses, stem.docs), s.readPostings(stem)
	for place := int64(-1); ; {
		ok, err := u.next()
		if err != nil || !ok {
			return places, err
		}
		// Without documents that are gone, places only move by those of the segments before.
		if s.gone == nil {
			places = append(places, next+uint32(u.place))
			continue
		}
		for place < u.place {
			if _, err := p.next(); err != nil {
				return nil, err
			}
			place++
			if s.isGone(uint32(p.doc)) {
				continue
			}
			if place == u.place {
				places = append(places, next)
			}
			next++
		}
	}
}
