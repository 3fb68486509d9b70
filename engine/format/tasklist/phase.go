package tasklist

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"chant/markdown"
)

// Kind says what a phase is for.
type Kind string

// The kinds of phases. All but Other are those of spec-kit.
const (
	Setup        Kind = "setup"
	Foundational Kind = "foundational" // what all stories need
	Story        Kind = "story"
	Polish       Kind = "polish" // after all stories
	Other        Kind = "other"
)

// Phase is a part of the list with a heading.
type Phase struct {
	Heading  string // as written
	Title    string // without number, story and priority
	Number   string // such as "3"; "" if there is none
	Line     int    // from 1
	Kind     Kind
	Story    string // such as "US1", else ""
	Priority string // such as "P1", else ""
	Parallel bool   // [P] in the heading
}

// patterns are the expressions for headings.
var patterns = sync.OnceValue(func() (p struct{ phase, numbered, story, inBrackets, priority, parallel *regexp.Regexp }) {
	p.phase = regexp.MustCompile(`(?i)^phase\s+([0-9]+(?:\.[0-9]+)*[a-z]?(?:[^\pL\pN]|$)|(?:[a-z]|[ivx]+)(?:\+[0-9]+)?\s*(?:[:.)–—-]|$))`)
	p.numbered = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)+[.):]?\s|[0-9]+(?:[.):]|\s+[–—-])\s)`)
	p.story = regexp.MustCompile(`(?i)^(?:user\s+stor(?:y|ies)|story|us)[\s-]*([0-9]+)(?:[^\pL\pN]|$)`)
	p.inBrackets = regexp.MustCompile(`(?i)[(\[]us[\s-]?([0-9]+)(?:[^\pL\pN]|$)`)
	p.priority = regexp.MustCompile(`(?i)\(\s*(?:priority)?\s*:?\s*(P[0-9]+)\s*\)`)
	p.parallel = regexp.MustCompile(`(?i)\s*\[P\]`)
	return p
})

// findPhases adds the phases, and returns the index of the phase of each task.
func (l *List) findPhases(headings []markdown.Heading, tasks []markdown.Task) []int {
	level := phaseLevel(headings, tasks)
	numbered := pattern(headings)
	onlyTitle := level > 1 && countLevel(headings, 1) == 1
	owners := make([]int, len(tasks))
	at, phase := 0, -1
	for ; at < len(tasks) && (len(headings) == 0 || tasks[at].Offset < headings[0].Start); at++ {
		owners[at] = -1
	}
	for i, h := range headings {
		next := len(tasks)
		if i+1 < len(headings) {
			next = at
			for next < len(tasks) && tasks[next].Offset < headings[i+1].Start {
				next++
			}
		}
		if h.Level <= level {
			phase = -1
			// A numbered heading is a phase even without tasks; another one only with tasks.
			if h.Level == level && numbered(h.Text) || !(onlyTitle && h.Level == 1) && hasTasks(headings[i:], level, tasks[at:]) {
				l.Phases = append(l.Phases, parsePhase(h))
				phase = len(l.Phases) - 1
			}
		}
		for ; at < next; at++ {
			owners[at] = phase
		}
	}
	return owners
}

// phaseLevel returns the level of the headings that are phases, 0 if there are none.
func phaseLevel(headings []markdown.Heading, tasks []markdown.Task) int {
	lowest := 0
	numbered := pattern(headings)
	for _, h := range headings {
		if numbered(h.Text) && (lowest == 0 || h.Level < lowest) && (isPhase(h.Text) || tasksIn(h, tasks) > 0) {
			lowest = h.Level
		}
	}
	for level := 1; level <= 6 && lowest == 0; level++ {
		count, below := 0, 0
		for i, h := range headings {
			if h.Level == level && tasksIn(h, tasks) > 0 {
				count++
				if hasTasks(headings[i:], 6, tasksFrom(h, tasks)) {
					// These are tasks of its own, before a deeper heading.
					below++
				}
			}
		}
		// A single heading is mostly the title of the document.
		if count > 1 || count == 1 && level > 1 && below > 0 {
			lowest = level
		}
	}
	return lowest
}

// pattern returns what headings of phases look like in this document: "Phase 3: ...", else "1. ...".
func pattern(headings []markdown.Heading) func(text string) bool {
	if slices.ContainsFunc(headings, func(h markdown.Heading) bool { return isPhase(h.Text) }) {
		return isPhase
	}
	return func(text string) bool { return patterns().numbered.MatchString(plainHeading(text)) }
}

func isPhase(text string) bool { return patterns().phase.MatchString(plainHeading(text)) }

// plainHeading returns a heading without the marks and pictures around its words.
func plainHeading(text string) string {
	text = strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.TrimRight(text, "*_ \t")
}

// hasTasks reports whether the first task lies between the first heading and the next one of the level or a higher one.
func hasTasks(headings []markdown.Heading, level int, tasks []markdown.Task) bool {
	if len(tasks) == 0 {
		return false
	}
	for _, next := range headings[1:] {
		if next.Level <= level {
			return tasks[0].Offset < next.Start
		}
	}
	return true
}

// tasksFrom returns the tasks from a heading on.
func tasksFrom(h markdown.Heading, tasks []markdown.Task) []markdown.Task {
	return tasks[firstFrom(h.Start, tasks):]
}

// tasksIn counts the tasks in the section of a heading.
func tasksIn(h markdown.Heading, tasks []markdown.Task) int {
	return firstFrom(h.End, tasks) - firstFrom(h.Start, tasks)
}

// firstFrom returns the index of the first task from an offset on.
func firstFrom(offset int, tasks []markdown.Task) int {
	i, _ := slices.BinarySearchFunc(tasks, offset, func(t markdown.Task, offset int) int { return cmp.Compare(t.Offset, offset) })
	return i
}

func countLevel(headings []markdown.Heading, level int) int {
	count := 0
	for _, h := range headings {
		if h.Level == level {
			count++
		}
	}
	return count
}

// parsePhase reads a heading.
func parsePhase(h markdown.Heading) Phase {
	p := Phase{Heading: h.Text, Line: h.Line, Kind: Other}
	rest := plainHeading(h.Text)
	for _, number := range []*regexp.Regexp{patterns().phase, patterns().numbered} {
		if m := number.FindStringSubmatch(rest); m != nil {
			p.Number = strings.TrimRight(m[1], " \t:.)(–—-")
			rest = strings.TrimLeft(rest[len(m[0])-len(m[1])+len(p.Number):], " \t:.)–—-")
			break
		}
	}
	if where := patterns().parallel.FindStringIndex(rest); where != nil {
		p.Parallel = true
		rest = strings.TrimSpace(rest[:where[0]] + rest[where[1]:])
	}
	story, title, priority := storyHeading(rest)
	if p.Story, p.Priority = story, priority; story != "" {
		p.Kind = Story
	}
	p.Title = cmp.Or(title, plainHeading(h.Text))
	if p.Kind == Other {
		p.Kind = kindOf(p.Title)
	}
	return p
}

// storyHeading reads what a heading says of a story; story is "" if it is not about one.
func storyHeading(text string) (story, title, priority string) {
	rest := text
	if m := patterns().story.FindStringSubmatchIndex(rest); m != nil {
		story = storyID(rest[m[2]:m[3]])
		rest = strings.TrimLeft(rest[m[3]:], " \t:.)–—-")
	} else if m := patterns().inBrackets.FindStringSubmatch(rest); m != nil {
		story = storyID(m[1])
	}
	if m := patterns().priority.FindStringSubmatchIndex(rest); m != nil {
		priority = strings.ToUpper(rest[m[2]:m[3]])
		if strings.TrimSpace(rest[:m[0]]) == "" {
			rest = strings.TrimLeft(rest[m[1]:], " \t:.)–—-")
		} else {
			// What follows is decoration, such as the mark of the first product.
			rest = rest[:m[0]]
		}
	}
	rest, _, _ = strings.Cut(rest, "🎯")
	return story, strings.TrimSpace(rest), priority
}

// StoryHeading reads a heading such as "User Story 1 - Borrow a copy (Priority: P1)": the ID is "US1", the title what is
// left, the priority "P1" or "". It reports whether the heading begins with a story.
func StoryHeading(text string) (id, title, priority string, ok bool) {
	text = plainHeading(text)
	if !patterns().story.MatchString(text) {
		return "", "", "", false
	}
	id, title, priority = storyHeading(text)
	return id, title, priority, true
}

// storyID returns the ID of the story with that number.
func storyID(number string) string { return "US" + cmp.Or(strings.TrimLeft(number, "0"), "0") }

// kindOf returns the kind of a phase that is not a story.
func kindOf(title string) Kind {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) })
	switch {
	case len(words) == 0:
		return Other
	case words[0] == "setup":
		return Setup
	case words[0] == "foundational" || words[0] == "foundation":
		return Foundational
	case slices.Contains(words, "polish"):
		return Polish
	}
	return Other
}
