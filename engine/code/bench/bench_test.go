package bench

import (
	"fmt"
	"testing"
	"time"

	"chant/engine/code/embed"
	"chant/engine/code/shelf"
)

// required is how well code must be found.
type required struct {
	ratio float64 // of the MRR to that of plain BM25
	mrr   float64
	ten   float64
	below float64 // how much worse than by words alone it may be found
}

func BenchmarkLibrary(b *testing.B) {
	c := library(b)
	for range b.N {
		compare(b, []*corpus{c}, required{ratio: 2.4, mrr: 0.41, ten: 0.65, below: 0.005})
	}
}

func BenchmarkHistory(b *testing.B) {
	all := history(b)
	for range b.N {
		compare(b, all, required{ratio: 1.25, below: 0.005})
	}
}

// compare ranks the same questions in several ways.
func compare(b *testing.B, all []*corpus, need required) {
	weights := []float64{0.1, 0.2, 0.3, shelf.DefaultWeight, 0.5, 0.7, 1}
	var plain, words, found result
	hybrid := make([]result, len(weights))
	var trained, asking time.Duration
	docs, pairs := 0, 0
	for _, c := range all {
		p := newPlain(len(c.docs), func(i int) string { return c.docs[i].body })
		x := newIndex(b, c, embed.Options{})
		docs, pairs, trained = docs+len(c.docs), pairs+len(c.pairs), trained+x.trained
		for _, q := range c.questions {
			plain.add(q, c.answers(p.search(q.text)))
			start := time.Now()
			lexical, semantic := x.lexical(b, q.text), x.semantic(q.text)
			answers := keysOf(shelf.Fuse(lexical, semantic, shelf.DefaultWeight))
			asking += time.Since(start)
			found.add(q, c.answers(answers))
			words.add(q, c.answers(keysOf(lexical)))
			for i, w := range weights {
				hybrid[i].add(q, c.answers(keysOf(shelf.Fuse(lexical, semantic, w))))
			}
		}
	}
	b.Logf("%d documents, %d pairs, %d questions", docs, pairs, found.asked)
	plain.report(b, "plain BM25")
	words.report(b, "BM25F")
	for i, w := range weights {
		hybrid[i].report(b, fmt.Sprintf("with a semantic share of %v", w))
	}
	b.ReportMetric(found.MRR(), "MRR@10")
	b.ReportMetric(found.R10(), "R@10")
	b.ReportMetric(found.MRR()/plain.MRR(), "times-plain")
	b.ReportMetric(words.MRR()/plain.MRR(), "words-times-plain")
	b.ReportMetric(trained.Seconds(), "s-training")
	b.ReportMetric(float64(asking.Microseconds())/1000/float64(max(1, found.asked)), "ms/question")
	need.check(b, &plain, &words, &found)
}

func (need required) check(b *testing.B, plain, words, found *result) {
	if found.MRR() < need.mrr || found.R10() < need.ten || found.MRR() < need.ratio*plain.MRR() {
		b.Errorf("MRR@10 %.3f, %.2f times plain BM25, R@10 %.3f; want %v, %v times and %v",
			found.MRR(), found.MRR()/plain.MRR(), found.R10(), need.mrr, need.ratio, need.ten)
	}
	if found.MRR() < words.MRR()-need.below {
		b.Errorf("MRR@10 %.3f with meaning, %.3f without", found.MRR(), words.MRR())
	}
}
