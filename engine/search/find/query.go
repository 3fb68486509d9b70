package find

import (
	"slices"
	"strings"
	"unicode/utf8"

	"chant/engine/search/words"
)

const maxWords = 64 // of a query; what follows is ignored

// Query is a parsed question.
type Query struct {
	// Prefix also finds words that begin with the last word of the query, if nothing follows that: the query is
	// searched while it is being typed.
	Prefix bool

	words []queryWord
}

// queryWord is a word of a query.
type queryWord struct {
	word   string // as written, folded
	stem   string
	parts  []int // of a word that consists of others of the query, those words
	joined bool  // written as two words
	dense  bool
	last   bool // nothing follows it in the query: it may be unfinished
}

// isWhole reports whether the word consists of other words of the query. Documents that have only those lack nothing.
func (w queryWord) isWhole() bool { return len(w.parts) > 0 }

// mayContinue reports whether the word is also read as the beginning of words: it is unfinished, or a single character
// of a script that is read in pairs.
func (q Query) mayContinue(w queryWord) bool {
	letters := runeCount(w.word)
	return q.Prefix && w.last && letters >= leastPrefix || w.dense && letters == 1
}

// ParseQuery reads a query in the same way as documents are read. Stop words and repeated words are left out. Two plain
// words side by side are also one word, so that "front matter" finds "frontmatter" and "front-matter".
func ParseQuery(text string) Query {
	p := queryParser{text: text, seen: map[string]int{}}
	before := ""
	for from := 0; ; {
		start, end, ok := words.NextChain(text, from)
		if !ok {
			return p.query
		}
		// Only words side by side can be one word; punctuation separates them.
		if strings.TrimSpace(text[from:start]) != "" {
			before = ""
		}
		chain := p.addChain(start, end)
		plain := words.Plain(text[start:end])
		if before != "" && plain != "" {
			p.addJoined(before+plain, p.before, chain)
		}
		before, p.before = plain, chain
		from = end
	}
}

type queryParser struct {
	text   string
	query  Query
	seen   map[string]int // words by stem
	tokens []words.Token
	before []int // words of the chain before
}

// addChain adds the words of a chain and returns their numbers.
func (p *queryParser) addChain(start, end int) []int {
	p.tokens = words.AppendTokens(p.tokens[:0], p.text[start:end])
	numbers := make([]int, 0, len(p.tokens)) // of each token; -1 if there are too many words
	for _, t := range p.tokens {
		if t.Tail {
			continue
		}
		w := queryWord{word: t.Word, stem: words.Stem(t.Word), dense: t.Dense, last: start+t.To == len(p.text)}
		for _, n := range numbers[len(numbers)-t.Parts:] {
			if n >= 0 {
				w.parts = append(w.parts, n)
			}
		}
		numbers = append(numbers, p.add(w))
	}
	return slices.DeleteFunc(numbers, func(n int) bool { return n < 0 })
}

// addJoined adds two words as one, unless both are stop words.
func (p *queryParser) addJoined(word string, first, second []int) {
	if parts := slices.Concat(first, second); len(parts) > 0 && len(word) <= words.MaxBytes {
		p.add(queryWord{word: word, stem: words.Stem(word), joined: true, parts: parts})
	}
}

// add adds a word unless the query has it, and returns its number, or -1 if there are too many.
func (p *queryParser) add(w queryWord) int {
	words := p.query.words
	if n, ok := p.seen[w.stem]; ok {
		words[n].last = words[n].last || w.last
		// A word that was written on its own counts as such, even if it is also a part of another one.
		if !w.isWhole() {
			words[n].parts, words[n].joined = nil, false
		}
		return n
	}
	if len(words) == maxWords {
		return -1
	}
	p.seen[w.stem] = len(words)
	p.query.words = append(words, w)
	return len(words)
}

// Empty reports whether the query has no word that could find anything: nothing but stop words and punctuation.
func (q Query) Empty() bool { return len(q.words) == 0 }

// Words returns the words of the query as they are searched: folded, without stop words.
func (q Query) Words() []string {
	var words []string
	for _, w := range q.words {
		if !w.joined {
			words = append(words, w.word)
		}
	}
	return words
}

// String returns the words of the query.
func (q Query) String() string { return strings.Join(q.Words(), " ") }

func runeCount(s string) int { return utf8.RuneCountInString(s) }
