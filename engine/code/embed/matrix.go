package embed

import (
	"cmp"
	"encoding/binary"
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
	// A scale that is no number would make every comparison with the row wrong.
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

// Nearest returns the n documents that are most similar to a unit vector, of those that keep accepts (nil accepts all),
// the best first, and equal ones in their order. Documents that are not similar at all are left out. keep may be called
// by several goroutines at once. There are none for a vector of another length.
func (m *Matrix) Nearest(query []float32, n int, keep func(doc int) bool) []Near {
	if len(query) != m.dim || n <= 0 {
		return nil
	}
	whole, scale := wholeNumbers(query)
	by := newFactor(whole)
	const least = 4096 // documents that are worth a goroutine
	parts := max(1, min(runtime.GOMAXPROCS(0), m.docs/least))
	found := make([]nearest, parts)
	var group sync.WaitGroup
	for p := range parts {
		found[p] = nearest{n: n, keep: keep}
		group.Go(func() { m.addNearest(&found[p], p*m.docs/parts, (p+1)*m.docs/parts, &by, scale) })
	}
	group.Wait()
	all := found[0].best
	for _, f := range found[1:] {
		all = append(all, f.best...)
	}
	return bestOf(all, n)
}

// addNearest adds the documents between from and to.
func (m *Matrix) addNearest(to *nearest, from, end int, query *factor, scale float32) {
	// Scores of some documents at a time need little memory.
	var scores [1024]float32
	for first := from; first < end; first += len(scores) {
		some := scores[:min(len(scores), end-first)]
		clear(some)
		m.score(some, first, query, scale)
		to.add(first, some)
	}
}

// score sets the scores of the documents from first on. It leaves those of documents without vectors as they are.
func (m *Matrix) score(out []float32, first int, query *factor, scale float32) {
	size := PackedLen(m.dim)
	for _, b := range m.blocks {
		for doc := max(first, b.first); doc < min(first+len(out), b.first+b.docs); doc++ {
			row := b.rows[(doc-b.first)*size:][:size]
			out[doc-first] = float32(query.product(row[4:])) * (scale * scaleOf(row))
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
	// The sum of all products must fit into 32 bits.
	most := float64(min(math.MaxInt16, math.MaxInt32/128/len(v)))
	for d, x := range v {
		if y := math.Round(float64(x) / biggest * most); y == y {
			whole[d] = int32(max(-most, min(most, y)))
		}
	}
	return whole, float32(biggest / most)
}

// nearest are the best of the documents that were added.
type nearest struct {
	n     int // above 0
	keep  func(doc int) bool
	best  []Near // and others, which are dropped from time to time
	least float32
}

// add adds documents, from first on, by their scores.
func (t *nearest) add(first int, scores []float32) {
	const most = 1024 // documents for which there is room from the beginning
	for i, s := range scores {
		// The filter is the more expensive test, so it comes second.
		if s <= t.least || t.keep != nil && !t.keep(first+i) {
			continue
		}
		if t.best == nil {
			t.best = make([]Near, 0, min(4*t.n+64, most))
		}
		t.best = append(t.best, Near{first + i, s})
		// Sorting is rare, and in between the least score of the best ones excludes most documents.
		if len(t.best) >= 4*t.n+64 {
			t.best = bestOf(t.best, t.n)
			t.least = t.best[len(t.best)-1].Score
		}
	}
}

func bestOf(list []Near, n int) []Near {
	slices.SortFunc(list, func(a, b Near) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc)) })
	return list[:min(len(list), n)]
}

// factor multiplies packed vectors by one vector of whole numbers, two of which are in each of its words, because one
// multiplication of words then makes two products and adds them: of a + b<<32 and y + x<<32, the upper half is ax + by,
// and what the lower half, ay, carries into it is known from ay itself.
type factor struct {
	words []uint64 // four for each eight numbers
	rest  []int32  // the numbers after the last eight
	extra int32    // what the product is too large by, since the bytes are multiplied without signs, 128 too large each
}

// newFactor returns the factor for numbers of wholeNumbers: these are so small that neither half exceeds 31 bits.
func newFactor(numbers []int32) factor {
	var f factor
	for ; len(numbers) >= 8; numbers = numbers[8:] {
		for i := range 4 {
			f.words = append(f.words, uint64(int64(numbers[i])<<32+int64(numbers[i+4])))
			// The bytes are taken without their signs, each 128 too large, which is subtracted once at the end.
			f.extra += 128 * (numbers[i] + numbers[i+4])
		}
	}
	f.rest = numbers
	return f
}

// product returns the product of the signed bytes of a row and the numbers.
func (f *factor) product(row []byte) int32 {
	const (
		signs = 0x8080808080808080
		lanes = 0x000000ff000000ff
	)
	var s0, s1, s2, s3 uint64
	words := f.words
	for len(row) >= 8 && len(words) >= 4 {
		// Four bytes of a word are multiplied at once by two numbers each.
		x, w := binary.LittleEndian.Uint64(row)^signs, (*[4]uint64)(words)
		s0 += (x & lanes) * w[0]
		s1 += (x >> 8 & lanes) * w[1]
		s2 += (x >> 16 & lanes) * w[2]
		s3 += (x >> 24 & lanes) * w[3]
		row, words = row[8:], words[4:]
	}
	sum := s0 + s1 + s2 + s3
	// The lower half may be negative, and has then carried into the upper one.
	low := int64(int32(sum))
	total := int32((int64(sum)-low)>>32) - f.extra
	for i := range min(len(row), len(f.rest)) {
		total += int32(int8(row[i])) * f.rest[i]
	}
	return total
}
