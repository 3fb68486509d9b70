package words

import (
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// MaxBytes is how many bytes of a word count. What follows is ignored, and a longer word has no parts.
const MaxBytes = 64

const maxDigitEdges = 3 // between letters and digits; a word with more is a hash or an id, and has no parts

// Token is a word of a text.
type Token struct {
	Word     string // folded, not stemmed
	From, To int    // bytes of the chain that it was read from
	Parts    int    // how many tokens before this one it consists of; 0 if it is a part itself
	Tail     bool   // the last character of a run in a script without spaces; queries do without it
	Dense    bool   // two characters of such a script, or one
}

// AppendTokens appends the tokens of a chain to list: its parts without stop words and single letters, and the whole if
// it has several. If joiners connect runs that have several parts, such a run is a token too: "q7e" of "001-q7e".
func AppendTokens(list []Token, chain string) []Token {
	if kind, _ := kindAt(chain, 0); kind == dense {
		return appendPairs(list, chain)
	}
	// Most chains have one part.
	if endOfPart(chain, 0) == len(chain) {
		if word := clip(Fold(chain)); word != "" && !IsStop(word) {
			list = append(list, Token{Word: word, To: len(chain)})
		}
		return list
	}
	all, connected := len(list), endOfRun(chain, 0) < len(chain)
	for from := 0; from < len(chain); {
		end, first := endOfRun(chain, from), len(list)
		for at := from; at < end; {
			to := endOfPart(chain, at)
			word := clip(Fold(chain[at:to]))
			if utf8.RuneCountInString(word) > 1 && !IsStop(word) {
				list = append(list, Token{Word: word, From: at, To: to})
			}
			at = to
		}
		// A run between joiners is a word too if it has parts of its own.
		if connected && endOfPart(chain, from) < end {
			list = appendWhole(list, first, chain, from, end)
		}
		from = end + 1
	}
	return appendWhole(list, all, chain, 0, len(chain))
}

// appendWhole appends a range of a chain as one word, which consists of the tokens from first on.
func appendWhole(list []Token, first int, chain string, from, to int) []Token {
	word := Fold(withoutJoiners(chain[from:to]))
	if word == "" || len(word) > MaxBytes {
		return list
	}
	return append(list, Token{Word: word, From: from, To: to, Parts: len(list) - first})
}

// appendPairs appends each pair of neighbours of a run in a script without spaces, and its last character. Thus a
// single character finds all pairs that it begins, and the runs that it ends.
func appendPairs(list []Token, run string) []Token {
	for i := 0; i < len(run); {
		_, size := utf8.DecodeRuneInString(run[i:])
		end, tail := i+size, false
		if end < len(run) {
			_, next := utf8.DecodeRuneInString(run[end:])
			end += next
		} else {
			tail = i > 0
		}
		if word := clip(Fold(run[i:end])); word != "" {
			list = append(list, Token{Word: word, From: i, To: end, Dense: true, Tail: tail})
		}
		i += size
	}
	return list
}

// endOfPart returns where the part of chain ends that starts at From: at a joiner, before a capital after a small
// letter, before the last capital of a row of capitals, or between letters and digits.
func endOfPart(chain string, from int) int {
	end := endOfRun(chain, from)
	run := chain[from:end]
	// Hashes and ids have no words in them.
	if len(run) > MaxBytes || digitEdges(run) > maxDigitEdges {
		return end
	}
	before := caseless
	for i, r := range run {
		now := caseOf(r)
		switch {
		case now == marked:
			continue
		case i == 0:
		case (before == digit) != (now == digit), before == lower && now == upper:
			return from + i
		case before == upper && now == upper && startsWord(run[i:]):
			return from + i
		}
		before = now
	}
	return end
}

// endOfRun returns where the next joiner after from is, or the end of the chain.
func endOfRun(chain string, from int) int {
	for from < len(chain) && !isJoiner(chain[from]) {
		from++
	}
	return from
}

// startsWord reports whether a capital, and then small letters, begin s; "Ls" of "URLs" is a plural, not a word.
func startsWord(s string) bool {
	_, size := utf8.DecodeRuneInString(s)
	s = s[size:]
	r, size := utf8.DecodeRuneInString(s)
	if caseOf(r) != lower {
		return false
	}
	next, _ := utf8.DecodeRuneInString(s[size:])
	return r != 's' || caseOf(next) == lower
}

func digitEdges(run string) int {
	edges, before := 0, caseless
	for i, r := range run {
		now := caseOf(r)
		if now == marked {
			continue
		}
		if i > 0 && (before == digit) != (now == digit) {
			edges++
		}
		before = now
	}
	return edges
}

// Cases of characters.
const (
	caseless = iota
	lower
	upper
	digit
	marked
)

func caseOf(r rune) int {
	switch {
	case 'a' <= r && r <= 'z':
		return lower
	case 'A' <= r && r <= 'Z':
		return upper
	case '0' <= r && r <= '9':
		return digit
	case r < utf8.RuneSelf, r == utf8.RuneError:
		return caseless
	case unicode.IsMark(r):
		return marked
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return upper
	case unicode.IsLower(r):
		return lower
	case unicode.IsNumber(r):
		return digit
	}
	return caseless
}

func isJoiner(c byte) bool { return c == '_' || c == '-' }

func withoutJoiners(chain string) string {
	b := make([]byte, 0, len(chain))
	for i := range len(chain) {
		if !isJoiner(chain[i]) {
			b = append(b, chain[i])
		}
	}
	return string(b)
}

// clip cuts a word that is too long.
func clip(word string) string {
	if len(word) <= MaxBytes {
		return word
	}
	end := MaxBytes
	for !utf8.RuneStart(word[end]) {
		end--
	}
	return word[:end]
}

// Stem returns the Porter2 stem of a folded word. Words with anything but ASCII letters are their own stems.
func Stem(word string) string {
	if len(word) < 3 {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	return english.Stem(word, true)
}

// Plain returns a chain that is a single part, folded; or "" if it is not, or a single letter.
func Plain(chain string) string {
	if kind, _ := kindAt(chain, 0); kind == dense || endOfPart(chain, 0) < len(chain) {
		return ""
	}
	if word := clip(Fold(chain)); utf8.RuneCountInString(word) > 1 {
		return word
	}
	return ""
}
