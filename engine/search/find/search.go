package find

import (
	"math"
)

// Fields are the fields of documents with their weights.
type Fields []Field

// Field is a part of each document with a text of its own, such as its title.
type Field struct {
	Name   string
	Weight float64 // what a word in it counts; it does not matter when segments are built
}

// Options of a search. The zero value searches everything and returns no more than 10 hits.
type Options struct {
	// Top is how many hits are returned at most; 10 if it is 0.
	Top int
	// Keep reports whether a document may be found; nil keeps all. It is called at most once for a document, and only
	// for documents with a word of the query. Documents that it drops are counted all the same; Segment.Without takes
	// documents out as if they had never been added.
	Keep func(segment int, doc uint32) bool
	// First reports whether a document is found whatever its words are, and comes before all for which it is false; nil
	// is for none. It is called for every document that is not gone.
	First func(segment int, doc uint32) bool
	// K1 says how much more a word counts that occurs often; 3 if it is 0. The smaller it is, the less that matters.
	K1 float64
	// B says how much less a word counts in a longer field: from nearly 0, not at all, to 1; 0.75 if it is 0.
	B float64
}

// Hit is a document that was found.
type Hit struct {
	Segment int // index of its segment
	Doc     uint32
	Key     string
	First   bool    // Options.First says so
	Score   float64 // above 0 and at most 1; 0 for one that is found only since it comes first
}

// Search returns the best documents for a query, the best first. Documents with equal scores are in the order of their
// keys. It fails only if a segment is broken.
func Search(segments []*Segment, fields Fields, q Query, o Options) ([]Hit, error) {
	if o.Top == 0 {
		o.Top = 10
	}
	if o.Top < 0 {
		return nil, nil
	}
	r := ranking{best: []*top{newTop(segments, o.Top)}}
	if err := r.rankAll(segments, fields, q, o); err != nil {
		return nil, err
	}
	return r.best[0].hits(r.whole), nil
}

// Group is what a search found of a group of documents.
type Group struct {
	Hits  []Hit
	Total int // documents with a word of the query, of which Hits are the best
}

// SearchGroups is Search for documents in several groups, each with its own best documents: at most tops[0], which
// is 1 or more, of those for which groupOf returns 0, and so on. It does not use Options.Top. To count all documents
// takes longer than to find the best.
func SearchGroups(
	segments []*Segment, fields Fields, q Query, o Options, tops []int, groupOf func(segment int, doc uint32) int,
) ([]Group, error) {
	r := ranking{groupOf: groupOf, totals: make([]int, len(tops))}
	for _, most := range tops {
		r.best = append(r.best, newTop(segments, most))
	}
	if err := r.rankAll(segments, fields, q, o); err != nil {
		return nil, err
	}
	groups := make([]Group, len(tops))
	for i, best := range r.best {
		groups[i] = Group{best.hits(r.whole), r.totals[i]}
	}
	return groups, nil
}

// scorers returns for each segment what its fields count. The average lengths are those of all segments, without
// documents that are gone.
func scorers(segments []*Segment, fields Fields, o Options) []scorer {
	totals, docs := map[string]uint64{}, uint64(0)
	for _, s := range segments {
		docs += uint64(s.livingDocs())
		for f, name := range s.fields {
			totals[name] += s.totals[f]
		}
	}
	list := make([]scorer, len(segments))
	for i, s := range segments {
		c := scorer{segment: s, k1: o.K1}
		for f, name := range s.fields {
			average := float64(totals[name]) / math.Max(1, float64(docs))
			for _, field := range fields {
				if field.Name == name {
					c.weights[f] = field.Weight
				}
			}
			c.base[f], c.slope[f] = 1-o.B, o.B/math.Max(average, 1e-9)
		}
		list[i] = c
	}
	return list
}

// scorer computes what the occurrences of a stem in a document count, by BM25F.
type scorer struct {
	segment *Segment
	k1      float64
	weights [maxFields]float64
	base    [maxFields]float64
	slope   [maxFields]float64 // for each word of the field
}

// repetitionScore returns the score of these occurrences, from 0 to below 1.
func (c *scorer) repetitionScore(doc uint32, n *counts) float64 {
	sum := 0.0
	for f := range c.segment.fields {
		if n[f] > 0 {
			sum += c.weights[f] * float64(n[f]) / (c.base[f] + c.slope[f]*float64(c.segment.length(f, doc)))
		}
	}
	return sum / (sum + c.k1)
}
