package words

import (
	"unicode"
	"unicode/utf8"
)

// Kinds of characters.
const (
	other  = iota // separates words
	letter        // letters and digits
	joiner        // "_" and "-" connect the parts of one chain
	dense         // characters of scripts that do not separate words by spaces
	mark          // belongs to the letter before it
)

// NextChain returns the next chain of text at or after from: the longest run of letters and digits that single joiners
// connect, such as "getUserId", "needs_attention" or "three-way"; or the longest run of characters of a script without
// spaces. It returns false at the end of the text.
func NextChain(text string, from int) (start, end int, ok bool) {
	for i := from; i < len(text); {
		kind, size := kindAt(text, i)
		switch kind {
		case letter:
			// The rest of a contraction is no word.
			if n := endOfContraction(text, i); n > 0 {
				i = n
				continue
			}
			return i, endOfLetters(text, i+size), true
		case dense:
			return i, endOfDense(text, i+size), true
		}
		i += size
	}
	return 0, 0, false
}

// kinds are those of ASCII characters.
var kinds = func() (list [utf8.RuneSelf]uint8) {
	for c := range list {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
			list[c] = letter
		case c == '_', c == '-':
			list[c] = joiner
		}
	}
	return list
}()

func kindAt(text string, i int) (kind, size int) {
	if c := text[i]; c < utf8.RuneSelf {
		return int(kinds[c]), 1
	}
	return kindOf(text, i)
}

// kindOf is kindAt for characters that are not ASCII.
func kindOf(text string, i int) (kind, size int) {
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case isDense(r):
		return dense, size
	case unicode.IsLetter(r), unicode.IsNumber(r):
		return letter, size
	case unicode.IsMark(r):
		return mark, size
	}
	return other, size
}

func isDense(r rune) bool {
	if r < 0x0E00 {
		return false
	}
	return isPlainIdeograph(r) || unicode.In(r,
		unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func endOfLetters(text string, i int) int {
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf && kinds[c] == letter {
			i++
			continue
		}
		kind, size := kindAt(text, i)
		// A joiner only connects if a letter follows.
		if kind == joiner && i+size < len(text) {
			if next, _ := kindAt(text, i+size); next == letter {
				i += size
				continue
			}
		}
		if kind != letter && kind != mark {
			return i
		}
		i += size
	}
	return i
}

func endOfDense(text string, i int) int {
	for i < len(text) {
		kind, size := kindAt(text, i)
		if kind != dense && kind != mark {
			return i
		}
		i += size
	}
	return i
}

// endOfContraction returns where the rest of a contraction ends that starts at i, such as the "s" of "user's" or the
// "ll" of "we'll", or 0 if there is none. Such rests are not words.
func endOfContraction(text string, i int) int {
	if !afterApostrophe(text, i) {
		return 0
	}
	end := endOfLetters(text, i)
	switch Fold(text[i:end]) {
	case "s", "t", "d", "m", "re", "ve", "ll":
		return end
	}
	return 0
}

func afterApostrophe(text string, i int) bool {
	const curly = "’"
	// The last byte of the curly apostrophe is compared first, which excludes most letters at once.
	if i == 0 || text[i-1] != '\'' && text[i-1] != curly[len(curly)-1] {
		return false
	}
	at := i
	switch {
	case i > 0 && text[i-1] == '\'':
		at = i - 1
	case i >= len(curly) && text[i-len(curly):i] == curly:
		at = i - len(curly)
	}
	if at == i || at == 0 {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return unicode.IsLetter(r)
}
