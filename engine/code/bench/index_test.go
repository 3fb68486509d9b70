package bench

import (
	"testing"
	"time"

	"chant/engine/code/embed"
	"chant/engine/code/shelf"
	"chant/engine/search/find"

	"github.com/alecthomas/assert/v2"
)

// index is a corpus that can be searched.
type index struct {
	*corpus
	segments []*find.Segment
	model    *embed.Model
	matrix   *embed.Matrix
	trained  time.Duration
}

func newIndex(tb testing.TB, c *corpus, o embed.Options) *index {
	tb.Helper()
	x := &index{corpus: c}
	const per = 5000 // documents of a segment
	for from := 0; from < len(c.docs); from += per {
		b := find.NewBuilder(shelf.Fields())
		for i := from; i < min(len(c.docs), from+per); i++ {
			b.Add(keyOf(i), c.docs[i].texts()...)
		}
		data, err := b.Bytes()
		assert.NoError(tb, err)
		s, err := find.Open(data)
		assert.NoError(tb, err)
		x.segments = append(x.segments, s)
	}
	x.learn(tb, o)
	return x
}

func (x *index) learn(tb testing.TB, o embed.Options) {
	tb.Helper()
	start := time.Now()
	m, err := embed.Train(tb.Context(), x.pairs, o)
	assert.NoError(tb, err)
	x.trained = time.Since(start)
	x.model, x.matrix = m, embed.NewMatrix(m.Dim())
	for _, s := range x.segments {
		sums := m.NewSums(0, s.Len())
		assert.NoError(tb, s.EachStem(sums.Begin, sums.Add))
		x.matrix.Add(sums.AppendPacked(nil))
	}
}

// best is how many documents of each ranking are joined.
const best = shelf.Candidates

func (x *index) lexical(tb testing.TB, text string) []shelf.Scored {
	tb.Helper()
	hits, err := find.Search(x.segments, shelf.Fields(), find.ParseQuery(text), find.Options{Top: best})
	assert.NoError(tb, err)
	list := make([]shelf.Scored, 0, len(hits))
	for _, h := range hits {
		list = append(list, shelf.Scored{Key: h.Key, Score: h.Score})
	}
	return list
}

func (x *index) semantic(text string) []shelf.Scored {
	near := x.matrix.Nearest(x.model.Vector(text), best, nil)
	list := make([]shelf.Scored, 0, len(near))
	for _, n := range near {
		list = append(list, shelf.Scored{Key: keyOf(n.Doc), Score: float64(n.Score)})
	}
	return list
}

func keysOf(list []shelf.Scored) []string {
	keys := make([]string, 0, len(list))
	for _, d := range list {
		keys = append(keys, d.Key)
	}
	return keys
}
