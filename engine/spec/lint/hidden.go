package lint

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/markdown"
)

// hiddenLine is a line that people read as a criterion, or as its command, and that is none for Markdown.
type hiddenLine struct {
	line int
	text string
	why  string
}

// checkHidden reports criteria that would be lost without a word: those that Markdown reads as code, HTML or text, those
// behind a comment or fence without an end, and those with a command outside of the section. One criterion that counts
// hides none of them: the work would land although they fail.
func (l *linter) checkHidden() {
	if !l.isOpen() || l.s.Adopted() != nil || l.s.Archived {
		return
	}
	doc := l.s.Doc
	byHand := next.ByHand(`write each criterion as a line of its own, "- [ ] text", at the beginning of the line`)
	for _, q := range endless(doc) {
		mark := "block of code"
		if q.Comment {
			mark = "comment"
		}
		l.report("unread", q.Line, l.editStep(), "the %s that begins here has no end: %s not count", mark, withNoun(q.hidden, "line below that looks like a criterion does", "lines below that look like criteria do"))
	}
	for _, h := range hiddenLines(doc) {
		l.report("box", h.line, byHand, "looks like a criterion and does not count (%s): %s", h.why, spec.Echo(strings.TrimSpace(h.text)))
	}
	for _, t := range outsideTasks(doc) {
		l.report("unread", t.Line, l.editStep(), "has a command and does not count, since it is not below the heading \"## %s\": %s", spec.CriteriaHeading, spec.Echo(t.Text))
	}
}

// endlessBlock is a comment or a fence without an end, and the number of lines in it that look like criteria.
type endlessBlock struct {
	markdown.Quoted
	hidden int
}

// endless lists the blocks without an end that hide criteria.
func endless(doc *markdown.Document) []endlessBlock {
	var out []endlessBlock
	lines, inOutput := bodyLines(doc), outputLines(doc)
	for _, q := range doc.Quoted() {
		if q.Closed || !q.Comment && !q.Fenced {
			continue
		}
		one := endlessBlock{Quoted: q}
		for _, line := range lines {
			if q.Line < line.Number && line.Number <= q.Last && looksLikeCriterion(line.Text) {
				one.hidden++
			}
		}
		if one.hidden > 0 && !inOutput(q.Line) {
			out = append(out, one)
		}
	}
	return out
}

// hiddenLines lists the lines in the section of criteria that look like criteria and are code, HTML or text. Those that
// checkBoxes reports, and what is in a comment or a fence with an end, are left out.
func hiddenLines(doc *markdown.Document) []hiddenLine {
	known := map[int]bool{}
	for _, b := range lostBoxes(doc) {
		known[b.Number] = true
	}
	for _, b := range boxlessItems(doc) {
		known[b.line] = true
	}
	runs := map[int]bool{}
	for _, t := range doc.Tasks(spec.CriteriaHeading) {
		known[t.Line], runs[t.Line] = true, hasCommand(t)
	}
	items := map[int]bool{}
	for _, item := range doc.Items() {
		items[item.Line] = true
	}
	blocks, inCriteria, inOutput := doc.Quoted(), sectionLines(doc, isCriteriaHeading), outputLines(doc)
	var out []hiddenLine
	inItem, ofRun, below := false, false, false // a line before belongs to an item, which this one continues; that has a command; the heading above is that of criteria
	headings := map[int]markdown.Heading{}
	for _, h := range doc.Headings() {
		headings[h.Line] = h
	}
	lines := bodyLines(doc)
	for i, line := range lines {
		if h, is := headings[line.Number]; is {
			inItem, below = false, isCriteriaHeading(h)
			continue
		}
		at := slices.IndexFunc(blocks, func(q markdown.Quoted) bool { return q.Line <= line.Number && line.Number <= q.Last })
		blank, indented := strings.TrimSpace(line.Text) == "", strings.HasPrefix(line.Text, "  ")
		parted := i > 0 && strings.TrimSpace(lines[i-1].Text) == ""
		if items[line.Number] {
			ofRun = runs[line.Number]
		}
		// An indented paragraph behind a blank line says more about an item that has a command already.
		inItem = at < 0 && (items[line.Number] || inItem && (ofRun && (blank || indented) || !blank && !parted && !opensBlock().MatchString(line.Text)))
		if known[line.Number] || inItem || !inCriteria(line.Number) || inOutput(line.Number) || !looksLikeCriterion(line.Text) {
			continue
		}
		if at < 0 && !box().MatchString(line.Text) && isRemark(line.Text, i+1 < len(lines) && strings.TrimSpace(lines[i+1].Text) != "" && !opensBlock().MatchString(lines[i+1].Text), below) {
			continue
		}
		why := "it is not an item of a list"
		if at >= 0 {
			switch q := blocks[at]; {
			case q.Comment || q.Fenced:
				// What has an end is meant as it is, and checkHidden reports what has none.
				continue
			case strings.HasPrefix(line.Text, "    ") || strings.HasPrefix(line.Text, "\t"):
				why = "four spaces before it make it code"
			default:
				why = "it is part of HTML"
			}
		}
		out = append(out, hiddenLine{line.Number, line.Text, why})
	}
	return out
}

