package speckit

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/format/tasklist"
	"chant/markdown"
)

// patterns are the expressions for spec.md.
var patterns = sync.OnceValue(func() (p struct{ title, statement, id *regexp.Regexp }) {
	p.title = regexp.MustCompile(`(?i)^feature(?:\s+spec(?:ification)?)?(?:\s+[0-9-]+)?\s*[:–—-]\s*`)
	p.statement = regexp.MustCompile(`^[*_\x60]*(SC-(?:[A-Z]+-)?[0-9]+[a-z]?)[*_\x60]*(?:\s*\([^)]*\))?[*_\x60]*\s*(?:[:–—]|\s-\s)[*_]*\s*(.*)$`)
	p.id = regexp.MustCompile(`^[*_\x60]*(SC-(?:[A-Z]+-)?[0-9]+[a-z]?)[*_\x60]*$`)
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
	blocks := readBlocks(d.Prose(), d.Headings(), d.Items())
	f.readStories(blocks)
	f.readCriteria(blocks)
	return nil
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
	open := false // whether the last block may continue
	last := 0
	for _, line := range prose {
		text := strings.TrimSpace(line.Text)
		if line.Number != last+1 {
			// Code or a comment lies between, which ends the block.
			open = false
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

// readCriteria reads the success criteria.
func (f *Feature) readCriteria(blocks []block) {
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
		if id != "" && text != "" && !slices.ContainsFunc(f.SuccessCriteria, func(s Statement) bool { return s.ID == id }) {
			f.SuccessCriteria = append(f.SuccessCriteria, Statement{ID: id, Text: text, Line: b.line})
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
		id, _, _, ok := tasklist.StoryHeading(b.text)
		if ok || b.heading <= level {
			end()
		}
		switch {
		case ok:
			f.Stories = append(f.Stories, Story{ID: id})
			level = b.heading
		case level > 0:
			s.label(b.text)
		}
	}
	end()
}
