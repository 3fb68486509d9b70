package words

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// EditsBetween is the textbook algorithm: optimal string alignment.
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
		most := rapid.IntRange(1, MaxEdits).Draw(t, "most")
		s := NewSpeller(word, most)
		before := ""
		for range 5 {
			b := text.Draw(t, "text")
			want := editsBetween([]rune(word), []rune(b))
			if want > most {
				want = -1
			}
			got := -1
			if s.Reuse(commonPrefix(before, b)) {
				got = s.Edits([]byte(b))
				before = b
			}
			if got != want {
				t.Fatalf("%q to %q: %d edits, want %d", word, b, got, want)
			}
		}
	})
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
