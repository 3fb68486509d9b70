package find

import (
	"slices"
	"testing"
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
		query := words(1 + i%7)(w)
		if i%3 == 0 {
			query = frequent(w) + " " + query
		}
		q := ParseQuery(query)
		q.Prefix = i%2 == 0
		all := mustSearch(t, one, q, Options{Top: len(texts)})
		for _, top := range []int{1, 5, 40} {
			want := keys(all[:min(top, len(all))])
			if got := keys(mustSearch(t, one, q, Options{Top: top})); !slices.Equal(got, want) {
				t.Errorf("%q, top %d: %q, want %q", query, top, got, want)
			}
			if got := keys(mustSearch(t, several, q, Options{Top: top})); !slices.Equal(got, want) {
				t.Errorf("%q, top %d of several segments: %q, want %q", query, top, got, want)
			}
		}
	}
}
