package embed

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
)

// Matrix has the vectors of documents, as they are stored, which are searched without an index.
type Matrix struct {
	dim, docs int
	blocks    []block
}

// block is some documents one after the other.
type block struct {
	first, docs int
	rows        []byte // packed vectors; nil if the documents have none
}

// NewMatrix returns an empty matrix.
func NewMatrix(dim int) *Matrix { return &Matrix{dim: dim} }

// Dim returns the length of the vectors.
func (m *Matrix) Dim() int { return m.dim }

// Len returns the number of documents, which are named by the numbers below it.
func (m *Matrix) Len() int { return m.docs }

// Add adds the next documents by their packed vectors, which it does not copy. It returns false, and adds none, if
// these are not vectors of the right length.
func (m *Matrix) Add(rows []byte) bool {
	size := PackedLen(m.dim)
	if len(rows)%size != 0 {
		return false
	}
	for at := 0; at < len(rows); at += size {
		if scale := scaleOf(rows[at:]); !isScale(scale) {
			return false
		}
	}
	m.blocks = append(m.blocks, block{m.docs, len(rows) / size, rows})
	m.docs += len(rows) / size
	return true
}

// AddNone adds so many documents without vectors, which are similar to nothing.
func (m *Matrix) AddNone(docs int) { m.docs += docs }

// Near is a document with its similarity to a question: the cosine, from -1 to 1.
type Near struct {
	Doc   int
	Score float32
}

// Scores returns the similarity of each document to a unit vector.
func (m *Matrix) Scores(query []float32) []float32 {
	if len(query) != m.dim {
		return nil
	}
	out := make([]float32, m.docs)
	whole, scale := wholeNumbers(query)
	by := newFactor(whole)
	const least = 4096 // documents that are worth a goroutine
	parts := max(1, min(runtime.GOMAXPROCS(0), len(out)/least))
	var group sync.WaitGroup
	for p := range parts {
		group.Go(func() { m.score(out, p*len(out)/parts, (p+1)*len(out)/parts, &by, scale) })
	}
	group.Wait()
	return out
}

// score sets the scores of the documents between from and to.
func (m *Matrix) score(out []float32, from, to int, query *factor, scale float32) {
	size := PackedLen(m.dim)
	for _, b := range m.blocks {
		for doc := max(from, b.first); doc < min(to, b.first+b.docs); doc++ {
			row := b.rows[(doc-b.first)*size:][:size]
			out[doc] = float32(query.product(row[4:])) * (scale * scaleOf(row))
		}
	}
}

// wholeNumbers rounds a vector to numbers of which the product with a packed vector fits into 32 bits, and returns what
// they are to be multiplied by.
func wholeNumbers(v []float32) (whole []int32, scale float32) {
	biggest, whole := 0.0, make([]int32, len(v))
	for _, x := range v {
		if a := math.Abs(float64(x)); a > biggest && !math.IsInf(a, 0) {
			biggest = a
		}
	}
	if biggest == 0 {
		return whole, 0
	}
	most := float64(min(math.MaxInt16, math.MaxInt32/128/len(v)))
	for d, x := range v {
		if y := math.Round(float64(x) / biggest * most); y == y {
			whole[d] = int32(max(-most, min(most, y)))
		}
	}
	return whole, float32(biggest / most)
}

// Top returns the n most similar of the documents that keep accepts (nil accepts all), the best first, and equal ones
// in their order. Documents that are not similar at all are left out.
func Top(scores []float32, n int, keep func(doc int) bool) []Near {
	var best []Near
	least := float32(0)
	for doc, s := range scores {
		if s <= least || keep != nil && !keep(doc) {
			continue
		}
		best = append(best, Near{doc, s})
		if len(best) >= 4*n+64 {
			best = bestOf(best, n)
			least = best[len(best)-1].Score
		}
	}
	return bestOf(best, n)
}

func bestOf(list []Near, n int) []Near {
	slices.SortFunc(list, func(a, b Near) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc)) })
	return list[:min(len(list), max(n, 0))]
}
