package similar

import (
	"cmp"
	"math"
	"slices"
)

// A query whose cosine with the text of a document is at least repeated repeats that text, and has at least this share
// of that cosine as its score. The rest depends on the names as well.
const (
	repeated      = 0.8
	repeatedShare = 0.8
)

// Hit is a document that was found.
type Hit struct {
	Doc   int     // its number in the list given to New
	Score float64 // above 0, at most 1, with 4 decimal places
}

// Search returns the documents that are similar to a query, the most similar ones first, and equally similar ones in
// the order in which New got them; at most so many, or all if most is 0 or less.
func (x *Index) Search(query string, most int) []Hit {
	s := x.scratch.Get().(*scratch)
	defer func() {
		s.clear()
		x.scratch.Put(s)
	}()
	q := x.parse(query, s)
	if len(q.words) == 0 {
		return nil
	}
	for _, w := range q.words {
		s.addWord(x, w)
	}
	pairs := s.addPairs(x, q.pairs)
	whole, words := math.Sqrt(q.norm+pairs), math.Sqrt(q.norm)
	best := bestHits{most: most}
	for _, doc := range s.found {
		if score := s.score(x, q, doc, whole, words); score > 0 {
			best.add(Hit{int(doc), score})
		}
	}
	return best.list()
}

// bestHits collects the best hits.
type bestHits struct {
	most   int // 0 or less for all
	hits   []Hit
	isFull bool // whether only hits that come before the one at most-1 are among the best
}

func compareHits(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc))
}

// add adds a hit. When there are far more than needed, it drops the worst ones.
func (b *bestHits) add(h Hit) {
	const least = 64
	if b.isFull && compareHits(h, b.hits[b.most-1]) > 0 {
		return
	}
	b.hits = append(b.hits, h)
	if b.most > 0 && len(b.hits) >= 2*max(b.most, least) {
		slices.SortFunc(b.hits, compareHits)
		b.hits, b.isFull = b.hits[:b.most], true
	}
}

func (b *bestHits) list() []Hit {
	slices.SortFunc(b.hits, compareHits)
	if b.most > 0 && len(b.hits) > b.most {
		return slices.Clip(b.hits[:b.most])
	}
	return b.hits
}

// scratch is memory for a search.
type scratch struct {
	found []uint32 // documents with sums
	docs  []sums
	word  []sums   // of the word that is being added
	with  []uint32 // documents that have this word

	together []uint16 // documents in which each term is beside another
	near     []uint32 // terms that are counted there
}

// sums are parts of a document's score.
type sums struct {
	whole, text float64 // products of its vectors and the query's
	has         float64 // how many words of the query the document has
	seen        bool
}

func newScratch(docs, terms int) *scratch {
	return &scratch{docs: make([]sums, docs), word: make([]sums, docs), together: make([]uint16, terms)}
}

func (s *scratch) clear() {
	for _, doc := range s.found {
		s.docs[doc] = sums{}
	}
	s.found = s.found[:0]
}

// addWord adds a word of the query to the sums of the documents that have it. Of its readings, those count that count
// most in a document.
func (s *scratch) addWord(x *Index, w queryWord) {
	for _, r := range w.readings {
		idf := x.idf[r.term] * r.weight
		for _, p := range x.postingsOf(r.term) {
			b := &s.word[p.doc]
			if !b.seen {
				s.with = append(s.with, p.doc)
				b.seen = true
			}
			b.whole = max(b.whole, idf*weight(p.names, p.text))
			b.text = max(b.text, idf*float64(p.text))
			b.has = max(b.has, r.weight)
		}
	}
	gain := w.times * w.idf
	for _, doc := range s.with {
		b := s.word[doc]
		s.word[doc] = sums{}
		d := s.sumsOf(doc)
		d.whole += gain * b.whole
		d.text += gain * b.text
		if w.isPart {
			d.has += w.times * b.has
		}
	}
	s.with = s.with[:0]
}

func (s *scratch) sumsOf(doc uint32) *sums {
	d := &s.docs[doc]
	if !d.seen {
		d.seen = true
		s.found = append(s.found, doc)
	}
	return d
}

// addPairs adds the pairs of words that lie side by side in documents, in either order. It returns what the found pairs
// add to the square of the query's length.
func (s *scratch) addPairs(x *Index, pairs []pair) float64 {
	norm := 0.0
	for i, p := range pairs {
		if slices.Contains(pairs[:i], p) || slices.Contains(pairs[:i], pair{p.b, p.a}) {
			continue
		}
		gain, found := square(x.pairIDF(p.a, p.b)), false
		x.eachWithBoth(p.a, p.b, func(doc uint32) {
			if x.isSideBySide(doc, p) {
				s.sumsOf(doc).whole += gain
				found = true
			}
		})
		if found {
			norm += gain
		}
	}
	return norm
}

// eachWithBoth calls visit for each document that has both terms.
func (x *Index) eachWithBoth(a, b uint32, visit func(doc uint32)) {
	first, second := x.postingsOf(a), x.postingsOf(b)
	for len(first) > 0 && len(second) > 0 {
		switch d, e := first[0].doc, second[0].doc; {
		case d < e:
			first = first[1:]
		case d > e:
			second = second[1:]
		default:
			visit(d)
			first, second = first[1:], second[1:]
		}
	}
}

func (x *Index) isSideBySide(doc uint32, p pair) bool {
	order := x.order[x.places[doc]:x.places[doc+1]]
	for i := 1; i < len(order); i++ {
		if order[i-1] == p.a && order[i] == p.b || order[i-1] == p.b && order[i] == p.a {
			return true
		}
	}
	return false
}

// score returns the similarity of a document and the query. whole and words are the lengths of the query's vector with
// and without pairs.
func (s *scratch) score(x *Index, q *query, doc uint32, whole, words float64) float64 {
	d, n := s.docs[doc], x.norms[doc]
	score := d.whole / (whole * n.whole)
	if n.text > 0 && d.text >= repeated*words*n.text {
		score = max(score, repeatedShare*d.text/(words*n.text)+(1-repeatedShare)*score)
	}
	if q.count > 0 {
		score *= min(1, d.has/q.count)
	}
	return min(1, math.Round(score*1e4)/1e4)
}
