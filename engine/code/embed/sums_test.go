package embed

import (
	"math"
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
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
		assert.False(t, sums.Begin([]byte("unheardof")), "an unknown word is known")
		for n, word := range m.words {
			assert.True(t, sums.Begin([]byte(word)), "%q is not known", word)
			for doc, text := range texts {
				times := 0
				for _, w := range read.appendWords(nil, text) {
					if int(w) == n {
						times++
					}
				}
				assert.Equal(t, times == 0 || doc < first+2, sums.Add(uint32(doc), times))
			}
		}
		for i, row := range slices.Collect(slices.Chunk(sums.AppendPacked(nil), PackedLen(m.Dim()))) {
			got, want := make([]float32, m.Dim()), make([]float32, m.Dim())
			if first+i < len(texts) {
				want = m.Vector(texts[first+i])
			}
			assert.True(t, unpack(got, row), "a vector has another length")
			for d := range got {
				assert.False(t, math.Abs(float64(got[d]-want[d])) > 0.005, "document %d: %v, want %v", first+i, got, want)
			}
		}
	}
}
