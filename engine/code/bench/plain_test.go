package bench

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// plain is BM25 as textbooks have it: words as written in lower case, one field, k1 1.2 and b 0.75.
type plain struct {
	postings map[string][]posting
	lengths  []float64
	average  float64
}

type posting struct {
	doc   int
	times float64
}

func newPlain(n int, text func(i int) string) *plain {
	p := &plain{postings: map[string][]posting{}, lengths: make([]float64, n)}
	total := 0.0
	for i := range n {
		times := map[string]float64{}
		for _, w := range plainWords(text(i)) {
			times[w]++
			p.lengths[i]++
		}
		for w, t := range times {
			p.postings[w] = append(p.postings[w], posting{i, t})
		}
		total += p.lengths[i]
	}
	p.average = total / float64(n)
	return p
}

func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_'
	})
}

// search returns the keys of the best documents.
func (p *plain) search(query string) []string {
	scores := map[int]float64{}
	seen := map[string]bool{}
	for _, w := range plainWords(query) {
		if seen[w] {
			continue
		}
		seen[w] = true
		list := p.postings[w]
		idf := math.Log(1 + (float64(len(p.lengths)-len(list))+0.5)/(float64(len(list))+0.5))
		for _, d := range list {
			scores[d.doc] += idf * d.times * 2.2 / (d.times + 1.2*(0.25+0.75*p.lengths[d.doc]/p.average))
		}
	}
	docs := make([]int, 0, len(scores))
	for d := range scores {
		docs = append(docs, d)
	}
	slices.SortFunc(docs, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	keys := make([]string, 0, best)
	for _, d := range docs[:min(len(docs), best)] {
		keys = append(keys, keyOf(d))
	}
	return keys
}
