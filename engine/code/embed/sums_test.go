package embed

import (
	"math"
	"slices"
	"testing"
)

// TestSums: the vectors made from how often words occur are those of the texts, whichever range of documents is asked
// for.
func TestSums(t *testing.T) {
	t.Parallel()
	m := mustTrain(t)
	texts := []string{"opens the files of files", "", "unlockHandle(step1)", "completely unheard of", "transmitBitmap transmit bitmap"}
	read := newWordReader(m.numberOf)
	for first := range texts {
		sums := m.NewSums(uint32(first), 2)
		if sums.Begin([]byte("unheardof")) {
			t.Error("an unknown word is known")
		}
		for n, word := range m.words {
			if !sums.Begin([]byte(word)) {
				t.Fatalf("%q is not known", word)
			}
			for doc, text := range texts {
				times := 0
				for _, w := range read.appendWords(nil, text) {
					if int(w) == n {
						times++
					}
				}
				if more := sums.Add(uint32(doc), times); more != (times == 0 || doc < first+2) {
					t.Errorf("document %d of %d and 2 more: %v", doc, first, more)
				}
			}
		}
		for i, row := range slices.Collect(slices.Chunk(sums.AppendPacked(nil), PackedLen(m.Dim()))) {
			got, want := make([]float32, m.Dim()), make([]float32, m.Dim())
			if first+i < len(texts) {
				want = m.Vector(texts[first+i])
			}
			if !unpack(got, row) {
				t.Fatal("a vector has another length")
			}
			for d := range got {
				if math.Abs(float64(got[d]-want[d])) > 0.005 {
					t.Fatalf("document %d: %v, want %v", first+i, got, want)
				}
			}
		}
	}
}
