package tasklist

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"chant/engine/spec/split"
)

// dependPatterns are the expressions for dependencies.
var dependPatterns = sync.OnceValue(func() (p struct{ start, id, to, list, end, number *regexp.Regexp }) {
	p.start = regexp.MustCompile(`(?i)\bdepends\s+on:?\s+(?:tasks?\s+)?`)
	p.id = regexp.MustCompile("^(?:\\*\\*|`)?((?i:t|chk|task|us)-?[0-9]+(?:\\.[0-9]+)*[a-zA-Z]?|[0-9]+(?:\\.[0-9]+)+)(?:\\*\\*|`)?")
	p.to = regexp.MustCompile(`(?i)^(?:\s*(?:-|–|—|\.{2,3}|…)\s*|\s+(?:to|through)\s+)`)
	p.list = regexp.MustCompile(`(?i)^\s*(?:,\s*and\s|,|;|&|\+|/|\sand\s)\s*`)
	p.end = regexp.MustCompile(`^([0-9]+)`) // of a range, without the letter
	p.number = regexp.MustCompile(`^(.*?)([0-9]+)$`)
	return p
})

// WithoutDependency returns the text for a task that does not mean what follows "depends on" in it as tasks of its list.
func WithoutDependency(text string) string {
	return dependPatterns().start.ReplaceAllStringFunc(text, func(words string) string {
		at := strings.IndexFunc(words, unicode.IsSpace)
		return words[:at+1] + "*" + strings.TrimSpace(words[at+1:]) + "* "
	})
}

// dependency is one ID, or the first and last one of a range.
type dependency struct{ from, to string }

// dependenciesIn returns what follows "depends on", as written.
func dependenciesIn(text string) []dependency {
	p := dependPatterns()
	var all []dependency
	for _, where := range p.start.FindAllStringIndex(text, -1) {
		rest := text[where[1]:]
		for {
			m := p.id.FindStringSubmatch(rest)
			if m == nil {
				break
			}
			d := dependency{from: m[1]}
			rest = rest[len(m[0]):]
			if to := p.to.FindString(rest); to != "" {
				if last := p.id.FindStringSubmatch(rest[len(to):]); last != nil {
					d.to, rest = last[1], rest[len(to)+len(last[0]):]
				} else if last := p.end.FindString(rest[len(to):]); last != "" {
					// The end of a range may be written as a number only.
					prefix, _, _ := splitNumber(d.from)
					d.to, rest = prefix+last, rest[len(to)+len(last):]
				}
			}
			all = append(all, d)
			next := p.list.FindString(rest)
			if next == "" {
				break
			}
			rest = rest[len(next):]
		}
	}
	return all
}

// splitNumber divides an ID into what comes before its last number, and that.
func splitNumber(id string) (prefix string, number int, ok bool) {
	m := dependPatterns().number.FindStringSubmatch(id)
	if m == nil {
		return "", 0, false
	}
	number, err := strconv.Atoi(m[2])
	return m[1], number, err == nil
}

// resolve finds the tasks and stories that the texts of tasks depend on.
func (l *List) resolve() {
	known := map[string]string{} // IDs and stories as the list spells them, by their upper case
	for _, t := range l.Tasks {
		if t.ID != "" {
			known[strings.ToUpper(t.ID)] = t.ID
		}
		if t.Story != "" {
			known[t.Story] = t.Story
		}
	}
	for i := range l.Tasks {
		t := &l.Tasks[i]
		// What a command contains is about other texts.
		for _, d := range dependenciesIn(split.WithoutCommands(t.Text)) {
			for _, id := range l.dependencyIDs(d) {
				spelled, ok := known[id]
				if !ok {
					spelled = id
				}
				if !slices.Contains(t.DependsOn, spelled) {
					t.DependsOn = append(t.DependsOn, spelled)
				}
			}
		}
	}
}

// dependencyIDs returns the IDs that a dependency names, in upper case: both ends of a range, and what the list has between.
func (l *List) dependencyIDs(d dependency) []string {
	from, to := strings.ToUpper(d.from), strings.ToUpper(d.to)
	if m := linePatterns().label.FindStringSubmatch(from); m != nil {
		from = storyID(m[1])
	}
	if m := linePatterns().label.FindStringSubmatch(to); m != nil {
		to = storyID(m[1])
	}
	if to == "" || to == from {
		return []string{from}
	}
	ids := []string{from}
	prefix, first, ok := splitNumber(from)
	other, last, okToo := splitNumber(to)
	// What lies between two IDs of different forms is unknown, so only the ends count.
	if ok && okToo && prefix == other {
		for _, t := range l.Tasks {
			for _, id := range []string{strings.ToUpper(t.ID), t.Story} {
				p, n, isNumbered := splitNumber(id)
				if isNumbered && p == prefix && n > first && n < last && !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
			}
		}
	}
	return append(ids, to)
}
