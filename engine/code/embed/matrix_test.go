package embed

import (
	"math"
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

// TestPack: what is unpacked differs by no more than a half of its smallest step.
func TestPack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float32Range(-3, 3), 1, 40).Draw(t, "vector")
		data, out := Pack(v), make([]float32, len(v))
		if len(data) != PackedLen(len(v)) || !unpack(out, data) {
			t.Fatalf("%v is packed as %v", v, data)
		}
		most := float32(0)
		for _, x := range v {
			most = max(most, x, -x)
		}
		for d := range v {
			if diff := math.Abs(float64(v[d] - out[d])); diff > float64(most)/127*0.51 {
				t.Errorf("%v became %v", v[d], out[d])
			}
		}
	})
}

func TestPack_odd(t *testing.T) {
	t.Parallel()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, v := range [][]float32{{nan, 1}, {inf, 1}, {-inf, nan}, {0, 0}, {math.MaxFloat32, 1}} {
		out := make([]float32, 2)
		if unpack(out, Pack(v)) {
			for _, x := range out {
				assert.Equal(t, x, x, "%v became %v", v, out)
				assert.False(t, math.IsInf(float64(x), 0), "%v became %v", v, out)
			}
		}
	}
	m := NewMatrix(2)
	for _, data := range [][]byte{{1, 2, 3}, make([]byte, 7), {0, 0, 0xc0, 0x7f, 1, 1}, {0, 0, 0x80, 0xbf, 1, 1}} {
		assert.False(t, m.Add(data), "%v was added", data)
		assert.Equal(t, 0, m.Len())
	}
	m.AddNone(1)
	assert.True(t, m.Nearest([]float32{1}, 1, nil) == nil, "documents are near a vector of another length")
}

// TestNearest: the best are those that sorting all would find, however many goroutines look.
func TestNearest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.SliceOfN(rapid.IntRange(-127, 127), 1, 600).Draw(t, "scores")
		docs := rapid.SampledFrom([]int{len(few), 5000, 20_000}).Draw(t, "documents")
		n := rapid.IntRange(0, 20).Draw(t, "n")
		keep := func(doc int) bool { return doc%3 != 0 }
		m := NewMatrix(1)
		var rows []byte
		for doc := range docs {
			rows = append(rows, 0, 0, 0x80, 0x3f, byte(few[doc%len(few)])) // the scale 1
		}
		half := docs / 2 * PackedLen(1)
		if !m.Add(rows[:half]) || !m.Add(rows[half:]) {
			t.Fatal("not added")
		}
		var want []Near
		for doc, s := range scoresOf(m, []float32{1}) {
			if s > 0 && keep(doc) {
				want = append(want, Near{doc, s})
			}
		}
		want = bestOf(want, n)
		if got := m.Nearest([]float32{1}, n, keep); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// scoresOf returns the scores of all documents.
func scoresOf(m *Matrix, query []float32) []float32 {
	whole, scale := wholeNumbers(query)
	by, out := newFactor(whole), make([]float32, m.Len())
	m.score(out, 0, &by, scale)
	return out
}

// TestMatrix: scores are those of the vectors as they were packed, however these were added.
func TestMatrix(t *testing.T) {
	t.Parallel()
	for _, dim := range []int{3, 4096} {
		docs := 60_000 / dim
		m, none := NewMatrix(dim), 7
		var rows []byte
		var vectors [][]float32
		for i := range docs {
			v, packed := make([]float32, dim), make([]float32, dim)
			for d := range v {
				v[d] = float32((i+1)*(d%5-2)) / 10
			}
			rows = append(rows, Pack(v)...)
			unpack(packed, Pack(v))
			vectors = append(vectors, packed)
		}
		half := docs / 2 * PackedLen(dim)
		assert.True(t, m.Add(rows[:half]), "not added")
		assert.True(t, m.Add(nil), "not added")
		m.AddNone(none)
		assert.True(t, m.Add(rows[half:]), "not added")
		assert.Equal(t, docs+none, m.Len(), "not added")
		query := make([]float32, dim)
		for d := range query {
			query[d] = 1 / float32(d+2)
		}
		scores := scoresOf(m, query)
		for i := range none {
			assert.Equal(t, 0, scores[docs/2+i], "a document without a vector has the score")
		}
		scores = slices.Delete(scores, docs/2, docs/2+none)
		for i, got := range scores {
			if want := dot(query, vectors[i]); math.Abs(float64(got-want)) > 1e-3*math.Abs(float64(want))+1e-3*float64(i) {
				t.Fatalf("%d dimensions, document %d: %v, want %v", dim, i, got, want)
			}
		}
	}
}

func BenchmarkNearest_50k(b *testing.B) {
	m := NewMatrix(128)
	var rows []byte
	v := make([]float32, 128)
	random := uint64(1)
	for range 50000 {
		for d := range v {
			v[d] = float32(int32(next(&random))) / math.MaxInt32
		}
		rows = append(rows, Pack(v)...)
	}
	m.Add(rows)
	for b.Loop() {
		m.Nearest(v, 200, nil)
	}
}
