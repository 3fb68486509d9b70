package find

import (
	"encoding/binary"
	"sync"
)

// ranking ranks documents, a segment after the other.
type ranking struct {
	best    []*top                            // of each group
	groupOf func(segment int, doc uint32) int // nil for a single group whose documents are not counted
	totals  []int                             // documents of each group
	whole   float64                           // of the plan
}

func (r *ranking) rankAll(segments []*Segment, fields Fields, q Query, o Options) error {
	if o.K1 == 0 {
		o.K1 = 3
	}
	if o.B == 0 {
		o.B = 0.75
	}
	p, err := newPlan(segments, q)
	if err != nil || len(p.terms) == 0 && o.First == nil {
		return err
	}
	r.whole = p.whole
	for i, c := range scorers(segments, fields, o) {
		one := segmentRanking{ranking: r, number: i, segment: segments[i], scorer: c, plan: p, keep: o.Keep, first: o.First}
		if err := one.rank(); err != nil {
			return err
		}
	}
	return nil
}

// segmentRanking ranks the documents of one segment, a term after the other. Once the documents that have one of the
// terms so far are so good that no document without these can be among the best, further terms only add to those (the
// MaxScore rule), unless documents are counted.
type segmentRanking struct {
	*ranking
	number  int
	segment *Segment
	scorer  scorer
	plan    *plan
	keep    func(segment int, doc uint32) bool
	first   func(segment int, doc uint32) bool
	*cells
}

// cells are the search states of the documents of a segment.
type cells struct {
	of      []cell   // each document
	touched []uint32 // documents whose cell is set
}

// cell is the search state of a document.
type cell struct {
	score float32
	words uint32 // bits of its words; seen, first, and dropped if it is gone or Keep says so
}

const (
	seen    = 1 << 31
	dropped = 1 << 30
	first   = 1 << 29
	counted = 1<<maxCounted - 1
)

// spare has cells that no search uses, all of them zero.
var spare sync.Pool

func takeCells(docs int) *cells {
	c, ok := spare.Get().(*cells)
	if !ok {
		c = &cells{}
	}
	if cap(c.of) < docs {
		c.of = make([]cell, docs)
	}
	c.of = c.of[:docs]
	return c
}

func (c *cells) giveBack() {
	for _, doc := range c.touched {
		c.of[doc] = cell{}
	}
	c.touched = c.touched[:0]
	spare.Put(c)
}

// rank adds the documents of the segment to the best.
func (r *segmentRanking) rank() error {
	r.cells = takeCells(r.segment.docs)
	defer r.giveBack()
	more := true // documents may be added
	for i, t := range r.plan.terms {
		e := t.entries[r.number]
		if e.living == 0 {
			continue
		}
		// Once decided, further terms only add to documents that are known, unless all are counted.
		more = more && (r.groupOf != nil || r.first != nil || !r.isDecided(i, e, r.best[0]))
		if err := r.add(e, t, more); err != nil {
			return err
		}
	}
	r.addFirst()
	for _, doc := range r.touched {
		c := r.of[doc]
		if c.words&dropped != 0 {
			continue
		}
		group := 0
		if r.groupOf != nil {
			group = r.groupOf(r.number, doc)
			r.totals[group]++
		}
		best := r.best[group]
		switch {
		case c.words&first != 0:
			best.offer(r.number, doc, atFirst+r.scoreOf(c))
		// The score before its reduction is an upper bound, and cheaper.
		case best.admits(float64(c.score)):
			best.offer(r.number, doc, r.scoreOf(c))
		}
	}
	return nil
}

// addFirst adds the documents that come first to those that have words of the query, and marks them.
func (r *segmentRanking) addFirst() {
	if r.first == nil {
		return
	}
	for doc := range uint32(r.segment.docs) {
		c := &r.of[doc]
		if r.segment.isGone(doc) || c.words&dropped != 0 || !r.first(r.number, doc) {
			continue
		}
		if c.words == 0 {
			r.touch(doc, c)
		}
		c.words |= first
	}
}