// isRemark reports whether a line with a command is text about it and not a criterion: it introduces what follows, quotes, goes on
// in the next line, or is in a table below another heading.
func isRemark(text string, goesOn, below bool) bool {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "|") {
		return !below
	}
	return goesOn || strings.HasSuffix(text, ":") || strings.HasPrefix(text, ">")
}

// stepHeadings are headings of what is done or known, where there are criteria beside it.
func stepHeadings() []string {
	return []string{"Tasks", "Plan", "Steps", "Context", "Notes", "Todo", "To do", "Checklist"}
}

// outsideTasks lists the open tasks with a command that are outside of the section of criteria, but for those that other rules
// report, and for the steps of specs that have criteria.
func outsideTasks(doc *markdown.Document) []markdown.Task {
	if len(nearHeadings(doc)) > 0 {
		return nil
	}
	counted := map[int]bool{}
	for _, t := range doc.Tasks(spec.CriteriaHeading) {
		counted[t.Offset] = true
	}
	inOutput := outputLines(doc)
	inSteps := sectionLines(doc, func(h markdown.Heading) bool {
		return len(counted) > 0 && slices.ContainsFunc(stepHeadings(), func(name string) bool { return strings.EqualFold(strings.TrimRight(h.Text, ": "), name) })
	})
	var out []markdown.Task
	for _, t := range doc.AllTasks() {
		if hasCommand(t) && !t.Checked && !counted[t.Offset] && !inOutput(t.Line) && !inSteps(t.Line) {
			out = append(out, t)
		}
	}
	return out
}

// hasCommand reports whether a task ends with a command.
func hasCommand(t markdown.Task) bool {
	return slices.ContainsFunc(t.Code, func(code string) bool { return strings.HasPrefix(code, "$ ") })
}

// looksLikeCriterion reports whether a line has a box, or ends with a command as criteria have it; in a table, any cell may.
func looksLikeCriterion(text string) bool {
	text = strings.TrimLeft(text, "> \t")
	return box().MatchString(text) || commandAtEnd().MatchString(text) || strings.HasPrefix(text, "|") && commandSpan().MatchString(text)
}

var (
	commandSpan = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`\\$ [^`]+`") })
	// Tags and marks may follow.
	commandAtEnd = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("`\\$ [^`]+`(?:[^\\pL\\pN`<]|</?\\w+/?>|<!--.*-->)*$")
	})
	// opensBlock matches a line that ends the text of an item without a blank line.
	opensBlock = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^\\s*(?:[-*+]\\s|\\d+[.)]\\s|#{1,6}\\s|```|~~~|<|\\|)")
	})
)

// bodyLines lists all lines of the body.
func bodyLines(doc *markdown.Document) []markdown.Line {
	number := bytes.Count(doc.Bytes()[:len(doc.Bytes())-len(doc.Body())], []byte("\n"))
	var out []markdown.Line
	for line := range strings.Lines(string(doc.Body())) {
		number++
		out = append(out, markdown.Line{Number: number, Text: strings.TrimRight(line, "\r\n")})
	}
	return out
}

// sectionLines returns whether a line is in a section with such a heading.
func sectionLines(doc *markdown.Document, is func(markdown.Heading) bool) func(line int) bool {
	var in [][2]int
	for _, h := range doc.Headings() {
		if is(h) {
			in = append(in, [2]int{h.Line, h.Line + bytes.Count(doc.Bytes()[h.Start:h.End], []byte("\n"))})
		}
	}
	return func(line int) bool {
		return slices.ContainsFunc(in, func(s [2]int) bool { return s[0] < line && line <= s[1] })
	}
}

// outputLines returns whether a line is in a section that runs write, which has no criteria.
func outputLines(doc *markdown.Document) func(line int) bool {
	// A title may begin with such a word.
	return sectionLines(doc, func(h markdown.Heading) bool {
		return h.Level > 1 && slices.ContainsFunc(spec.RunHeadings(), func(name string) bool { return strings.EqualFold(h.Text, name) })
	})
}
