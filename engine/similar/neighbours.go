package similar

import (
	"cmp"
	"math"
	"slices"
)

const (
	learned       = 0.5 // what a neighbour counts at most, compared with the word
	mostLearned   = 5   // neighbours of a word
	leastTogether = 3   // documents that have both words
	mostDocs      = 256 // documents with a word whose neighbours are looked for
)

// neighbours returns the terms that are often in the same documents as a term: where descriptions use two words
// together, a question with one of them may mean a document with the other. How much one counts for the other is the
// cosine of the documents that they are in.
func (s *scratch) neighbours(x *Index, term uint32) []reading {
	own := x.postingsOf(term)
	if len(own) < leastTogether || len(own) > mostDocs {
		return nil
	}
	s.near = s.near[:0]
	for _, p := range own {
		for _, c := range x.countsOf(int(p.doc)) {
			if s.together[c.term] == 0 {
				s.near = append(s.near, c.term)
			}
			s.together[c.term]++
		}
	}
	var list []reading
	for _, other := range s.near {
		n := s.together[other]
		s.together[other] = 0
		if other == term || n < leastTogether {
			continue
		}
		product := float64(len(own)) * float64(len(x.postingsOf(other)))
		list = append(list, reading{other, learned * float64(n) / math.Sqrt(product)})
	}
	slices.SortFunc(list, func(a, b reading) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.term, b.term))
	})
	return list[:min(len(list), mostLearned)]
}
