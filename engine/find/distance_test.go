package find

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// editsBetween is the textbook algorithm: optimal string alignment.
func editsBetween(a, b []rune) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range b {
		rows[0][j+1] = j + 1
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

func TestSpeller_textbook(t *testing.T) {
	t.Parallel()
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "é", "語"}), 0, 8).Draw(t, "letters"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		word := text.Draw(t, "word")
		most := rapid.IntRange(1, mostEdits).Draw(t, "most")
		s := newSpeller(word, most)
		before := ""
		for range 5 {
			b := text.Draw(t, "text")
			want := editsBetween([]rune(word), []rune(b))
			if want > most {
				want = -1
			}
			got := -1
			if s.reuse(commonPrefix([]byte(before), []byte(b))) {
				got = s.edits([]byte(b))
				before = b
			}
			if got != want {
				t.Fatalf("%q to %q: %d edits, want %d", word, b, got, want)
			}
		}
	})
}

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
			if editsBetween([]rune(word), []rune(text)) <= allowedEdits(word) {
				want[text] = true
			}
		}
		c := &collector{segments: 1, stems: map[string]*variant{}}
		if allowedEdits(word) == 0 {
			continue
		}
		if err := s.collectSpellings(newSpeller(word, allowedEdits(word)), c); err != nil {
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
