package embed

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
)

// Matrix has the vectors of documents in memory, which are searched without an index.
type Matrix struct {
	dim  int
	rows []float32
}

// NewMatrix returns an empty matrix, with room for so many documents.
func NewMatrix(dim, docs int) *Matrix { return &Matrix{dim: dim, rows: make([]float32, 0, dim*docs)} }

// Len returns the number of documents, which are named by the numbers below it.
func (m *Matrix) Len() int { return len(m.rows) / m.dim }

// AddPacked adds the next document, and reports whether data is a packed vector of the right length.
func (m *Matrix) AddPacked(data []byte) bool {
	n := len(m.rows)
	m.rows = append(m.rows, make([]float32, m.dim)...)
	if unpack(m.rows[n:], data) {
		return true
	}
	m.rows = m.rows[:n]
	return false
}

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
	out := make([]float32, m.Len())
	const least = 4096 // documents that are worth a goroutine
	parts := max(1, min(runtime.GOMAXPROCS(0), len(out)/least))
	var group sync.WaitGroup
	for p := range parts {
		from, to := p*len(out)/parts, (p+1)*len(out)/parts
		group.Go(func() { products(out[from:to], query, m.rows[from*m.dim:to*m.dim]) })
	}
	group.Wait()
	return out
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
