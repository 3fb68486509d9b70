package spec

import (
	"fmt"
	"strings"
)

// SortedLetters returns a key in lower case without the characters that join its words.
func SortedLetters(key string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(key))
}

// Nearest returns the word that a text is most likely meant to be, "" if none is near.
func Nearest(text string, words []string) string {
	// A short word allows fewer differences, because everything short is near to everything else.
	best, at := "", min(3, 1+(len(SortedLetters(text))+1)/3)
	for _, w := range words {
		if d := EditDistance(SortedLetters(text), SortedLetters(w)); d < at {
			best, at = w, d
		}
	}
	return best
}

// Unknown is the message about a word that is none of the known ones: it lists them, and names the nearest.
func Unknown(what, word string, known []string) string {
	near := Nearest(word, known)
	// A word that is known elsewhere was meant as it is.
	if near == word {
		near = ""
	}
	return fmt.Sprintf("unknown %s %q (one of %s)", what, Echo(word), strings.Join(known, ", ")) + DidYouMean(near)
}

// DidYouMean is the end of a message about an unknown word that asks whether another one was meant; "" if none is near.
func DidYouMean(near string) string {
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", near)
}

// EditDistance returns the number of bytes to insert, delete, replace or swap with their neighbour to turn one text into
// the other.
func EditDistance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			// Two neighbouring letters in the wrong order are one mistake of typing.
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
