package find

import (
	"cmp"
	"slices"
	"strings"
)

const (
	mostSpellings   = 8  // that one misspelt word is read as
	mostCompletions = 64 // that one unfinished word is read as
	completed       = 0.7
	leastPrefix     = 2 // letters of a word that is completed
)

// spellingWeight returns what a word that is so many edits away counts, compared with the word as written.
func spellingWeight(edits int) float64 {
	if edits <= 1 {
		return 0.6
	}
	return 0.35
}

// variant is a stem that a word of a query is read as.
type variant struct {
	stem    string
	edits   int
	docs    uint64  // that contain it, in all segments
	entries []entry // of each segment
}

// spellings returns the stems of dictionary words that are a few edits away from a word: the nearest first, and of
// those the most frequent ones first.
func spellings(segments []*Segment, word string) ([]variant, error) {
	edits := allowedEdits(word)
	if edits == 0 {
		return nil, nil
	}
	return collectVariants(segments, func(s *Segment, c *collector) error {
		return s.collectSpellings(newSpeller(word, edits), c)
	}, mostSpellings)
}

// completions returns the stems of dictionary words that begin with a word: the most frequent ones first.
func completions(segments []*Segment, word string) ([]variant, error) {
	return collectVariants(segments, func(s *Segment, c *collector) error {
		return s.collectCompletions(word, c)
	}, mostCompletions)
}

// collector collects stems of words.
type collector struct {
	segments int
	at       int // the segment whose words are collected
	stems    map[string]*variant
}

// add adds a stem of the current segment, of which a word with so many edits was found.
func (c *collector) add(stem string, edits int, e entry) {
	v := c.stems[stem]
	if v == nil {
		v = &variant{stem: stem, edits: edits, entries: make([]entry, c.segments)}
		c.stems[stem] = v
	}
	v.edits = min(v.edits, edits)
	if v.entries[c.at].docs == 0 {
		v.entries[c.at] = e
		v.docs += uint64(e.docs)
	}
}

// collectVariants returns the most frequent of the stems that collect finds in the segments. A segment can have the
// stem without the word by which another was found. Such segments are looked up for twice as many stems as are
// returned, so that it does not matter which segment has which words.
func collectVariants(segments []*Segment, collect func(*Segment, *collector) error, most int) ([]variant, error) {
	c := &collector{segments: len(segments), stems: map[string]*variant{}}
	for i, s := range segments {
		c.at = i
		if err := collect(s, c); err != nil {
			return nil, err
		}
	}
	list := make([]variant, 0, len(c.stems))
	for _, v := range c.stems {
		list = append(list, *v)
	}
	list = mostFrequent(list, 2*most)
	for i, v := range list {
		for n, s := range segments {
			if v.entries[n].docs > 0 {
				continue
			}
			e, err := s.find(v.stem)
			if err != nil {
				return nil, err
			}
			v.entries[n] = e
			list[i].docs += uint64(e.docs)
		}
	}
	return mostFrequent(list, most), nil
}

// mostFrequent returns the nearest variants, and of those the most frequent ones.
func mostFrequent(list []variant, most int) []variant {
	slices.SortFunc(list, func(a, b variant) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(b.docs, a.docs), strings.Compare(a.stem, b.stem))
	})
	return list[:min(len(list), most)]
}

// collectSpellings adds the stems of all words near the speller's word. It goes through the whole dictionary, but skips
// texts whose beginning is already too far from the word.
func (s *Segment) collectSpellings(sp *speller, c *collector) error {
	var text []byte
	for n := range s.blockCount() {
		b, err := s.block(n)
		if err != nil {
			return err
		}
		rest := b.texts
		for i := range b.size {
			if len(rest) < 2 || len(rest) < 2+int(rest[1]) {
				return ErrBroken
			}
			shared, more := int(rest[0]), rest[2:2+int(rest[1])]
			rest = rest[2+len(more):]
			if i == 0 {
				shared = commonPrefix(text, more)
				more = more[shared:]
			}
			if !sp.reuse(shared) {
				continue
			}
			if shared > len(text) {
				return ErrBroken
			}
			text = append(text[:shared], more...)
			if edits := sp.edits(text); edits >= 0 {
				e, err := s.entry(n*blockSize + i)
				if err != nil {
					return err
				}
				if err := s.collectStems(e, string(text), edits, c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// collectCompletions adds the stems of all words that begin with prefix.
func (s *Segment) collectCompletions(prefix string, c *collector) error {
	if s.entries == 0 {
		return nil
	}
	first, err := s.blockOf(prefix)
	if err != nil {
		return err
	}
	for n := first; n < s.blockCount(); n++ {
		b, err := s.block(n)
		if err != nil {
			return err
		}
		t := textReader{rest: b.texts}
		values := valueReader{segment: s, rest: reader{rest: b.values}, postings: b.postings}
		for i := range b.size {
			if err := t.next(); err != nil {
				return err
			}
			e, err := values.next(n*blockSize + i)
			if err != nil {
				return err
			}
			text := string(t.text)
			switch {
			case strings.HasPrefix(text, prefix):
				if err := s.collectStems(e, text, 0, c); err != nil {
					return err
				}
			case text > prefix:
				return nil
			}
		}
	}
	return nil
}

// collectStems adds the stem that an entry is, and the stem that the word has.
func (s *Segment) collectStems(e entry, text string, edits int, c *collector) error {
	if e.docs > 0 {
		c.add(text, edits, e)
	}
	if e.stem < 0 {
		return nil
	}
	text, err := s.text(e.stem)
	if err != nil {
		return err
	}
	if e, err = s.entry(e.stem); err != nil {
		return err
	}
	if e.docs > 0 {
		c.add(text, edits, e)
	}
	return nil
}
