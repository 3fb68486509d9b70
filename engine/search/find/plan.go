package find

import (
	"cmp"
	"math"
	"slices"
)

// maxCounted limits the words of a query that are counted when documents with more of them are preferred.
const maxCounted = 24

// joinedWeight is the weight of two words written as one, if the query has them as two.
const joinedWeight = 0.25

// plan is a query prepared for some segments.
type plan struct {
	segments []*Segment
	docs     uint64
	terms    []term
	bits     []uint32 // of the words of the query; 0 for those that are not counted
	// rarity of each counted word, and their sum.
	rarity    []float64
	sum       float64
	whole     float64   // what a document counts at most, unless it has several spellings of a word
	coverages []float64 // of each set of counted words, if these are few
}

// term is a stem that is searched.
type term struct {
	gain    float64 // what it counts at most
	words   uint32  // the bits of the words that a document with it has
	entries []entry // of each segment
}

// newPlan looks the words of a query up. A word that no document contains is read as similar words.
func newPlan(segments []*Segment, q Query) (*plan, error) {
	p := &plan{segments: segments}
	for _, s := range segments {
		p.docs += uint64(s.livingDocs())
	}
	unknown := false
	for _, w := range q.words {
		found, err := p.addWord(w, q.mayContinue(w), unknown)
		if err != nil {
			return nil, err
		}
		unknown = unknown || !found && !w.isWhole()
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

// addWord adds the terms of a word and reports whether any document contains it as it is written. unknown says whether
// no document contains one of the words before it: only then the whole of a chain is corrected.
func (p *plan) addWord(w queryWord, mayContinue, unknown bool) (bool, error) {
	exact, found, err := lookUp(p.segments, w.stem)
	if err != nil {
		return false, err
	}
	var others []variant
	if mayContinue {
		if others, err = completions(p.segments, w.word); err != nil {
			return false, err
		}
	}
	// Only a word that no document contains is corrected: the rarest words of a query are the ones that find a document.
	if found == 0 && len(others) == 0 && !w.dense && !w.joined && (!w.isWhole() || unknown) {
		if others, err = corrections(p.segments, w.word); err != nil {
			return false, err
		}
	}
	others = slices.DeleteFunc(others, func(v variant) bool { return v.stem == w.stem })
	p.addTerms(w, exact, found, others)
	return found > 0, nil
}

// addTerms adds the terms of a word: its stem and the stems that it is read as. They are equally rare, so that a rare
// misspelling of a frequent word does not count more than that.
func (p *plan) addTerms(w queryWord, exact []entry, found uint64, others []variant) {
	group := found
	for _, v := range others {
		if !v.half {
			group += v.docs
		}
	}
	// These are the halves of a word, of which the rarer one counts.
	if group == 0 && len(others) > 0 {
		group = min(others[0].docs, others[1].docs)
	}
	rarity := rarityOf(min(group, p.docs), p.docs)
	bit := uint32(0)
	if !w.isWhole() && len(p.rarity) < maxCounted {
		bit = 1 << len(p.rarity)
		p.rarity = append(p.rarity, rarity)
		p.sum += rarity
	}
	gain := rarity
	if w.joined {
		gain *= joinedWeight
	}
	// A missing word still counts, so that documents without it are not at the top of the scale.
	if bit != 0 || found > 0 {
		p.whole += gain
	}
	for _, part := range w.parts {
		bit |= p.bits[part]
	}
	p.bits = append(p.bits, bit)
	if found > 0 {
		p.terms = append(p.terms, term{gain: gain, words: bit, entries: exact})
	}
	for _, v := range others {
		p.terms = append(p.terms, term{gain: rarity * v.weight, words: bit, entries: v.entries})
	}
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
		found += uint64(entries[i].living)
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

// reduceScore returns the score of a document that has only some of the words: all of it if it has all, and otherwise
// less, the rarer the missing words are.
func (p *plan) reduceScore(score float64, words uint32) float64 {
	var coverage float64
	if p.coverages != nil {
		coverage = p.coverages[words]
	} else {
		coverage = p.sumOf(words) / math.Max(p.sum, 1e-9)
	}
	n := float64(len(p.rarity))
	// A question in many words need not be answered in the same words.
	least := n / (n + 12)
	return score * (least + (1-least)*coverage)
}

// maxScore returns the highest score of a document that has none of the terms before this one.
func (p *plan) maxScore(first int) float64 {
	sum, set := 0.0, uint32(0)
	for _, t := range p.terms[first:] {
		sum += t.gain
		set |= t.words
	}
	// Cells are float32, so sums in them may be a little larger than the exact ones.
	const rounding = 1.0001
	return rounding * p.reduceScore(sum, set)
}
