package words

import (
	"math"
	"unicode/utf8"
)

// MaxEdits is how many edits a misspelt word is away at most from the word that was meant.
const MaxEdits = 2

const maxSpelt = 40 // letters; longer words are not corrected

// AllowedEdits returns how many edits a misspelt word may be away from the word that was meant.
func AllowedEdits(word string) int {
	switch n := utf8.RuneCountInString(word); {
	case n < 4, n > maxSpelt:
		return 0
	case n < 8:
		return 1
	}
	return MaxEdits
}

// Speller compares one word with many texts. An edit inserts, removes or replaces a letter, or swaps two neighbours.
//
// It is the automaton of Wu and Manber with transpositions: reached[e] has the bit i set if the beginning of the text
// that was read can be made of the first i letters of the word with at most e edits. Texts come in the order of a
// dictionary, so the states for the beginning that a text shares with the one before are used again, and where a
// beginning is too far from the word, so are all texts that begin with it.
type Speller struct {
	maxEdits int
	end      uint64 // the bit for the whole word
	ascii    [utf8.RuneSelf]uint64
	others   map[rune]uint64
	least    int // bytes of a text that can be near
	states   [MaxBytes + 1]spellState
	valid    int // states up to here belong to the text
	dead     int // no text with this many bytes of the text is near
}

// spellState is the state after some bytes of a text.
type spellState struct {
	reached [MaxEdits + 1]uint64
	before  [MaxEdits]uint64 // reached before the last letter
	mask    uint64           // where the word has the last letter
}

const notDead = math.MaxInt

// NewSpeller returns a speller that finds texts at most so many edits away from a word, which has at most 40 letters.
func NewSpeller(word string, edits int) *Speller {
	s := &Speller{maxEdits: min(edits, MaxEdits), others: map[rune]uint64{}, dead: notDead}
	n := 0
	for _, r := range word {
		n++
		if r < utf8.RuneSelf {
			s.ascii[r] |= 1 << n
		} else {
			s.others[r] |= 1 << n
		}
	}
	s.end = 1 << n
	s.least = n - s.maxEdits
	for e := range s.states[0].reached {
		s.states[0].reached[e] = 1<<(e+1) - 1
	}
	return s
}

// Reuse prepares for the next text, of which shared bytes equal those of the text before. It reports whether the text
// can be near the word.
func (s *Speller) Reuse(shared int) bool {
	// The beginning that both share was already too far from the word.
	if shared >= s.dead {
		return false
	}
	s.dead = notDead
	s.valid = min(s.valid, shared)
	return true
}

// Edits returns how many edits the text is away from the word, or -1 if these are too many. Reuse must have been called
// for this text.
func (s *Speller) Edits(text []byte) int {
	if len(text) < s.least || len(text) > MaxBytes {
		return -1
	}
	at := s.valid
	// States exist where characters start.
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	for at < len(text) {
		mask, size := s.ascii[text[at]&(utf8.RuneSelf-1)], 1
		if text[at] >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRune(text[at:])
			mask = s.others[r]
		}
		s.step(&s.states[at], &s.states[at+size], mask)
		at += size
		// No way is left with as few edits, whatever follows.
		if s.states[at].reached[s.maxEdits] == 0 {
			s.valid, s.dead = at, at
			return -1
		}
	}
	s.valid = at
	for e := range s.maxEdits + 1 {
		if s.states[at].reached[e]&s.end != 0 {
			return e
		}
	}
	return -1
}

// step reads a letter, which the word has where mask says.
func (s *Speller) step(from, to *spellState, mask uint64) {
	to.mask = mask
	to.reached[0] = from.reached[0] << 1 & mask
	for e := 1; e <= s.maxEdits; e++ {
		to.reached[e] = from.reached[e]<<1&mask | // the same letter
			from.reached[e-1] | from.reached[e-1]<<1 | // one more in the text, or another
			to.reached[e-1]<<1 | // one more in the word
			from.before[e-1]<<2&from.mask&(mask<<1) // swapped
	}
	to.before[0], to.before[1] = from.reached[0], from.reached[1]
}
