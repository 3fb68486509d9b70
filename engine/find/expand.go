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
	return collectVariants(segments, func(s *Segment, near nearStems) error {
		return s.collectSpellings(newSpeller(word, edits), near)
	}, mostSpellings)
}

// completions returns the stems of dictionary words that begin with a word: the most frequent ones first.
func completions(segments []*Segment, word string) ([]variant, error) {
	return collectVariants(segments, func(s *Segment, near nearStems) error {
		return s.collectCompletions(word, near)
	}, mostCompletions)
}

// nearStems are stems of words, with the edits of the nearest of these words.
type nearStems map[string]int

// collectVariants looks in all segments for the stems that collect finds in any of them, so that it does not matter
// which segment has which words with these stems.
func collectVariants(segments []*Segment, collect func(*Segment, nearStems) error, most int) ([]variant, error) {
	near := nearStems{}
	for _, s := range segments {
		if err := collect(s, near); err != nil {
			return nil, err
		}
	}
	list := make([]variant, 0, len(near))
	for text, edits := range near {
		entries, docs, err := lookUp(segments, text)
		if err != nil {
			return nil, err
		}
		if docs > 0 {
			list = append(list, variant{stem: text, edits: edits, docs: docs, entries: entries})
		}
	}
	slices.SortFunc(list, func(a, b variant) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(b.docs, a.docs), strings.Compare(a.stem, b.stem))
	})
	return list[:min(len(list), most)], nil
}

// collectSpellings adds the stems of all words near the speller's word. It goes through the whole dictionary, but skips
// texts whose beginning is already too far from the word.
func (s *Segment) collectSpellings(sp *speller, near nearStems) error {
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
				if err := s.collectStems(n*blockSize+i, string(text), edits, near); err != nil {
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
func (s *Segment) collectCompletions(prefix string, near nearStems) error {
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
		for i := range b.size {
			if err := t.next(); err != nil {
				return err
			}
			text := string(t.text)
			switch {
			case strings.HasPrefix(text, prefix):
				if err := s.collectStems(n*blockSize+i, text, 0, near); err != nil {
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
func (s *Segment) collectStems(number int, text string, edits int, near nearStems) error {
	e, err := s.entry(number)
	if err != nil {
		return err
	}
	if e.docs > 0 {
		near.add(text, edits)
	}
	if e.stem < 0 {
		return nil
	}
	if text, err = s.text(e.stem); err != nil {
		return err
	}
	near.add(text, edits)
	return nil
}

func (near nearStems) add(stem string, edits int) {
	if known, ok := near[stem]; !ok || edits < known {
		near[stem] = edits
	}
}
