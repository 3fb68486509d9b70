package find

import "strings"

// matcher recognises words of a query in texts.
type matcher struct {
	words  []queryWord
	stems  map[string]int // words by stem
	starts [256]bool      // first bytes of stems
	prefix []int          // words that may be unfinished
	tokens []token
}

func newMatcher(q Query) *matcher {
	m := &matcher{words: q.words, stems: map[string]int{}}
	for i, w := range q.words {
		m.stems[w.stem] = i
		m.starts[w.stem[0]] = true
		if letters := runeCount(w.word); q.Prefix && w.last && letters >= leastPrefix || w.dense && letters == 1 {
			m.prefix = append(m.prefix, i)
			m.starts[w.word[0]] = true
		}
	}
	return m
}

// matchLines returns the lines of a text that contain words of the query.
func (m *matcher) matchLines(text string) []matchedLine {
	return m.eachLine(text, func(t token) int {
		if !m.starts[t.word[0]] {
			return -1 // a stem begins like its word
		}
		if i, ok := m.stems[stem(t.word)]; ok {
			return i
		}
		for _, i := range m.prefix {
			if strings.HasPrefix(t.word, m.words[i].word) {
				return i
			}
		}
		return -1
	})
}

// eachLine returns the lines of a text with the words for which match returns a word of the query.
func (m *matcher) eachLine(text string, match func(token) int) []matchedLine {
	var lines []matchedLine
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = withoutEnd(line)
		var hits []lineHit
		for from := 0; ; {
			start, end, ok := nextChain(line, from)
			if !ok {
				break
			}
			m.tokens = appendTokens(m.tokens[:0], line[start:end])
			for _, t := range m.tokens {
				if i := match(t); i >= 0 {
					hits = append(hits, lineHit{i, Range{start + t.from, start + t.to}})
				}
			}
			from = end
		}
		if len(hits) > 0 {
			lines = append(lines, matchedLine{number, line, hits})
		}
	}
	return lines
}

// correct adds to lines the words that are similar to those words of the query that are in no line.
func (m *matcher) correct(text string, lines *[]matchedLine) {
	found := make([]bool, len(m.words))
	for _, line := range *lines {
		for _, hit := range line.hits {
			found[hit.word] = true
		}
	}
	spellers := map[int]*speller{}
	nearest := map[int]int{}
	for i, w := range m.words {
		if edits := allowedEdits(w.word); !found[i] && edits > 0 && !w.dense {
			spellers[i] = newSpeller(w.word, edits)
			nearest[i] = edits
		}
	}
	if len(spellers) == 0 {
		return
	}
	known := map[string][2]int{} // words of the text, with the word of the query and the edits
	match := func(t token) (word, edits int) {
		if k, ok := known[t.word]; ok {
			return k[0], k[1]
		}
		word, edits = -1, mostEdits+1
		for i := range m.words {
			if s := spellers[i]; s != nil {
				s.reuse(0)
				if n := s.edits([]byte(t.word)); n >= 0 && n < edits {
					word, edits = i, n
				}
			}
		}
		known[t.word] = [2]int{word, edits}
		return word, edits
	}
	m.eachLine(text, func(t token) int {
		if word, edits := match(t); word >= 0 {
			nearest[word] = min(nearest[word], edits)
		}
		return -1
	})
	more := m.eachLine(text, func(t token) int {
		if word, edits := match(t); word >= 0 && edits == nearest[word] {
			return word
		}
		return -1
	})
	*lines = joinLines(*lines, more)
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

// weigh returns what each word of the query counts: the fewer lines have it, the more.
func (m *matcher) weigh(lines []matchedLine) []float64 {
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
