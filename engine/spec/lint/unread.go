package lint

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"chant/engine/spec"
	"chant/engine/spec/next"

	"chant/markdown"
)

// checkLateMatter reports a block of keys that is text because it is not where the front matter is: what it demands, such as
// an approval, would be ignored.
func (l *linter) checkLateMatter() {
	late, found := lateMatter(l.s.Doc, l.Settings)
	if !found || !l.isOpen() {
		return
	}
	step := l.editStep()
	if late.Moved != nil {
		step = next.Lint.On().Flag("fix").Arg(l.s.ID)
	}
	l.report("front_matter", late.Line, step, `looks like the front matter and is text (%s): front matter begins on the first line, between lines "---"`, strings.Join(late.Keys, ", "))
}

// lateMatter returns a block of keys of which chant or the project knows at least one.
func lateMatter(doc *markdown.Document, settings Settings) (markdown.LateMatter, bool) {
	late, found := doc.LateMatter()
	known := knownKeys(settings)
	return late, found && slices.ContainsFunc(late.Keys, func(key string) bool { return slices.Contains(known, key) })
}

// fixLateMatter moves a block of keys to where it is read.
func fixLateMatter(s *spec.File, doc *markdown.Document, settings Settings) (*markdown.Document, []string, error) {
	late, found := lateMatter(doc, settings)
	if !found || late.Moved == nil || !isOpen(&s.Spec) || settings.SeverityOf("front_matter") == Off {
		return doc, nil, nil
	}
	if _, err := spec.FromDocument(s.ID, late.Moved); err != nil {
		return doc, nil, nil //nolint:nilerr // a person must correct the values
	}
	return late.Moved, []string{"the front matter is now at the beginning"}, nil
}

// checkUnread reports boxes that are not read as criteria because of the heading above them, and those without any heading
// in a spec that nothing else verifies.
func (l *linter) checkUnread() {
	if !l.isOpen() || l.s.Adopted() != nil || l.s.Archived {
		return
	}
	near := nearHeadings(l.s.Doc)
	for _, h := range near {
		step := l.editStep()
		if h.certain {
			step = next.Lint.On().Flag("fix").Arg(l.s.ID)
		}
		l.report("unread", h.line, step, "%q is not the heading \"## %s\": %s not count", h.text, spec.CriteriaHeading, withNoun(h.boxes, "box below does", "boxes below do"))
	}
	all := l.s.Doc.AllTasks()
	if len(near) > 0 || len(all) == 0 || len(spec.Criteria(l.s.Doc)) > 0 || l.Settings.Commands || len(l.s.Checks().Commands) > 0 || !l.needsCriteria() {
		return
	}
	l.report("unread", all[0].Line, next.ByHand(fmt.Sprintf("write \"## %s\" above what says when the spec is done", spec.CriteriaHeading)),
		"%s not count, since no heading \"## %s\" is above: nothing would be verified", withNoun(len(all), "box does", "boxes do"), spec.CriteriaHeading)
}

