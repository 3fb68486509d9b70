package find

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Excerpt is a line of a text with words of a query.
type Excerpt struct {
	Line  int     // from 1
	Text  string  // of the line, without its end
	Marks []Range // of words of the query, in order, not overlapping
}

// Range is a range of bytes: from From to before To.
type Range struct {
	From, To int
}

// Excerpts returns at most n lines of a text that show best why a query found it, in the order of the text: the line
// with the most words of the query, the rarer ones counting more, and then those lines that add the most. A word that
// the text does not contain marks similar words, as in a search.
func Excerpts(text string, q Query, n int) []Excerpt {
	m := newMatcher(q)
	all := readLines(text)
	// Words of the query that the text lacks mark similar ones, as they do in a search.
	lines := m.correct(all, m.matchLines(all))
	weights := m.weights(lines)
	var chosen []int
	have := map[int]bool{}
	for len(chosen) < n {
		best := bestLine(lines, weights, chosen, have)
		if best < 0 {
			break
		}
		chosen = append(chosen, best)
		for _, hit := range lines[best].hits {
			have[hit.word] = true
		}
	}
	slices.Sort(chosen)
	var list []Excerpt
	for _, i := range chosen {
		list = append(list, lines[i].excerpt())
	}
	return list
}

// matchedLine is a line with words of a query.
type matchedLine struct {
	number int
	text   string
	hits   []lineHit
}

// lineHit is a word of a line that is a word of the query.
type lineHit struct {
	word int // of the query
	at   Range
}

// bestLine returns the line that adds the most to the words that the chosen ones have, or -1. Words that they have
// already count a quarter.
func bestLine(lines []matchedLine, weights []float64, chosen []int, have map[int]bool) int {
	best, most := -1, 0.0
	for i, line := range lines {
		if slices.Contains(chosen, i) {
			continue
		}
		sum, seen := 0.0, map[int]bool{}
		for _, hit := range line.hits {
			switch {
			// A repetition in the line hardly adds anything.
			case seen[hit.word]:
				sum += weights[hit.word] / 64
			case have[hit.word]:
				sum += weights[hit.word] / 4
			default:
				sum += weights[hit.word]
			}
			seen[hit.word] = true
		}
		if sum > most {
			best, most = i, sum
		}
	}
	return best
}

func (l matchedLine) excerpt() Excerpt {
	e := Excerpt{Line: l.number, Text: l.text}
	ranges := make([]Range, 0, len(l.hits))
	for _, hit := range l.hits {
		ranges = append(ranges, hit.at)
	}
	slices.SortFunc(ranges, func(a, b Range) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	for _, r := range ranges {
		// Parts of a compound word are words as well, so marks may overlap.
		if n := len(e.Marks) - 1; n >= 0 && r.From < e.Marks[n].To {
			e.Marks[n].To = max(e.Marks[n].To, r.To)
			continue
		}
		e.Marks = append(e.Marks, r)
	}
	return e
}

// Cut returns the excerpt with at most width characters of its text: those around its first mark, with "…" in place
// of what is missing. Marks that are cut off are left out. Widths below 3 cut nothing.
func (e Excerpt) Cut(width int) Excerpt {
	count := utf8.RuneCountInString(e.Text)
	if count <= width || width < 3 {
		return e
	}
	first := 0
	if len(e.Marks) > 0 {
		first = utf8.RuneCountInString(e.Text[:e.Marks[0].From])
	}
	// Counted in characters, with one for each "…".
	from := max(0, min(first-width/4, count-width+1))
	start, room := offsetOf(e.Text, from), width
	lead := ""
	if from > 0 {
		lead, room = "…", room-1
	}
	end, trail := len(e.Text), ""
	if count-from > room {
		end, trail = start+offsetOf(e.Text[start:], room-1), "…"
	}
	cut := Excerpt{Line: e.Line, Text: lead + e.Text[start:end] + trail}
	for _, m := range e.Marks {
		if m.From >= start && m.To <= end {
			cut.Marks = append(cut.Marks, Range{m.From - start + len(lead), m.To - start + len(lead)})
		}
	}
	return cut
}

// offsetOf returns where the character with this number starts.
func offsetOf(text string, number int) int {
	for i := range text {
		if number == 0 {
			return i
		}
		number--
	}
	return len(text)
}

// withoutEnd cuts the end of a line off.
func withoutEnd(line string) string { return strings.TrimRight(line, "\r\n") }
