package embed

import (
	"context"
	"math"
	"sync"
)

// Model is a trained table of word vectors. It may be used by several goroutines at once.
type Model struct {
	dim     int
	words   []string // in order
	table   []int8   // a row for each word
	scales  []float32
	id      string
	numbers map[string]int32
	readers sync.Pool
}

// ID names the model by its content.
func (m *Model) ID() string { return m.id }

// Dim returns the length of the vectors.
func (m *Model) Dim() int { return m.dim }

// Vector returns the unit vector of a text: of a question or of code. It is zero if no word of the text is known.
func (m *Model) Vector(text string) []float32 {
	// A reader remembers words, which the next text mostly has as well.
	r, ok := m.readers.Get().(*wordReader)
	if !ok {
		r = newWordReader(m.numberOf)
	}
	defer m.readers.Put(r)
	out := make([]float32, m.dim)
	b := newBag(r.appendWords(nil, text))
	for i, w := range b.words {
		row, scale := m.table[int(w)*m.dim:][:m.dim], m.scales[w]*b.weights[i]
		for d := range row {
			out[d] += scale * float32(row[d])
		}
	}
	normalise(out)
	return out
}

// normalise gives a vector the length 1, unless it is zero.
func normalise(v []float32) {
	length := float32(math.Sqrt(float64(dot(v, v))))
	// A vector that cannot be scaled is similar to nothing.
	if length == 0 || math.IsInf(float64(length), 0) || math.IsNaN(float64(length)) {
		clear(v)
		return
	}
	for d := range v {
		v[d] /= length
	}
}

func (m *Model) numberOf(stem string) int32 {
	if n, ok := m.numbers[stem]; ok {
		return n
	}
	return -1
}

// Vectors returns the vectors of texts. It fails only if it is cancelled.
func (m *Model) Vectors(ctx context.Context, texts []string) ([][]float32, error) {
	list := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list[i] = m.Vector(text)
	}
	return list, nil
}
