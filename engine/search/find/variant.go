package find

import (
	"cmp"
	"slices"
	"strings"
)

// variant is a stem that a word of a query is read as.
type variant struct {
	stem    string
	edits   int
	docs    uint64  // that contain it, in all segments
	weight  float64 // what it counts, compared with the word as written
	half    bool    // the stem of one half of the word
	isOwn   bool    // whether it was found as a word itself, as it is in each segment that has it then
	entries []entry // of each segment
}

// collector collects stems of words.
type collector struct {
	segments int
	at       int // the segment whose words are collected
	stems    map[string]*variant
}

// add adds a stem of the current segment, of which a word with so many edits was found, and returns it.
func (c *collector) add(stem string, edits int, e entry) *variant {
	v := c.stems[stem]
	if v == nil {
		v = &variant{stem: stem, edits: edits, entries: make([]entry, c.segments)}
		c.stems[stem] = v
	}
	v.edits = min(v.edits, edits)
	// Several words may have the same stem, which is counted once for each segment.
	if v.entries[c.at].living == 0 {
		v.entries[c.at] = e
		v.docs += uint64(e.living)
	}
	return v
}

// collectVariants returns the most frequent of the stems that collect finds in the segments.
func collectVariants(segments []*Segment, collect func(*Segment, *collector) error, limit int) ([]variant, error) {
	c := &collector{segments: len(segments), stems: map[string]*variant{}}
	for i, s := range segments {
		c.at = i
		if err := collect(s, c); err != nil {
			return nil, err
		}
	}
	list := make([]variant, 0, len(c.stems))
	for _, v := range c.stems {
		for n, s := range segments {
			// A segment can have the stem without the word by which another one has it, so it is looked up everywhere before
			// choosing.
			if v.isOwn || v.entries[n].living > 0 {
				continue
			}
			e, err := s.find(v.stem)
			if err != nil {
				return nil, err
			}
			v.entries[n] = e
			v.docs += uint64(e.living)
		}
		list = append(list, *v)
	}
	return mostFrequent(list, limit), nil
}

// mostFrequent returns the nearest variants, and of those the most frequent ones.
func mostFrequent(list []variant, limit int) []variant {
	slices.SortFunc(list, func(a, b variant) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(b.docs, a.docs), strings.Compare(a.stem, b.stem))
	})
	return list[:min(len(list), limit)]
}
