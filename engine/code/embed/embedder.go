package embed

import "context"

// Embedder makes vectors of texts.
type Embedder interface {
	// ID names what makes the vectors. Those of different IDs cannot be compared.
	ID() string
	// Dim returns the length of the vectors; 0 if that is known only after the first ones.
	Dim() int
	// Vectors returns a unit vector for each text. That of a text that has none is nil or zero.
	Vectors(ctx context.Context, texts []string) ([][]float32, error)
}

var _ Embedder = (*Model)(nil)
