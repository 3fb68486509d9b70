package find

import (
	"encoding/binary"
)

// lacking is the share of its score that a document keeps which has hardly any of the words; one with all words keeps
// all.
const lacking = 0.25

// ranking ranks the documents of one segment, a term after the other.
type ranking struct {
	number  int
	segment *Segment
	scorer  scorer
	plan    *plan
	cells   []cell
	touched []uint32 // documents with a cell that is set
}

// cell is what is known about a document.
type cell struct {
	score float32
	words uint32 // bits of its words; seen, and dropped if Keep says so
}

const (
	seen    = 1 << 31
	dropped = 1 << 30
	counted = 1<<mostCounted - 1
)

func newRanking(number int, s *Segment, c scorer, p *plan) *ranking {
	return &ranking{number: number, segment: s, scorer: c, plan: p, cells: make([]cell, s.docs)}
}

// rank adds the documents of the segment to best.
func (r *ranking) rank(keep func(segment int, doc uint32) bool, best *top) error {
	for _, t := range r.plan.terms {
		if e := t.entries[r.number]; e.docs > 0 {
			if err := r.add(e, t, keep); err != nil {
				return err
			}
		}
	}
	for _, doc := range r.touched {
		c := r.cells[doc]
		if c.words&dropped != 0 {
			continue
		}
		score := float64(c.score)
		if !best.admits(score) {
			continue
		}
		best.offer(r.number, doc, score*(lacking+(1-lacking)*r.plan.coverage(c.words&counted)))
	}
	return nil
}

// add adds what a term counts to its documents.
func (r *ranking) add(e entry, t term, keep func(segment int, doc uint32) bool) error {
	// Most postings are single occurrences in the last field; these are scored with all constants outside of
	// the loop.
	last := len(r.segment.fields) - 1
	lengths := r.segment.lengths[last]
	weight := r.scorer.weights[last]
	gain, base, slope := t.gain*weight, weight+r.scorer.k1*r.scorer.base[last], r.scorer.k1*r.scorer.slope[last]
	rest, doc := e.postings, -1
	for range e.docs {
		x, n := uint64(0), 1
		if len(rest) > 0 && rest[0] < 0x80 {
			x = uint64(rest[0])
		} else if x, n = binary.Uvarint(rest); n <= 0 {
			return ErrBroken
		}
		rest = rest[n:]
		gap := x >> 1
		if gap == 0 || gap >= uint64(len(r.cells)-doc) {
			return ErrBroken
		}
		doc += int(gap)
		score := 0.0
		if x&1 != 0 {
			score = gain / (base + slope*float64(binary.LittleEndian.Uint16(lengths[2*doc:])))
		} else {
			var occurrences counts
			if n, ok := readCounts(rest, last+1, &occurrences); ok {
				rest = rest[n:]
			} else {
				return ErrBroken
			}
			score = t.gain * r.scorer.several(uint32(doc), &occurrences)
		}
		c := &r.cells[doc]
		if c.words == 0 {
			r.touched = append(r.touched, uint32(doc))
			c.words = seen
			if keep != nil && !keep(r.number, uint32(doc)) {
				c.words |= dropped
			}
		}
		c.words |= t.word
		c.score += float32(score)
	}
	return nil
}