func (r *segmentRanking) scoreOf(c cell) float64 {
	return r.plan.reduceScore(float64(c.score), c.words&counted)
}

// isDecided reports whether no document that has only the terms from i on, of which e is the next, can be among the best.
func (r *segmentRanking) isDecided(i int, e entry, best *top) bool {
	bound := r.plan.maxScore(i)
	// Looking for the exact bound costs as much as the documents that are touched.
	return bound < best.minScore() || len(r.touched) <= int(e.docs)/2 && bound < r.leastOfBest(best)
}

// leastOfBest returns a score that all of the best documents will reach at least: that of the worst of them so far.
func (r *segmentRanking) leastOfBest(best *top) float64 {
	if len(r.touched) < best.max {
		return best.minScore()
	}
	scores := make(scoreHeap, 0, best.max)
	for _, doc := range r.touched {
		c := r.of[doc]
		if c.words&dropped != 0 || len(scores) == best.max && float64(c.score) <= scores[0] {
			continue
		}
		scores = scores.offer(r.scoreOf(c))
	}
	if len(scores) < best.max {
		return best.minScore()
	}
	return max(best.minScore(), scores[0])
}

// add adds what a term counts to its documents, or only to those that are touched already.
func (r *segmentRanking) add(e entry, t term, more bool) error {
	// Most postings have occurrences in the last field only. For these, this is scorer.several with all that does not
	// change outside of the loop.
	last := len(r.segment.fields) - 1
	lengths := r.segment.lengths[last]
	weight, base, slope := r.scorer.weights[last], r.scorer.k1*r.scorer.base[last], r.scorer.k1*r.scorer.slope[last]
	postings, at, doc, docs := e.postings, 0, -1, r.of
	for range e.docs {
		x, n := uint64(0), 1
		if at < len(postings) && postings[at] < 0x80 {
			x = uint64(postings[at])
		} else if x, n = binary.Uvarint(postings[at:]); n <= 0 {
			return ErrBroken
		}
		at += n
		gap := x >> 1
		if gap == 0 || gap >= uint64(len(docs)-doc) {
			return ErrBroken
		}
		doc += int(gap)
		c := &docs[doc]
		if c.words == 0 && more {
			r.touch(uint32(doc), c)
		}
		// Whether a stem occurs once or several times is hard to predict, so there is no branch for it.
		several := x&1 - 1 // all bits or none
		b := uint64(0x81)  // at the end, where nothing may follow
		if at < len(postings) {
			b = uint64(postings[at])
		}
		// This is a large number, or one with other fields.
		if b&several&0x81 != 0 {
			n, err := r.addSeveral(uint32(doc), postings[at:], t)
			if err != nil {
				return err
			}
			at += n
			continue
		}
		times := 1 + (b>>1-1)&several
		at += int(several & 1)
		if c.words == 0 {
			continue
		}
		sum := float64(times) * weight
		score := t.gain * sum / (sum + base + slope*float64(binary.LittleEndian.Uint16(lengths[2*doc:])))
		c.words |= t.words
		c.score += float32(score)
	}
	return nil
}

// addSeveral adds what a term counts to a document, by the counts at the start of b, and returns how long these are.
func (r *segmentRanking) addSeveral(doc uint32, b []byte, t term) (int, error) {
	var occurrences counts
	n, ok := readCounts(b, len(r.segment.fields), &occurrences)
	if !ok {
		return 0, ErrBroken
	}
	if c := &r.of[doc]; c.words != 0 {
		c.words |= t.words
		c.score += float32(t.gain * r.scorer.repetitionScore(doc, &occurrences))
	}
	return n, nil
}

func (r *segmentRanking) touch(doc uint32, c *cell) {
	r.touched = append(r.touched, doc)
	c.words = seen
	// The filter is asked once for a document, however many words of the query it has.
	if r.segment.isGone(doc) || r.keep != nil && !r.keep(r.number, doc) {
		c.words |= dropped
	}
}
