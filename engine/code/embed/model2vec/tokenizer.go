package model2vec

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// tokenizerFile is what is read of tokenizer.json.
type tokenizerFile struct {
	Normalizer   *step `json:"normalizer"`
	PreTokenizer *step `json:"pre_tokenizer"`
	Model        struct {
		Type    string          `json:"type"`
		Vocab   json.RawMessage `json:"vocab"`
		Unknown string          `json:"unk_token"`
		Prefix  *string         `json:"continuing_subword_prefix"`
		Longest int             `json:"max_input_chars_per_word"`
		UnkID   *int            `json:"unk_id"`
	} `json:"model"`
}

// tokenizer divides texts into parts of words, and names these by their numbers.
type tokenizer struct {
	normalize func(string) string
	split     func(string) []string
	divide    func(t *tokenizer, list []int, word string) []int
	numbers   map[string]int
	scores    []float64 // of Unigram
	unknown   int       // -1 if there is none
	prefix    string    // of a part that begins inside a word
	longest   int       // characters of a word; a longer one is unknown
	mostBytes int       // of a part
	size      int
}

func newTokenizer(f *tokenizerFile) (*tokenizer, error) {
	t := &tokenizer{numbers: map[string]int{}, unknown: -1, prefix: "##", longest: 100}
	var err error
	if t.normalize, err = normalizer(f.Normalizer); err != nil {
		return nil, err
	}
	if t.split, err = splitter(f.PreTokenizer); err != nil {
		return nil, err
	}
	switch f.Model.Type {
	case "WordPiece":
		err = t.readPieces(f)
	case "Unigram":
		err = t.readUnigram(f)
	default:
		return nil, fmt.Errorf("the model of type %q is not known (use WordPiece or Unigram)", f.Model.Type)
	}
	if err == nil && len(t.numbers) == 0 {
		err = fmt.Errorf("the vocabulary is empty")
	}
	for part := range t.numbers {
		t.mostBytes = max(t.mostBytes, len(part))
	}
	return t, err
}

func (t *tokenizer) readPieces(f *tokenizerFile) error {
	if err := json.Unmarshal(f.Model.Vocab, &t.numbers); err != nil {
		return fmt.Errorf("vocabulary: %w", err)
	}
	for part, n := range t.numbers {
		if n < 0 || n > math.MaxInt32 {
			return fmt.Errorf("%q has the number %d", part, n)
		}
		t.size = max(t.size, n+1)
	}
	if n, ok := t.numbers[f.Model.Unknown]; ok {
		t.unknown = n
	}
	if f.Model.Prefix != nil {
		t.prefix = *f.Model.Prefix
	}
	if f.Model.Longest > 0 {
		t.longest = f.Model.Longest
	}
	t.divide = (*tokenizer).appendPieces
	return nil
}

func (t *tokenizer) readUnigram(f *tokenizerFile) error {
	var vocabulary [][2]any
	if err := json.Unmarshal(f.Model.Vocab, &vocabulary); err != nil {
		return fmt.Errorf("vocabulary: %w", err)
	}
	for n, entry := range vocabulary {
		part, isText := entry[0].(string)
		score, isNumber := entry[1].(float64)
		if !isText || !isNumber {
			return fmt.Errorf("entry %d of the vocabulary is not a text with a score", n)
		}
		t.numbers[part] = n
		t.scores = append(t.scores, score)
	}
	t.size = len(t.scores)
	if id := f.Model.UnkID; id != nil && *id >= 0 && *id < t.size {
		t.unknown = *id
	}
	t.divide = (*tokenizer).appendLikeliest
	return nil
}

// parts returns the numbers of the known parts of a text.
func (t *tokenizer) parts(text string) []int {
	if len(text) > mostParts*64 {
		text = text[:mostParts*64]
	}
	var list []int
	for _, word := range t.split(t.normalize(strings.ToValidUTF8(text, ""))) {
		if list = t.divide(t, list, word); len(list) >= mostParts {
			return list[:mostParts]
		}
	}
	return list
}

// appendPieces appends the parts of a word: always the longest that the vocabulary has. A word with a rest that it does
// not have is unknown as a whole, and left out.
func (t *tokenizer) appendPieces(list []int, word string) []int {
	if utf8.RuneCountInString(word) > t.longest {
		return list
	}
	first, prefix := len(list), ""
	for rest := word; rest != ""; prefix = t.prefix {
		end := min(len(rest), t.mostBytes)
		n, ok := 0, false
		for ; end > 0; end-- {
			if end < len(rest) && !utf8.RuneStart(rest[end]) {
				continue
			}
			if n, ok = t.numbers[prefix+rest[:end]]; ok {
				break
			}
		}
		if !ok || n == t.unknown {
			return list[:first]
		}
		list, rest = append(list, n), rest[end:]
	}
	return list
}

// appendLikeliest appends the parts of a word whose scores have the highest sum. What the vocabulary does not have is
// left out, character by character.
func (t *tokenizer) appendLikeliest(list []int, word string) []int {
	const unknownScore = -1e6
	type state struct {
		score float64
		from  int
		part  int
	}
	states := make([]state, len(word)+1)
	for i := range states {
		states[i].score = math.Inf(-1)
	}
	states[0].score = 0
	for from := range word {
		_, size := utf8.DecodeRuneInString(word[from:])
		if s := states[from].score + unknownScore; s > states[from+size].score {
			states[from+size] = state{s, from, -1}
		}
		for end := from + size; end <= min(len(word), from+t.mostBytes); end++ {
			if n, ok := t.numbers[word[from:end]]; ok && n != t.unknown {
				if s := states[from].score + t.scores[n]; s > states[end].score {
					states[end] = state{s, from, n}
				}
			}
		}
	}
	first := len(list)
	for at := len(word); at > 0; at = states[at].from {
		if states[at].part >= 0 {
			list = append(list, states[at].part)
		}
	}
	for i, j := first, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}
