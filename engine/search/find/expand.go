package find

import (
	"strings"

	"chant/engine/search/words"
)

const (
	maxSpellings   = 8  // that one misspelt word is read as
	maxCompletions = 64 // that one unfinished word is read as
	completed      = 0.7
	leastPrefix    = 2 // letters of a word that is completed
	leastHalf      = 2 // bytes of each of two words that are written as one
	halfWeight     = 0.5
)

// spellingWeight returns what a word that is so many edits away counts, compared with the word as written.
func spellingWeight(edits int) float64 {
	if edits <= 1 {
		return 0.6
	}
	return 0.35
}

// corrections returns the stems of what could be meant by a word that no document contains: words a few edits away, and
// if none is near, two words that were written as one.
func corrections(segments []*Segment, word string) ([]variant, error) {
	list, err := spellings(segments, word)
	// A word one edit away is the likelier meaning than two words written as one.
	if err != nil || len(list) > 0 && list[0].edits <= 1 {
		return list, err
	}
	parts, err := splitWord(segments, word)
	return append(list, parts...), err
}

// spellings returns the stems of dictionary words that are a few edits away from a word: the nearest first, and of
// those the most frequent ones first.
func spellings(segments []*Segment, word string) ([]variant, error) {
	edits := words.AllowedEdits(word)
	if edits == 0 {
		return nil, nil
	}
	list, err := collectVariants(segments, func(s *Segment, c *collector) error {
		return s.collectSpellings(words.NewSpeller(word, edits), c)
	}, maxSpellings)
	for i := range list {
		list[i].weight = spellingWeight(list[i].edits)
	}
	return list, err
}

// completions returns the stems of dictionary words that begin with a word: the most frequent ones first.
func completions(segments []*Segment, word string) ([]variant, error) {
	list, err := collectVariants(segments, func(s *Segment, c *collector) error {
		return s.collectCompletions(word, c)
	}, maxCompletions)
	for i := range list {
		list[i].weight = completed
	}
	return list, err
}

// splitWord returns the stems of the two words that a word consists of, or nil. If there are several possibilities, it
// takes the one whose rarer word is in the most documents.
func splitWord(segments []*Segment, word string) ([]variant, error) {
	var best []variant
	for at := range word {
		// A stop word is in no dictionary, and a short half could be anything.
		if at < leastHalf || len(word)-at < leastHalf || words.IsStop(word[:at]) || words.IsStop(word[at:]) {
			continue
		}
		pair := make([]variant, 0, 2)
		for _, half := range []string{word[:at], word[at:]} {
			v := variant{stem: words.Stem(half), weight: halfWeight, half: true}
			var err error
			if v.entries, v.docs, err = lookUp(segments, v.stem); err != nil {
				return nil, err
			}
			if v.docs == 0 {
				break
			}
			pair = append(pair, v)
		}
		if len(pair) == 2 && (best == nil || min(pair[0].docs, pair[1].docs) > min(best[0].docs, best[1].docs)) {
			best = pair
		}
	}
	return best, nil
}

// collectSpellings adds the stems of all words near the speller's word. It goes through the whole dictionary, but skips
// texts whose beginning is already too far from the word.
func (s *Segment) collectSpellings(sp *words.Speller, c *collector) error {
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
			// The first text of a block is whole, but still begins like the last one of the block before.
			if i == 0 {
				shared = commonPrefix(text, more)
				more = more[shared:]
			}
			// Texts are skipped by the beginning that they share with one that was too far away.
			if !sp.Reuse(shared) {
				continue
			}
			if shared > len(text) {
				return ErrBroken
			}
			text = append(text[:shared], more...)
			if edits := sp.Edits(text); edits >= 0 {
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
		values := s.readValues(b)
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
			// The dictionary is sorted, so nothing after this begins with the prefix.
			case text > prefix:
				return nil
			}
		}
	}
	return nil
}

// collectStems adds the stem that an entry is, and the stem that the word has, unless all their documents are gone.
func (s *Segment) collectStems(e entry, text string, edits int, c *collector) error {
	if err := s.countLiving(&e); err != nil {
		return err
	}
	if e.living > 0 {
		c.add(text, edits, e).isOwn = true
	}
	if e.stem < 0 {
		return nil
	}
	stem, err := s.livingEntry(e.stem)
	if err != nil {
		return err
	}
	// The stem may be in use while the word itself is only in documents that are gone.
	if used, err := s.isUsed(stem, e.uses); err != nil || !used {
		return err
	}
	if text, err = s.text(e.stem); err != nil {
		return err
	}
	c.add(text, edits, stem)
	return nil
}
