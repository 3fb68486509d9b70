package similar

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"chant/engine/find/words"
)

const (
	mostReadings   = 16 // that a word has
	completed      = 0.7
	contained      = 0.7
	halfWeight     = 0.5
	leastCompleted = 3 // letters of a word that is read as the beginning of others
	leastContained = 4 // bytes of a stem that is recognised in another
	leastHalf      = 2 // bytes of each of two words that are written as one
)

// reading is a term that a word of a query may mean, and what it counts, compared with the word as written.
type reading struct {
	term   uint32
	weight float64
}

// form is a word of the dictionary as it is written.
type form struct {
	text   string
	term   uint32
	shared int // bytes that it has in common with the beginning of the form before
}

func (x *Index) sortForms() []form {
	list := make([]form, 0, len(x.forms)+len(x.wholes))
	for text, term := range x.forms {
		list = append(list, form{text: text, term: term})
	}
	for text, term := range x.wholes {
		list = append(list, form{text: text, term: term})
	}
	slices.SortFunc(list, func(a, b form) int {
		return cmp.Or(strings.Compare(a.text, b.text), cmp.Compare(a.term, b.term))
	})
	for i := 1; i < len(list); i++ {
		list[i].shared = commonPrefix(list[i-1].text, list[i].text)
	}
	return list
}

// idfOf returns what a word with these readings counts: as much as the most frequent of the best ones.
func (x *Index) idfOf(list []reading) float64 {
	best := list[0]
	for _, r := range list[1:] {
		if r.weight > best.weight || r.weight == best.weight && x.idf[r.term] < x.idf[best.term] {
			best = r
		}
	}
	return x.idf[best.term]
}

// readings returns what a word may mean that no document has: words that it begins and words a few edits away; if there
// are none, words that it contains or that contain it; and if there are none, two words written as one.
func (x *Index) readings(t words.Token, stem string) []reading {
	c := readingCollector{index: x}
	letters := utf8.RuneCountInString(t.Word)
	if letters >= leastCompleted || t.Dense {
		c.addCompletions(t.Word)
	}
	if t.Dense {
		return c.best()
	}
	c.addSpellings(t.Word)
	if len(c.list) == 0 && len(stem) >= leastContained {
		c.addContained(stem)
	}
	if len(c.list) == 0 {
		c.addHalves(t.Word)
	}
	return c.best()
}

// readingCollector collects readings of a word.
type readingCollector struct {
	index *Index
	list  []reading
}

func (c *readingCollector) add(term uint32, weight float64) {
	c.list = append(c.list, reading{term, weight})
}

// best returns each term once, those that count most first, and of these the most frequent ones.
func (c *readingCollector) best() []reading {
	x := c.index
	byTerm := func(a, b reading) int {
		return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(b.weight, a.weight))
	}
	slices.SortFunc(c.list, byTerm)
	list := slices.CompactFunc(c.list, func(a, b reading) bool { return a.term == b.term })
	slices.SortFunc(list, func(a, b reading) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(x.idf[a.term], x.idf[b.term]), cmp.Compare(a.term, b.term))
	})
	return list[:min(len(list), mostReadings)]
}

// addCompletions adds words that begin with a word: "repo" may mean "repository".
func (c *readingCollector) addCompletions(word string) {
	forms := c.index.sorted()
	first, _ := slices.BinarySearchFunc(forms, word, func(f form, word string) int { return strings.Compare(f.text, word) })
	for _, f := range forms[first:] {
		if !strings.HasPrefix(f.text, word) {
			return
		}
		c.add(f.term, completed)
	}
}

// addSpellings adds the words that are the fewest edits away from a word.
func (c *readingCollector) addSpellings(word string) {
	nearest := words.AllowedEdits(word)
	if nearest == 0 {
		return
	}
	speller := words.NewSpeller(word, nearest)
	first := len(c.list)
	for _, f := range c.index.sorted() {
		if !speller.Reuse(f.shared) {
			continue
		}
		edits := speller.Edits([]byte(f.text))
		if edits < 0 || edits > nearest {
			continue
		}
		if edits < nearest {
			nearest, c.list = edits, c.list[:first]
		}
		c.add(f.term, spellingWeight(edits))
	}
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// spellingWeight returns what a word that is so many edits away counts, compared with the word as written.
func spellingWeight(edits int) float64 {
	if edits <= 1 {
		return 0.8
	}
	return 0.6
}

// addContained adds stems with which a stem begins or ends, and stems that begin or end with it: "uncommit" may mean
// "commit", and "stage" may mean "unstag".
func (c *readingCollector) addContained(stem string) {
	for term, s := range c.index.stems {
		long, short := stem, s
		if len(s) > len(stem) {
			long, short = s, stem
		}
		if len(short) >= leastContained && (strings.HasPrefix(long, short) || strings.HasSuffix(long, short)) {
			c.add(uint32(term), contained)
		}
	}
}

// addHalves adds the two words of which a word consists.
func (c *readingCollector) addHalves(word string) {
	for at := range word {
		if at < leastHalf || len(word)-at < leastHalf || words.IsStop(word[:at]) || words.IsStop(word[at:]) {
			continue
		}
		first, ok := c.index.terms[words.Stem(word[:at])]
		if !ok {
			continue
		}
		if second, ok := c.index.terms[words.Stem(word[at:])]; ok {
			c.add(first, halfWeight)
			c.add(second, halfWeight)
		}
	}
}
