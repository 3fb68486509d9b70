package speckit

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/tasklist"
	"chant/markdown"
)

// patterns are the expressions for spec.md.
var patterns = sync.OnceValue(func() (p struct{ title, header, statement, id, clarify *regexp.Regexp }) {
	p.title = regexp.MustCompile(`(?i)^feature(?:\s+spec(?:ification)?)?(?:\s+[0-9-]+)?\s*[:–—-]\s*`)
	p.header = regexp.MustCompile(`(?i)^[>\s*+-]*(feature branch|branch|created|status)[*_]*\s*:[*_]*\s*(.*)$`)
	p.statement = regexp.MustCompile(`^[*_\x60]*((?:FR|NFR|SC)-(?:[A-Z]+-)?[0-9]+[a-z]?)[*_\x60]*(?:\s*\([^)]*\))?[*_\x60]*\s*(?:[:–—]|\s-\s)[*_]*\s*(.*)$`)
	p.id = regexp.MustCompile(`^[*_\x60]*((?:FR|NFR|SC)-(?:[A-Z]+-)?[0-9]+[a-z]?)[*_\x60]*$`)
	p.clarify = regexp.MustCompile(`\[NEEDS CLARIFICATION(?::\s*([^\]]*))?\]`)
	return p
})

// parse reads spec.md.
func (f *Feature) parse(file string, src []byte) error {
	d, err := markdown.Parse(file, src)
	if err != nil {
		return err
	}
	if _, err := d.Keys(); err != nil {
		return err
	}
	f.Title = strings.TrimSpace(patterns().title.ReplaceAllString(d.Title(), ""))
	prose := d.Prose()
	headings := d.Headings()
	f.readHeader(prose, headings)
	blocks := readBlocks(prose, headings, d.Items())
	f.readStories(blocks)
	f.readStatements(blocks)
	f.readClarifications(prose)
	return nil
}

// readHeader reads the lines before the first section.
func (f *Feature) readHeader(prose []markdown.Line, headings []markdown.Heading) {
	end := -1
	for _, h := range headings {
		if h.Level > 1 {
			end = h.Line
			break
		}
	}
	for _, line := range prose {
		if line.Number == end {
			return
		}
		m := patterns().header.FindStringSubmatch(line.Text)
		if m == nil {
			continue
		}
		field := &f.Branch
		switch strings.ToLower(m[1]) {
		case "created":
			field = &f.Created
		case "status":
			field = &f.Status
		}
		if *field == "" {
			*field = strings.Trim(m[2], " \t`*")
		}
	}
}

// block is a heading, a paragraph, an item or a row of a table.
type block struct {
	line    int
	heading int // level of the heading that it is, 0 for text
	item    bool
	text    string // lines joined by a space
}

// readBlocks divides the prose into blocks.
func readBlocks(prose []markdown.Line, headings []markdown.Heading, items []markdown.Item) []block {
	var blocks []block
	open := false // whether the last block may go on
	last := 0
	for _, line := range prose {
		text := strings.TrimSpace(line.Text)
		if line.Number != last+1 {
			open = false // code or a comment lies between
		}
		last = line.Number
		for len(items) > 0 && items[0].Line < line.Number {
			items = items[1:]
		}
		for len(headings) > 0 && headings[0].Line < line.Number {
			headings = headings[1:]
		}
		switch {
		case text == "":
			open = false
		case len(headings) > 0 && headings[0].Line == line.Number:
			blocks = append(blocks, block{line: line.Number, heading: headings[0].Level, text: headings[0].Text})
			open = false
		case len(items) > 0 && items[0].Line == line.Number:
			blocks = append(blocks, block{line: line.Number, item: true, text: items[0].Text})
			open = true
		case strings.HasPrefix(text, "|"):
			blocks = append(blocks, block{line: line.Number, text: text})
			open = false
		case open && blocks[len(blocks)-1].item:
			// the text of the item has it
		case open:
			blocks[len(blocks)-1].text += " " + text
		default:
			blocks = append(blocks, block{line: line.Number, text: text})
			open = true
		}
	}
	return blocks
}

// readStatements reads the requirements and success criteria.
func (f *Feature) readStatements(blocks []block) {
	for _, b := range blocks {
		if b.heading > 0 {
			continue
		}
		id, text := "", ""
		if m := patterns().statement.FindStringSubmatch(b.text); m != nil {
			id, text = m[1], m[2]
		} else if cells := strings.Split(b.text, "|"); strings.HasPrefix(b.text, "|") && len(cells) > 2 {
			if m := patterns().id.FindStringSubmatch(strings.TrimSpace(cells[1])); m != nil {
				id, text = m[1], strings.TrimSpace(cells[2])
			}
		}
		list := &f.Requirements
		if strings.HasPrefix(id, "SC") {
			list = &f.SuccessCriteria
		}
		if id != "" && text != "" && !slices.ContainsFunc(*list, func(s Statement) bool { return s.ID == id }) {
			*list = append(*list, Statement{ID: id, Text: text, Line: b.line})
		}
	}
}

// readClarifications reads the open questions. A marker in code is an example, and "[NEEDS CLARIFICATION] markers" is
// about them.
func (f *Feature) readClarifications(prose []markdown.Line) {
	var text strings.Builder
	for _, line := range prose {
		text.WriteString(line.Text + "\n")
	}
	all := text.String()
	line, counted := 0, 0
	for _, m := range patterns().clarify.FindAllStringSubmatchIndex(all, -1) {
		line += strings.Count(all[counted:m[0]], "\n")
		counted = m[0]
		question := ""
		if m[2] >= 0 {
			question = strings.Join(strings.Fields(all[m[2]:m[3]]), " ")
		} else if strings.HasPrefix(strings.TrimLeft(all[m[1]:], " "), "marker") {
			continue
		}
		if !strings.HasSuffix(all[:m[0]], "`") {
			f.Clarifications = append(f.Clarifications, Clarification{Text: question, Line: prose[line].Number})
		}
	}
}

// readStories reads the stories and their scenarios.
func (f *Feature) readStories(blocks []block) {
	level := 0 // of the heading of the story that is read, 0 outside
	var s scenarios
	end := func() {
		if level > 0 {
			f.Stories[len(f.Stories)-1].Scenarios = s.all
		}
		level, s = 0, scenarios{}
	}
	for _, b := range blocks {
		if b.heading == 0 {
			if level > 0 {
				s.add(b)
			}
			continue
		}
		id, title, priority, ok := tasklist.StoryHeading(b.text)
		if ok || b.heading <= level {
			end()
		}
		switch {
		case ok:
			f.Stories = append(f.Stories, Story{ID: id, Title: title, Priority: priority, Line: b.line})
			level = b.heading
		case level > 0:
			s.label(b.text)
		}
	}
	end()
}
