package find

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// The best documents are the same whether the others are skipped early or ranked too, which asking for all of them
// requires.
func TestSearch_skipsNoneOfTheBest(t *testing.T) {
	t.Parallel()
	w := newWriter(8, 5000)
	var texts []string
	for range 1500 {
		texts = append(texts, w.text(400))
	}
	one, several := build(t, texts, len(texts)), build(t, texts, 200)
	for i := range 150 {
		query := randomWords(1 + i%7)(w)
		if i%3 == 0 {
			query = frequent(w) + " " + query
		}
		q := ParseQuery(query)
		q.Prefix = i%2 == 0
		all := mustSearch(t, one, q, Options{Top: len(texts)})
		for _, top := range []int{1, 5, 40} {
			want := keys(all[:min(top, len(all))])
			assert.Equal(t, want, keys(mustSearch(t, one, q, Options{Top: top})), "%q, top %d", query, top)
			assert.Equal(t, want, keys(mustSearch(t, several, q, Options{Top: top})), "%q, top %d of several segments", query, top)
		}
	}
}

// TestSearchGroups: each group has the documents that a search of that group alone finds, and the number of all.
func TestSearchGroups(t *testing.T) {
	t.Parallel()
	w := newWriter(9, 2000)
	var texts []string
	for range 400 {
		texts = append(texts, w.text(100))
	}
	segments := build(t, texts, 150)
	groupOf := func(segment int, doc uint32) int { return (segment + int(doc)) % 2 }
	keep := func(_ int, doc uint32) bool { return doc%3 != 0 }
	for i := range 40 {
		q := ParseQuery(frequent(w) + " " + randomWords(1+i%4)(w))
		groups, err := SearchGroups(segments, specFields(), q, Options{Keep: keep}, []int{1 + i, len(texts)}, groupOf)
		assert.NoError(t, err)
		assert.Equal(t, 2, len(groups))
		for number, got := range groups {
			all := mustSearch(t, segments, q, Options{Top: len(texts), Keep: func(segment int, doc uint32) bool {
				return keep(segment, doc) && groupOf(segment, doc) == number
			}})
			want := all
			if number == 0 {
				want = all[:min(1+i, len(all))]
			}
			assert.Equal(t, want, got.Hits, "%q: group %d has %d of %d", q, number, len(got.Hits), len(want))
			assert.Equal(t, len(all), got.Total, "%q: group %d has %d of %d", q, number, len(got.Hits), len(want))
		}
	}
}
