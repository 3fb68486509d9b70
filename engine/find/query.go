package find

import (
	"strings"
	"unicode/utf8"
)

const mostWords = 64 // of a query; what follows is ignored

// Query is a parsed question.
type Query struct {
	// Prefix also finds words that begin with the last word of the query, if nothing follows that: the query is
	// searched while it is being typed.
	Prefix bool

	words []queryWord
}

// queryWord is a word of a query.
type queryWord struct {
	word  string // as written, folded
	stem  string
	whole bool // all parts of a chain as one word; documents that have only the parts lack nothing
	dense bool
	last  bool // no space follows it in the query: it may be unfinished
}

// ParseQuery reads a query in the same way as documents are read. Stop words and repeated words are left out.
func ParseQuery(text string) Query {
	var q Query
	var tokens []token
	seen := map[string]int{}
	for from := 0; len(q.words) < mostWords; {
		start, end, ok := nextChain(text, from)
		if !ok {
			break
		}
		tokens = appendTokens(tokens[:0], text[start:end])
		for _, t := range tokens {
			if t.tail || len(q.words) == mostWords {
				continue
			}
			w := queryWord{
				word: t.word, stem: stem(t.word), dense: t.dense, last: start+t.to == len(text),
				whole: t.whole && len(tokens) > 1,
			}
			if n, ok := seen[w.stem]; ok {
				q.words[n].last = q.words[n].last || w.last
				q.words[n].whole = q.words[n].whole && w.whole
				continue
			}
			seen[w.stem] = len(q.words)
			q.words = append(q.words, w)
		}
		from = end
	}
	return q
}

// Empty reports whether the query has no word that could find anything: nothing but stop words and punctuation.
func (q Query) Empty() bool { return len(q.words) == 0 }

// Words returns the words of the query as they are searched: folded, without stop words.
func (q Query) Words() []string {
	var words []string
	for _, w := range q.words {
		words = append(words, w.word)
	}
	return words
}

// String returns the words of the query.
func (q Query) String() string { return strings.Join(q.Words(), " ") }

func runeCount(s string) int { return utf8.RuneCountInString(s) }
