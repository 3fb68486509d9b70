package find

import "slices"

// wordWithStem is a word as written of one segment.
type wordWithStem struct {
	number int // of its entry in the new dictionary
	walk   *dictWalk
	stem   int // the entry with its stem in the segment
	uses   []byte
}

// mergeUses adds the stems of the words as written and their uses. g.words has the words in the order of the new
// dictionary, and those of one entry in the order of the segments.
func (g *merged) mergeUses() error {
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
			if !slices.IsSorted(places) || places[e.used-1] >= docs {
				return ErrBroken // a segment gives the word another stem
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
