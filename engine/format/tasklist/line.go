package tasklist

import (
	"regexp"
	"strings"
	"sync"
)

// linePatterns are the expressions for the text of a task.
var linePatterns = sync.OnceValue(func() (p struct{ id, label *regexp.Regexp }) {
	p.id = regexp.MustCompile(`^((?i:t|chk|task)-?[0-9]+(?:\.[0-9]+)*[a-zA-Z]?|[0-9]+(?:\.[0-9]+)+|[0-9]+[.)])`)
	p.label = regexp.MustCompile(`(?i)^us[\s-]?([0-9]+)$`)
	return p
})

// parseLine reads the text behind a box, all but what it depends on.
func parseLine(text string) Task {
	t := Task{Text: text}
	rest := text
	for {
		if next, ok := t.marker(rest); ok {
			rest = next
			continue
		}
		if t.ID == "" {
			if id, next, ok := cutID(rest); ok {
				t.ID, rest = id, next
				continue
			}
		}
		t.Description = rest
		return t
	}
}

// marker reads "[P]", "[US1]", "[P, US1]", "[T001]" or "(P)" at the start of a text.
func (t *Task) marker(text string) (rest string, ok bool) {
	// The mark of cc-sdd, which writes lists for Kiro.
	if rest, ok := strings.CutPrefix(text, "(P) "); ok {
		t.Parallel = true
		return strings.TrimLeft(rest, " \t"), true
	}
	inside, rest, ok := strings.Cut(text, "]")
	if !ok || !strings.HasPrefix(inside, "[") {
		return text, false
	}
	inside = inside[1:]
	rest = strings.TrimLeft(rest, " \t")
	if t.ID == "" {
		if id, more, ok := cutID(inside); ok && more == "" {
			t.ID = id
			return rest, true
		}
	}
	parallel, story := false, ""
	for part := range strings.FieldsFuncSeq(inside, func(r rune) bool { return strings.ContainsRune(",/&+", r) }) {
		part = strings.TrimSpace(part)
		m := linePatterns().label.FindStringSubmatch(part)
		switch {
		case strings.EqualFold(part, "P"):
			parallel = true
		case m != nil && story == "":
			story = storyID(m[1])
		// Anything else in brackets is text, such as a link.
		case m == nil:
			return text, false
		}
	}
	if !parallel && story == "" {
		return text, false
	}
	t.Parallel = t.Parallel || parallel
	if t.Story == "" {
		t.Story = story
	}
	return rest, true
}

// cutID reads an ID at the start of a text: plain, in bold or in code, perhaps with a colon, a full
// stop or a dash behind it.
func cutID(text string) (id, rest string, ok bool) {
	mark := ""
	for _, m := range []string{"**", "__", "`"} {
		if strings.HasPrefix(text, m) {
			mark = m
		}
	}
	found := linePatterns().id.FindString(text[len(mark):])
	if found == "" {
		return "", text, false
	}
	id = strings.TrimRight(found, ".)")
	rest = text[len(mark)+len(found):]
	rest = strings.TrimLeft(rest, ".:)")
	if mark != "" {
		closed, ok := strings.CutPrefix(rest, mark)
		if !ok {
			// More than the ID is marked.
			rest = mark + strings.TrimLeft(rest, " \t")
			return id, rest, len(rest) > len(mark)
		}
		rest = strings.TrimLeft(closed, ".:)")
	}
	// An ID is a whole word: T1 is not the beginning of T1a-draft.
	if rest != "" && !strings.ContainsAny(rest[:1], " \t[") {
		return "", text, false
	}
	rest = strings.TrimLeft(rest, " \t")
	for _, dash := range []string{"- ", "– ", "— "} {
		rest = strings.TrimPrefix(rest, dash)
	}
	return id, rest, true
}