// withNoun returns a number with its noun.
func withNoun(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// nearHeading is a line that is meant to be the heading of criteria and is not.
type nearHeading struct {
	line, boxes int // boxes is the number of tasks that would be criteria
	text        string
	level       int  // of a heading, 0 for a line of text
	certain     bool // it can only mean this, and is a line of its own
}

// nearHeadings lists the lines that people take for the heading of criteria, with boxes below that do not count.
func nearHeadings(doc *markdown.Document) []nearHeading {
	have := spec.Criteria(doc)
	lost := map[int]bool{} // the lines of tasks that are no criteria
	for _, t := range doc.AllTasks() {
		lost[t.Line] = !slices.ContainsFunc(have, func(c spec.Criterion) bool { return c.Offset == t.Offset })
	}
	line := func(offset int) int { return bytes.Count(doc.Bytes()[:offset], []byte("\n")) + 1 }
	tasksIn := func(from, to int) (n int) { // between lines
		for at, isLost := range lost {
			if isLost && from < at && at < to {
				n++
			}
		}
		return n
	}
	var out []nearHeading
	add := func(h nearHeading, until int) {
		if h.boxes = tasksIn(h.line, until); h.boxes > 0 {
			out = append(out, h)
			for at := h.line; at < until; at++ {
				delete(lost, at)
			}
		}
	}
	headings := doc.Headings()
	last := line(len(doc.Bytes())) + 1
	next, begins := last, map[int]bool{}
	for _, h := range headings {
		begins[h.Line] = true
		if exact, other := meansCriteria(h.Text); exact || other && len(have) == 0 {
			src, _, _ := bytes.Cut(doc.Bytes()[h.Start:], []byte("\n"))
			until := last
			if h.End < len(doc.Bytes()) {
				until = line(h.End)
			}
			add(nearHeading{line: h.Line, text: h.Text, level: h.Level, certain: exact && bytes.HasPrefix(bytes.TrimSpace(src), []byte("#"))}, until)
		}
	}
	for _, p := range doc.Prose() {
		exact, other := meansCriteria(p.Text)
		if begins[p.Number] || !exact && (!other || len(have) > 0 || !strings.HasSuffix(strings.TrimRight(p.Text, "* \t_"), ":") && !strings.HasPrefix(p.Text, "**")) {
			continue
		}
		next = last
		for _, h := range headings {
			if h.Line > p.Number {
				next = min(next, h.Line)
			}
		}
		own := strings.HasPrefix(p.Text, "*") || strings.HasPrefix(p.Text, "_") || strings.HasPrefix(p.Text, "#") || unicode.IsLetter([]rune(p.Text)[0])
		add(nearHeading{line: p.Number, text: strings.TrimSpace(p.Text), certain: exact && own && !itemMark().MatchString(p.Text)}, next)
	}
	return out
}

// meansCriteria reports whether a line is the heading of criteria but for marks, numbers and a letter, or other words that
// are used for it.
func meansCriteria(text string) (exact, other bool) {
	words := strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return ' '
	}, text))
	said := strings.Join(words, " ")
	want := strings.ToLower(spec.CriteriaHeading)
	if n := len(words); n == 3 && len(words[0]) <= 4 { // a number in letters, the name of an element
		said = words[1] + " " + words[2]
	} else if n == 4 && words[0] == words[3] {
		said = words[1] + " " + words[2]
	}
	if said != "" && spec.EditDistance(strings.ReplaceAll(said, " ", ""), strings.ReplaceAll(want, " ", "")) <= 2 {
		return true, false
	}
	return false, slices.Contains([]string{
		"definition of done", "done when", "criteria", "acceptance", "acceptance tests", "success criteria", "exit criteria", "completion criteria",
		"acceptance conditions", "acceptance checklist", "acceptance criteria checklist", "verification", "dod", "ac",
	}, said)
}

// fixUnread writes the heading of criteria as it is read, if that makes criteria of what is below and changes nothing else.
func fixUnread(s *spec.File, doc *markdown.Document, settings Settings) (*markdown.Document, []string, error) {
	if !isOpen(&s.Spec) || s.Adopted() != nil || settings.SeverityOf("unread") == Off {
		return doc, nil, nil
	}
	var did []string
	for _, h := range nearHeadings(doc) {
		if !h.certain {
			continue
		}
		lines := bytes.SplitAfter(doc.Bytes(), []byte("\n"))
		text := bytes.TrimRight(lines[h.line-1], "\r\n")
		lines[h.line-1] = slices.Concat([]byte(strings.Repeat("#", max(h.level, 2))+" "+spec.CriteriaHeading), lines[h.line-1][len(text):])
		next, err := markdown.Parse(doc.Path(), bytes.Join(lines, nil))
		if err != nil || len(spec.Criteria(next)) != len(spec.Criteria(doc))+h.boxes {
			continue
		}
		doc, did = next, append(did, fmt.Sprintf("line %d is now the heading of criteria", h.line))
	}
	return doc, did, nil
}

// itemMark matches the beginning of a list item: the part before its text.
var itemMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\s*(?:[-*+]|\d+[.)]))\s+`) })

// otherMark matches a line that begins with a sign that people use for items or boxes and that makes no list.
var otherMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*[•‣◦▪●○·–—☐□☑☒✅✓✔]\s*\S`)
})

// boxless is a line in the section of criteria that is read as text although it looks like an item of the list.
type boxless struct {
	line  int
	text  string
	fixed bool // with a box it is a criterion without doubt
}

// boxlessItems lists the items in the section of criteria without a box: those at the top of a list, and those with a command.
func boxlessItems(doc *markdown.Document) []boxless {
	inside := map[int]string{}
	for _, l := range criteriaLines(doc) {
		inside[l.Number] = l.Text
	}
	var out []boxless
	items := map[int]bool{}
	for _, item := range doc.Items() {
		items[item.Line] = true
		text, in := inside[item.Line]
		runs := slices.ContainsFunc(item.Code, func(code string) bool { return strings.HasPrefix(code, "$ ") })
		if in && !item.Tasks && (item.Top || runs) && !box().MatchString(text) {
			out = append(out, boxless{item.Line, item.Text, runs && itemMark().MatchString(text)})
		}
	}
	for line, text := range inside {
		if !items[line] && otherMark().MatchString(text) {
			out = append(out, boxless{line, strings.TrimSpace(text), false})
		}
	}
	slices.SortFunc(out, func(a, b boxless) int { return a.line - b.line })
	return out
}
