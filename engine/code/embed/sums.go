package embed

import "math"

// Sums makes the vectors of many documents at once from an index, which says for each word which documents contain it
// and how often: no text is read. A vector is that which Model.Vector returns for the text of the document, except that
// all words of the text count and not the first ones only, and that rounding may differ.
type Sums struct {
	model  *Model
	first  uint32    // of the documents
	rows   []float32 // of the vectors
	word   []float32 // the row of the present word
	shares []float32 // of a word by how often it occurs
}

// NewSums begins with n documents, whose numbers start at first.
func (m *Model) NewSums(first uint32, n int) *Sums {
	s := &Sums{model: m, first: first, rows: make([]float32, n*m.dim), word: make([]float32, m.dim), shares: make([]float32, 64)}
	for times := range s.shares {
		s.shares[times] = share(times)
	}
	return s
}

// share returns how much a word counts that occurs so often: the more often, the more, but ever less so.
func share(times int) float32 { return float32(1 + math.Log(float64(times))) }

// Begin says which word the following documents contain. It returns false if the model does not know the word.
func (s *Sums) Begin(word []byte) bool {
	n, ok := s.model.numbers[string(word)]
	if !ok {
		return false
	}
	row, scale := s.model.table[int(n)*s.model.dim:][:s.model.dim], s.model.scales[n]
	for d := range s.word {
		s.word[d] = scale * float32(row[d])
	}
	return true
}

// Add says that a document contains the word so many times. Other documents are ignored; it returns false for those
// after the last.
func (s *Sums) Add(doc uint32, times int) bool {
	at := int(doc) - int(s.first)
	// Posting lists begin before the documents of this part.
	if at < 0 || times < 1 {
		return true
	}
	if (at+1)*s.model.dim > len(s.rows) {
		return false
	}
	weight := float32(0)
	if times < len(s.shares) {
		weight = s.shares[times]
	} else {
		weight = share(times)
	}
	addScaled(s.rows[at*s.model.dim:][:s.model.dim], s.word, weight)
	return true
}

// AppendPacked appends the vectors of all documents as Pack returns them.
func (s *Sums) AppendPacked(out []byte) []byte {
	for at := 0; at < len(s.rows); at += s.model.dim {
		row := s.rows[at:][:s.model.dim]
		normalise(row)
		out = append(out, Pack(row)...)
	}
	return out
}
