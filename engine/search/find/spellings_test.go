package find

import (
	"testing"

	"chant/engine/search/words"

	"github.com/alecthomas/assert/v2"
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
		assert.NoError(t, err)
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
		assert.NoError(t, s.collectSpellings(words.NewSpeller(word, words.AllowedEdits(word)), c))
		for text := range want {
			e, err := s.find(text)
			assert.NoError(t, err)
			if e.stem >= 0 {
				text, err = s.text(e.stem)
				assert.NoError(t, err)
			}
			assert.True(t, c.stems[text] != nil, "%q is not read as %q", word, text)
		}
		assert.False(t, len(c.stems) > 0 && len(want) == 0, "%q is read as %v", word, c.stems)
	}
}
