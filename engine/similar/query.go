package similar

import (
	"strings"

	"chant/engine/find/words"
)

const (
	mostWords    = 64   // different ones of a query, and pairs of them; what follows is ignored
	mostChains   = 1024 // of a query
	joinedWeight = 0.25 // what two words written as one count, if the query has them as two
)

// query is what a question asks of an index.
type query struct {
	index   *Index
	scratch *scratch
	words   []queryWord
	pairs   []pair
	norm    float64 // the length of the vector of its words
	count   float64 // how many words it has, without wholes of chains

	seen map[string]int // words by stem; -1 for those that no document has in any reading
}

// queryWord is a word of a query, with the terms that it is read as.
type queryWord struct {
	idf      float64
	times    float64 // how often the query has it
	isPart   bool    // false for the whole of a chain with parts, and for joined words
	isJoined bool    // two words of the query, which a document has as one
	readings []reading
}

// pair is two terms side by side in a query.
type pair struct{ a, b uint32 }

// parse reads a query. Words that no document has in any reading are left out.
func (x *Index) parse(text string, s *scratch) *query {
	q := &query{index: x, scratch: s, seen: map[string]int{}}
	var tokens []words.Token
	before, last, known := "", noTerm, false
	for from, n := 0, 0; n < mostChains && len(q.seen) < mostWords; n++ {
		start, end, ok := words.NextChain(text, from)
		if !ok {
			break
		}
		tokens = words.AppendTokens(tokens[:0], text[start:end])
		for _, t := range tokens {
			if t.Tail || len(q.seen) >= mostWords {
				continue
			}
			term := q.add(t)
			if t.Parts > 0 {
				continue
			}
			if term != noTerm && last != noTerm && len(q.pairs) < mostWords {
				q.pairs = append(q.pairs, pair{last, term})
			}
			last = term
		}
		if strings.TrimSpace(text[from:start]) != "" {
			before = ""
		}
		plain := words.Plain(text[start:end])
		if before != "" && plain != "" {
			q.addJoined(before, plain, known && last != noTerm)
		}
		known = last != noTerm
		before, from = plain, end
	}
	for _, w := range q.words {
		q.norm += square(w.times * w.idf)
		if w.isPart {
			q.count += w.times
		}
	}
	return q
}

// add adds a word and returns its term, or noTerm if no document has the word as it is written.
func (q *query) add(t words.Token) uint32 {
	stem, x := t.Word, q.index
	if t.Parts == 0 {
		stem = words.Stem(t.Word)
	}
	term, isWord := x.terms[stem]
	whole, isWhole := x.wholes[t.Word]
	if !isWord {
		term = noTerm
	}
	if n, ok := q.seen[stem]; ok {
		q.repeat(n, t.Parts == 0)
		return term
	}
	w := queryWord{times: 1, isPart: t.Parts == 0}
	if isWord {
		w.readings = append(q.scratch.neighbours(x, term), reading{term, 1})
		for _, kin := range x.kin()[term] {
			w.readings = append(w.readings, reading{kin, kinWeight})
		}
	}
	if isWhole {
		w.readings = append(w.readings, reading{whole, 1})
	}
	if !isWord && !isWhole && w.isPart {
		w.readings = x.readings(t, stem)
	}
	q.addWord(stem, w)
	return term
}

// repeat counts a word of the query again; n is its number, or -1 if it is left out.
func (q *query) repeat(n int, isPart bool) {
	if n < 0 {
		return
	}
	w := &q.words[n]
	if w.isJoined {
		w.times, w.isJoined = 0, false
	}
	w.times++
	w.isPart = w.isPart || isPart
}

// addWord adds a word with its readings. It is left out if it has none.
func (q *query) addWord(stem string, w queryWord) {
	if len(w.readings) == 0 {
		q.seen[stem] = -1
		return
	}
	q.seen[stem] = len(q.words)
	w.idf = q.index.idfOf(w.readings)
	q.words = append(q.words, w)
}

// addJoined adds two words of the query as one, if a document has that: "working trees" is also "worktree". known
// reports whether documents have both words; then these say most of what is asked.
func (q *query) addJoined(before, plain string, known bool) {
	x, times := q.index, 1.0
	if known {
		times = joinedWeight
	}
	for _, joined := range []string{words.Stem(before + plain), words.Stem(before) + words.Stem(plain), before + plain} {
		if _, has := q.seen[joined]; has {
			continue
		}
		w := queryWord{times: times, isPart: true, isJoined: true}
		if term, ok := x.terms[joined]; ok {
			w.readings = append(w.readings, reading{term, 1})
		}
		if whole, ok := x.wholes[joined]; ok {
			w.readings = append(w.readings, reading{whole, 1})
		}
		if len(w.readings) > 0 {
			q.addWord(joined, w)
			return
		}
	}
}
