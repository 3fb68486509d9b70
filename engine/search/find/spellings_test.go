package find

import (
	"testing"

	"chant/engine/search/words"
)

// Every word of a dictionary within the allowed edits is found, and no other.
func TestSpellings_all(t *testing.T) {
	t.Parallel()
	w := newWriter(3, 3000)
	b := NewBuilder(specFields())
	for _, word := range w.words {
		b.Add(word, word)
	}
	s := opened(t, b)
	texts := map[string]bool{}
	for i := range s.entries {
		text, err := s.text(i)
		if err != nil {
			t.Fatal(err)
		}
		texts[text] = true
	}
	for range 200 {
		word := misspell(w.rnd, w.word()+"en")
		want := map[string]bool{}
		for text := range texts {
			if words.NewSpeller(word, words.AllowedEdits(word)).Edits([]byte(text)) >= 0 {
				want[text] = true
			}
		}
		c := &collector{segments: 1, stems: map[string]*variant{}}
		if words.AllowedEdits(word) == 0 {
			continue
		}
		if err := s.collectSpellings(words.NewSpeller(word, words.AllowedEdits(word)), c); err != nil {
			t.Fatal(err)
		}
		for text := range want {
			e, err := s.find(text)
			if err != nil {
				t.Fatal(err)
			}
			if e.stem >= 0 {
				if text, err = s.text(e.stem); err != nil {
					t.Fatal(err)
				}
			}
			if c.stems[text] == nil {
				t.Errorf("%q is not read as %q", word, text)
			}
		}
		if len(c.stems) > 0 && len(want) == 0 {
			t.Errorf("%q is read as %v", word, c.stems)
		}
	}
}
