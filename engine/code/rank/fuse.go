package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Scored is a document with a score of one of the two ways of ranking, or of both together.
type Scored struct {
	Key   string
	Score float64
}

// DefaultWeight is the share of the semantic scores that measures best.
const DefaultWeight = 0.4

// Candidates is how many documents of each ranking should be joined.
const Candidates = 200

// Fuse returns the documents of two rankings, the best first, and equal ones in the order of their keys. Scores are from
// 0 to 1. The weight is the share of the semantic scores: with 0 only the documents of the lexical list are returned,
// with 1 only those of the other. An empty list leaves the other as it is, except that without a semantic share nothing
// semantic is returned. No list may have a document twice.
func Fuse(lexical, semantic []Scored, weight float64) []Scored {
	if weight = clamp(weight); len(semantic) == 0 {
		weight = 0
	}
	if len(lexical) == 0 && weight > 0 {
		weight = 1
	}
	sums := make(map[string]float64, len(lexical)+len(semantic))
	if weight < 1 {
		most := mostOf(lexical)
		for _, d := range lexical {
			sums[d.Key] = (1 - weight) * clamp(d.Score/most)
		}
	}
	if weight > 0 {
		least, most := rangeOf(semantic)
		for _, d := range semantic {
			sums[d.Key] += weight * clamp((d.Score-least)/(most-least))
		}
	}
	list := make([]Scored, 0, len(sums))
	for key, score := range sums {
		list = append(list, Scored{key, score})
	}
	slices.SortFunc(list, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Key, b.Key))
	})
	return list
}

func mostOf(list []Scored) float64 {
	most := 0.0
	for _, d := range list {
		most = max(most, d.Score)
	}
	return cmp.Or(most, 1)
}

// rangeOf returns the lowest and the highest score, which differ.
func rangeOf(list []Scored) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, d := range list {
		least, most = min(least, d.Score), max(most, d.Score)
	}
	if least == most {
		least = most - 1
	}
	return least, most
}

// clamp returns a number from 0 to 1; 0 for one that is none.
func clamp(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}
