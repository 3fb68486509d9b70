package find

import (
	"slices"
	"strings"

	"chant/engine/search/words"
)

// matcher recognises words of a query in texts.
type matcher struct {
	words  []queryWord
	stems  map[string]int // words by stem
	starts []string       // beginnings of stems
	prefix []int          // words that may be unfinished
}

func newMatcher(q Query) *matcher {
	m := &matcher{words: q.words, stems: map[string]int{}}
	for i, w := range q.words {
		m.stems[w.stem] = i
		// No stem differs from its word in more than its last two letters, where the stem ends.
		m.starts = append(m.starts, w.stem[:min(3, max(1, len(w.stem)-2))])
		if q.mayContinue(w) {
			m.prefix = append(m.prefix, i)
		}
	}
	return m
}

// beginsLikeStem reports whether a word could have one of the stems, which costs far less than computing its stem.
func (m *matcher) beginsLikeStem(word string) bool {
	return slices.ContainsFunc(m.starts, func(start string) bool { return strings.HasPrefix(word, start) })
}

// readLine is a line of a text with its words.
type readLine struct {
	number int
	text   string
	tokens []words.Token // with from and to in the line
}

// readLines returns the lines of a text that have words.
func readLines(text string) []readLine {
	var lines []readLine
	tokens := make([]words.Token, 0, len(text)/5)
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = withoutEnd(line)
		first := len(tokens)
		for from := 0; ; {
			start, end, ok := words.NextChain(line, from)
			if !ok {
				break
			}
			before := len(tokens)
			tokens = words.AppendTokens(tokens, line[start:end])
			for i := range tokens[before:] {
				tokens[before+i].From += start
				tokens[before+i].To += start
			}
			from = end
		}
		if len(tokens) > first {
			// The capacity is cut, because the next line appends to the same list.
			lines = append(lines, readLine{number, line, tokens[first:len(tokens):len(tokens)]})
		}
	}
	return lines
}

// matchLines returns the lines that contain words of the query.
func (m *matcher) matchLines(lines []readLine) []matchedLine {
	return eachLine(lines, func(t, _ words.Token) (int, bool) {
		if m.beginsLikeStem(t.Word) {
			if i, ok := m.stems[words.Stem(t.Word)]; ok {
				return i, false
			}
		}
		for _, i := range m.prefix {
			if strings.HasPrefix(t.Word, m.words[i].word) {
				return i, false
			}
		}
		return -1, false
	})
}

// eachLine returns the lines with words for which match returns a word of the query, or -1. match also gets the word
// before on that line, and reports whether both are meant.
func eachLine(lines []readLine, match func(t, before words.Token) (word int, both bool)) []matchedLine {
	var matched []matchedLine
	for _, line := range lines {
		var hits []lineHit
		var before words.Token
		for _, t := range line.tokens {
			if i, both := match(t, before); both {
				hits = append(hits, lineHit{i, Range{before.From, t.To}})
			} else if i >= 0 {
				hits = append(hits, lineHit{i, Range{t.From, t.To}})
			}
			// Only a part of a chain, not the whole, has a neighbour with which it could be one word.
			if t.Parts == 0 {
				before = t
			}
		}
		if len(hits) > 0 {
			matched = append(matched, matchedLine{line.number, line.text, hits})
		}
	}
	return matched
}

// correct returns the matched lines with, in addition, those words of the text that could be meant by words of the
// query that are in no line.
func (m *matcher) correct(lines []readLine, matched []matchedLine) []matchedLine {
	c := correction{matcher: m, spellers: map[int]*words.Speller{}, nearest: map[int]int{}, known: map[string]spelling{}}
	found := make([]bool, len(m.words))
	for _, line := range matched {
		for _, hit := range line.hits {
			found[hit.word] = true
		}
	}
	for i, w := range m.words {
		if found[i] || w.isWhole() || w.dense {
			continue
		}
		c.missing = append(c.missing, i)
		if edits := words.AllowedEdits(w.word); edits > 0 {
			c.spellers[i], c.nearest[i] = words.NewSpeller(w.word, edits), edits
		}
	}
	if len(c.missing) == 0 {
		return matched
	}
	// First find out how near the nearest words are, then take only those.
	eachLine(lines, func(t, _ words.Token) (int, bool) {
		if s := c.spell(t.Word); s.word >= 0 {
			c.nearest[s.word] = min(c.nearest[s.word], s.edits)
		}
		return -1, false
	})
	return joinLines(matched, eachLine(lines, c.match))
}

// correction finds words of a text that could be meant by words of the query.
type correction struct {
	*matcher
	missing  []int                  // words of the query that the text does not have
	spellers map[int]*words.Speller // of these, if they are long enough
	nearest  map[int]int            // how many edits the nearest word of the text is away
	known    map[string]spelling
}

// spelling is the word of a query that a word is nearest to, or -1.
type spelling struct {
	word, edits int
}

func (c *correction) spell(word string) spelling {
	s, ok := c.known[word]
	if ok {
		return s
	}
	s = spelling{word: -1, edits: words.MaxEdits + 1}
	for _, i := range c.missing {
		if sp := c.spellers[i]; sp != nil {
			sp.Reuse(0)
			if n := sp.Edits([]byte(word)); n >= 0 && n < s.edits {
				s = spelling{i, n}
			}
		}
	}
	c.known[word] = s
	return s
}

func (c *correction) match(t, before words.Token) (word int, both bool) {
	for _, i := range c.missing {
		w := c.words[i]
		begins := before.Word != "" && len(w.word) > len(before.Word) && strings.HasPrefix(w.word, before.Word)
		// Two words of the text may be one word of the query.
		if begins && words.Stem(before.Word+t.Word) == w.stem {
			return i, true
		}
	}
	if s := c.spell(t.Word); s.word >= 0 && s.edits == c.nearest[s.word] {
		return s.word, false
	}
	return -1, false
}

// joinLines returns the lines of both lists, which are in order.
func joinLines(a, b []matchedLine) []matchedLine {
	var list []matchedLine
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].number < b[0].number:
			list, a = append(list, a[0]), a[1:]
		case a[0].number > b[0].number:
			list, b = append(list, b[0]), b[1:]
		default:
			both := a[0]
			both.hits = append(both.hits, b[0].hits...)
			list, a, b = append(list, both), a[1:], b[1:]
		}
	}
	return append(append(list, a...), b...)
}

// weights returns the weight of each word of the query: the fewer lines have it, the higher.
func (m *matcher) weights(lines []matchedLine) []float64 {
	in := make([]int, len(m.words))
	for _, line := range lines {
		seen := map[int]bool{}
		for _, hit := range line.hits {
			if !seen[hit.word] {
				seen[hit.word] = true
				in[hit.word]++
			}
		}
	}
	weights := make([]float64, len(m.words))
	for i, n := range in {
		weights[i] = 1 / (1 + float64(n)/4)
	}
	return weights
}
