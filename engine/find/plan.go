package find

import (
	"cmp"
	"math"
	"slices"
)

// mostCounted is how many words of a query are counted when documents with more of them are preferred.
const mostCounted = 24

// plan is what a query asks of some segments.
type plan struct {
	terms []term
	// rarity of each counted word, and their sum.
	rarity    []float64
	sum       float64
	coverages []float64 // of each set of counted words, if these are few
}

// term is a stem that is searched.
type term struct {
	gain    float64 // what it counts at most
	word    uint32  // the bit of its word; 0 if that is not counted
	entries []entry // of each segment
}

// newPlan looks the words of a query up. A word that no document contains is read as similar words.
func newPlan(segments []*Segment, q Query) (*plan, error) {
	p := &plan{}
	docs := uint64(0)
	for _, s := range segments {
		docs += uint64(s.docs)
	}
	unknown := 0
	for _, w := range q.words {
		missing, err := p.addWord(segments, w, docs, q.Prefix, unknown > 0)
		if err != nil {
			return nil, err
		}
		if missing && !w.whole {
			unknown++
		}
	}
	// The terms that count most come first: they decide which documents can be among the best.
	slices.SortStableFunc(p.terms, func(a, b term) int { return cmp.Compare(b.gain, a.gain) })
	if len(p.rarity) <= 8 {
		p.coverages = make([]float64, 1<<len(p.rarity))
		for set := range p.coverages {
			p.coverages[set] = p.sumOf(uint32(set)) / math.Max(p.sum, 1e-9)
		}
	}
	return p, nil
}

// addWord adds the terms of a word and reports whether no document contains it as it is written. The whole of a chain
// is corrected only if one of the words before it is unknown.
func (p *plan) addWord(segments []*Segment, w queryWord, docs uint64, prefix, unknown bool) (missing bool, err error) {
	exact, found, err := lookUp(segments, w.stem)
	if err != nil {
		return false, err
	}
	var variants []variant
	if letters := runeCount(w.word); prefix && w.last && letters >= leastPrefix || w.dense && letters == 1 {
		if variants, err = completions(segments, w.word); err != nil {
			return false, err
		}
	}
	weight := func(variant) float64 { return completed }
	if found == 0 && len(variants) == 0 && !w.dense && (!w.whole || unknown) {
		if variants, err = spellings(segments, w.word); err != nil {
			return false, err
		}
		weight = func(v variant) float64 { return spellingWeight(v.edits) }
	}
	group := found
	for _, v := range variants {
		if v.stem != w.stem {
			group += v.docs
		}
	}
	rarity := rarityOf(min(group, docs), docs)
	bit := uint32(0)
	if !w.whole && len(p.rarity) < mostCounted {
		bit = 1 << len(p.rarity)
		p.rarity = append(p.rarity, rarity)
		p.sum += rarity
	}
	if found > 0 {
		p.terms = append(p.terms, term{gain: rarity, word: bit, entries: exact})
	}
	for _, v := range variants {
		if v.stem == w.stem {
			continue
		}
		p.terms = append(p.terms, term{gain: rarity * weight(v), word: bit, entries: v.entries})
	}
	return found == 0, nil
}

// rarityOf returns what a word counts that so many documents contain: the inverse document frequency of BM25, which is
// always above 0.
func rarityOf(found, docs uint64) float64 {
	return math.Log(1 + (float64(docs-found)+0.5)/(float64(found)+0.5))
}

// lookUp returns the entry of a stem in each segment, and how many documents contain it.
func lookUp(segments []*Segment, stem string) ([]entry, uint64, error) {
	entries, found := make([]entry, len(segments)), uint64(0)
	for i, s := range segments {
		var err error
		if entries[i], err = s.find(stem); err != nil {
			return nil, 0, err
		}
		found += uint64(entries[i].docs)
	}
	return entries, found, nil
}

func (p *plan) sumOf(set uint32) float64 {
	sum := 0.0
	for i, r := range p.rarity {
		if set&(1<<i) != 0 {
			sum += r
		}
	}
	return sum
}

// coverage returns which share of the words a document has that has these, by their rarity.
func (p *plan) coverage(set uint32) float64 {
	if p.coverages != nil {
		return p.coverages[set]
	}
	return p.sumOf(set) / math.Max(p.sum, 1e-9)
}

// bound returns what a document can score at most that has none of the terms before this one.
func (p *plan) bound(first int) float64 {
	sum, set := 0.0, uint32(0)
	for _, t := range p.terms[first:] {
		sum += t.gain
		set |= t.word
	}
	const rounding = 1.0001 // of the sums in cells
	return rounding * reduced(sum, p.coverage(set))
}

// whole returns a bound for what all terms count together.
func (p *plan) whole() float64 {
	sum := 0.0
	for _, t := range p.terms {
		sum += t.gain
	}
	return max(sum, p.sum)
}
