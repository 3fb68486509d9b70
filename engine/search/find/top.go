package find

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"
)

// atFirst is added to the score of a document that comes first, and is more than any other can have.
const atFirst = 1 << 20

// top keeps the best documents.
type top struct {
	segments []*Segment
	max      int
	found    []Hit // a heap with the worst at its root once it is full
}

func newTop(segments []*Segment, limit int) *top { return &top{segments: segments, max: limit} }

// admits reports whether a document with this score could still be among the best.
func (t *top) admits(score float64) bool { return score > 0 && score >= t.minScore() }

// minScore returns the lowest score with which a document is kept.
func (t *top) minScore() float64 {
	if len(t.found) < t.max {
		return 0
	}
	return t.found[0].Score
}

// offer adds a document if it is among the best so far.
func (t *top) offer(segment int, doc uint32, score float64) {
	if !t.admits(score) {
		return
	}
	h := Hit{Segment: segment, Doc: doc, Score: score}
	if len(t.found) == t.max {
		// Keys are read only to decide between equal scores, since most documents are refused.
		if score == t.found[0].Score {
			h.Key = t.segments[segment].Key(doc)
			if compareHits(h, t.found[0]) > 0 {
				return
			}
		}
		h.Key = t.segments[segment].Key(doc)
		t.found[0] = h
		heap.Fix(t, 0)
		return
	}
	h.Key = t.segments[segment].Key(doc)
	heap.Push(t, h)
}

// hits returns the documents, the best first, with scores as shares of whole.
func (t *top) hits(whole float64) []Hit {
	slices.SortFunc(t.found, compareHits)
	for i := range t.found {
		h := &t.found[i]
		if h.First = h.Score >= atFirst; h.First {
			h.Score -= atFirst
		}
		if h.Score > 0 {
			h.Score = min(1, h.Score/whole)
		}
	}
	return t.found
}

// compareHits orders hits: higher scores first, then by key.
func compareHits(a, b Hit) int {
	if a.Score != b.Score {
		return cmp.Compare(b.Score, a.Score)
	}
	return cmp.Or(strings.Compare(a.Key, b.Key), cmp.Compare(a.Segment, b.Segment), cmp.Compare(a.Doc, b.Doc))
}

// Len implements heap.Interface.
func (t *top) Len() int { return len(t.found) }

// Less implements heap.Interface: the worst hit is at the root.
func (t *top) Less(i, j int) bool { return compareHits(t.found[i], t.found[j]) > 0 }

// Swap implements heap.Interface.
func (t *top) Swap(i, j int) { t.found[i], t.found[j] = t.found[j], t.found[i] }

// Push implements heap.Interface.
func (t *top) Push(x any) { t.found = append(t.found, x.(Hit)) }

// Pop implements heap.Interface.
func (t *top) Pop() any {
	last := t.found[len(t.found)-1]
	t.found = t.found[:len(t.found)-1]
	return last
}

// scoreHeap keeps the highest scores up to its capacity, with the lowest of them at its root once it is full.
type scoreHeap []float64

// offer adds a score if it is among the highest.
func (h scoreHeap) offer(score float64) scoreHeap {
	if len(h) < cap(h) {
		h = append(h, score)
		if len(h) == cap(h) {
			// An ascending list is such a heap.
			slices.Sort(h)
		}
		return h
	}
	if score <= h[0] {
		return h
	}
	i := 0
	for {
		child := 2*i + 1
		if child+1 < len(h) && h[child+1] < h[child] {
			child++
		}
		if child >= len(h) || h[child] >= score {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = score
	return h
}
