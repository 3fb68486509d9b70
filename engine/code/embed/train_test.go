package embed

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// madeUp returns pairs about things, which texts call by other words than code.
func madeUp(n int) []Pair {
	verbs := [][2]string{{"opens", "unlock"}, {"removes", "erase"}, {"counts", "tally"}, {"sorts", "arrange"}, {"sends", "transmit"}}
	nouns := [][2]string{{"file", "handle"}, {"user", "account"}, {"message", "packet"}, {"list", "array"}, {"picture", "bitmap"}, {"price", "cost"}}
	var list []Pair
	for i := range n {
		v, n := verbs[i%len(verbs)], nouns[i/len(verbs)%len(nouns)]
		list = append(list, Pair{
			Text: fmt.Sprintf("%s the %s of number%d", v[0], n[0], i%97),
			Code: fmt.Sprintf("func %s%s() { return step%d }", v[1], strings.ToUpper(n[1][:1])+n[1][1:], i%89),
		})
	}
	return list
}

// trained returns a model of made-up pairs.
var trained = sync.OnceValues(func() (*Model, error) {
	return Train(context.Background(), madeUp(3000), Options{Dim: 32})
})

func mustTrain(tb testing.TB) *Model {
	tb.Helper()
	m, err := trained()
	assert.NoError(tb, err)
	return m
}

// TestTrain_meaning: a text is nearest to the code that its words describe, with which it shares none.
func TestTrain_meaning(t *testing.T) {
	t.Parallel()
	m := mustTrain(t)
	x := NewMatrix(m.Dim())
	codes := []string{"unlockHandle", "eraseAccount", "tallyPacket", "arrangeArray", "transmitBitmap"}
	for _, c := range codes {
		assert.True(t, x.Add(Pack(m.Vector(c))), "the vector of %q does not fit", c)
	}
	for i, text := range []string{"opens a file", "remove users", "count the messages", "sorting lists", "send pictures"} {
		best := x.Nearest(m.Vector(text), 1, nil)
		assert.Equal(t, 1, len(best), "%q finds %q", text, codes[i])
		assert.Equal(t, i, best[0].Doc, "%q finds %q", text, codes[i])
	}
	v := m.Vector("completely unheard of")
	assert.Equal(t, 0, dot(v, v), "a text without known words has the vector")
}

func TestTrain_deterministic(t *testing.T) {
	t.Parallel()
	first := mustTrain(t)
	for _, workers := range []int{1, 3} {
		trainer := newTrainer(Options{Dim: 32}.withDefaults())
		trainer.workers = workers
		again, err := trainer.train(t.Context(), madeUp(3000))
		assert.NoError(t, err)
		if !bytes.Equal(again.Bytes(), first.Bytes()) || again.ID() != first.ID() {
			t.Errorf("the model differs with %d workers", workers)
		}
	}
}

func TestTrain_tooLittle(t *testing.T) {
	t.Parallel()
	same := slices.Repeat(madeUp(400), 3)
	for _, pairs := range [][]Pair{nil, madeUp(LeastPairs - 1), same, slices.Repeat([]Pair{{}}, 1000)} {
		m, err := Train(t.Context(), pairs, Options{})
		assert.True(t, m == nil, "%d pairs: %v, %v", len(pairs), m, err)
		assert.IsError(t, err, ErrTooLittle, "%d pairs", len(pairs))
	}
	_, err := Train(t.Context(), madeUp(600), Options{Dim: 8, Batch: 5000})
	assert.NoError(t, err, "a batch larger than all pairs")
}

func TestTrain_cancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	steps := 0
	m, err := Train(ctx, madeUp(3000), Options{Dim: 8, Progress: func(done, of int) {
		if steps++; done != steps || of < done {
			t.Errorf("step %d of %d after %d", done, of, steps)
		}
		if steps == 3 {
			cancel()
		}
	}})
	assert.True(t, m == nil, "%v, %v after %d steps", m, err, steps)
	assert.IsError(t, err, context.Canceled)
	assert.Equal(t, 3, steps)
	_, err = mustTrain(t).Vectors(ctx, []string{"text"})
	assert.IsError(t, err, context.Canceled)
}

func TestOpen_same(t *testing.T) {
	t.Parallel()
	m := mustTrain(t)
	again, err := Open(m.Bytes())
	assert.NoError(t, err)
	for _, text := range []string{"opens a file", "transmitBitmap", ""} {
		if !slices.Equal(m.Vector(text), again.Vector(text)) {
			t.Errorf("%q has another vector", text)
		}
	}
	if again.ID() != m.ID() || again.Dim() != m.Dim() {
		t.Errorf("%s of %d dimensions, want %s of %d", again.ID(), again.Dim(), m.ID(), m.Dim())
	}
}

func TestOpen_broken(t *testing.T) {
	t.Parallel()
	whole := mustTrain(t).Bytes()
	for n := range 200 {
		cut := whole[:n*len(whole)/200]
		m, err := Open(cut)
		assert.True(t, m == nil, "%d bytes: %v", len(cut), err)
		assert.IsError(t, err, ErrBroken, "%d bytes", len(cut))
		changed := slices.Clone(whole)
		changed[n*len(whole)/200] ^= 1
		m, err = Open(changed)
		assert.True(t, m == nil, "byte %d changed: %v", len(cut), err)
		assert.IsError(t, err, ErrBroken, "byte %d changed", len(cut))
	}
}

// FuzzOpen: bytes with a right checksum are a model that can be used, or an error.
func FuzzOpen(f *testing.F) {
	small := &Model{dim: 2, words: []string{"open", "opera"}, table: []int8{1, -2, 3, 4}, scales: []float32{0.5, 2}}
	whole := small.Bytes()
	f.Add(whole[:len(whole)-4])
	f.Add([]byte(magic + "\x01\x80\x20\xff\xff\xff\xff\xff\xff\xff\xff\x7f"))
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := Open(binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli))))
		if err != nil {
			return
		}
		for _, word := range append(m.words, "opens an opera") {
			v := m.Vector(word)
			n := dot(v, v)
			assert.Equal(t, m.dim, len(v), "the vector of %q has the square", word)
			assert.False(t, n != 0 && math.Abs(float64(n)-1) > 0.01, "the vector of %q has the square %v", word, n)
		}
	})
}
