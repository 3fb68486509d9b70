package model2vec

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"

	"chant/engine/code/embed"
)

const (
	mostFile  = 2 << 30 // bytes
	mostParts = 512     // of a text that count
)

// Model is a model in memory. It may be used by several goroutines at once.
type Model struct {
	id        string
	dim       int
	tokenizer *tokenizer
	table     []float32 // a row for each vector
	weights   []float32 // of each part; nil if all are 1
	rows      []int32   // of each part; nil if they have the same numbers
}

var _ embed.Embedder = (*Model)(nil)

// Open reads the model in a folder.
func Open(dir string) (*Model, error) {
	words, err := readFile(filepath.Join(dir, "tokenizer.json"))
	if err != nil {
		return nil, err
	}
	tensors, err := readFile(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		return nil, err
	}
	m, err := Parse(words, tensors)
	if err != nil {
		return nil, fmt.Errorf("model in %q: %w", dir, err)
	}
	return m, nil
}

func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > mostFile {
		return nil, fmt.Errorf("%q is not a file of at most %d bytes", name, int64(mostFile))
	}
	return os.ReadFile(name)
}

// Parse reads a model from the bytes of its two files.
func Parse(words, tensors []byte) (*Model, error) {
	var file tokenizerFile
	if err := json.Unmarshal(words, &file); err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	t, err := newTokenizer(&file)
	if err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	all, err := readTensors(tensors)
	if err != nil {
		return nil, fmt.Errorf("model.safetensors: %w", err)
	}
	m := &Model{tokenizer: t}
	if err := m.take(all); err != nil {
		return nil, fmt.Errorf("model.safetensors: %w", err)
	}
	h := fnv.New64a()
	h.Write(words)
	h.Write(tensors)
	m.id = "model2vec-" + hex.EncodeToString(h.Sum(nil))
	return m, nil
}

// take takes the vectors, and if there are any, the weights and the numbers of rows of parts.
func (m *Model) take(all map[string]tensor) error {
	e, ok := all["embeddings"]
	if !ok || len(e.shape) != 2 || e.shape[1] == 0 {
		return fmt.Errorf("no table of embeddings")
	}
	var err error
	if m.table, err = e.floats(); err != nil {
		return err
	}
	m.dim = e.shape[1]
	rows, parts := e.shape[0], m.tokenizer.size
	if w, ok := all["weights"]; ok {
		if m.weights, err = w.floats(); err != nil {
			return err
		}
		if len(m.weights) < parts {
			return fmt.Errorf("%d weights for %d parts of words", len(m.weights), parts)
		}
	}
	if n, ok := all["mapping"]; ok {
		if m.rows, err = n.integers(); err != nil {
			return err
		}
		if len(m.rows) < parts {
			return fmt.Errorf("%d rows for %d parts of words", len(m.rows), parts)
		}
		for _, r := range m.rows {
			if r < 0 || int(r) >= rows {
				return fmt.Errorf("row %d of %d", r, rows)
			}
		}
	} else if rows < parts {
		return fmt.Errorf("%d vectors for %d parts of words", rows, parts)
	}
	return nil
}

// ID names the model by its content.
func (m *Model) ID() string { return m.id }

// Dim returns the length of the vectors.
func (m *Model) Dim() int { return m.dim }

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

// Vector returns the unit vector of a text. It is zero if no part of the text is known.
func (m *Model) Vector(text string) []float32 {
	out, square := make([]float32, m.dim), 0.0
	for _, part := range m.tokenizer.parts(text) {
		row, weight := part, float32(1)
		if m.rows != nil {
			row = int(m.rows[part])
		}
		if m.weights != nil {
			weight = m.weights[part]
		}
		for d, x := range m.table[row*m.dim:][:m.dim] {
			out[d] += weight * x
		}
	}
	for _, x := range out {
		square += float64(x) * float64(x)
	}
	if square == 0 || math.IsNaN(square) || math.IsInf(square, 0) {
		clear(out)
		return out
	}
	for d := range out {
		out[d] = float32(float64(out[d]) / math.Sqrt(square))
	}
	return out
}
