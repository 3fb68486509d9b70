package task

import (
	"bytes"
	"slices"
	"strings"

	"chant/engine/spec"

	"chant/markdown"
)

// keptHeadings lists the sections of a spec that are not part of its description: its criteria, what runs have
// appended, and the comments of reviews.
func keptHeadings(doc *markdown.Document) []string {
	kept := []string{spec.CriteriaHeading, "Agent Conversation", "Agent Output", "Execution Result", "Output", "Takeover Analysis"}
	// A section of this name without comments of reviews is part of the description.
	if len(Comments(doc)) > 0 {
		kept = append(kept, Heading)
	}
	return kept
}

// Description returns the text of a spec without its title, its criteria and what runs have appended.
func Description(doc *markdown.Document) string {
	rest := doc.DropSections(keptHeadings(doc)...)
	body := rest.Body()
	if start, end, ok := titleLines(rest); ok {
		body = slices.Concat(body[:start], body[end:])
	}
	return strings.TrimSpace(strings.ReplaceAll(string(body), "\r\n", "\n"))
}

// titleLines returns where the title is in the body of a document.
func titleLines(doc *markdown.Document) (start, end int, ok bool) {
	offset := len(doc.Bytes()) - len(doc.Body())
	for _, h := range doc.Headings() {
		if h.Level != 1 || h.Text != doc.Title() {
			continue
		}
		start = h.Start - offset
		end = start
		if at := bytes.IndexByte(doc.Body()[start:], '\n'); at >= 0 {
			end = start + at + 1
		} else {
			end = len(doc.Body())
		}
		return start, end, true
	}
	return 0, 0, false
}

// SetText returns a document with another title and description; nil leaves either as it is. Criteria and what runs
// have appended stay, unless the new description has criteria of its own, which then replace those of the document.
func SetText(doc *markdown.Document, title, description *string) *markdown.Document {
	if title == nil && description == nil {
		return doc
	}
	name := doc.Title()
	if title != nil {
		name = spec.OneLine(*title)
	}
	if description == nil {
		return setTitle(doc, name)
	}
	text := strings.TrimSpace(strings.ReplaceAll(*description, "\r\n", "\n"))
	parts := []string{"# " + name}
	if text != "" {
		parts = append(parts, text)
	}
	// A section in the new description replaces the one in the document.
	own := doc.WithBody([]byte(text + "\n"))
	for _, section := range keptSections(doc) {
		if !hasSection(own, section.Text) {
			parts = append(parts, strings.TrimSpace(string(doc.Bytes()[section.Start:section.End])))
		}
	}
	return doc.WithBody(lineEndsOf(doc, strings.Join(parts, "\n\n")+"\n"))
}

// setTitle replaces the line of the title, or puts one in front.
func setTitle(doc *markdown.Document, name string) *markdown.Document {
	body := doc.Body()
	start, end, ok := titleLines(doc)
	if !ok {
		return doc.WithBody(slices.Concat(lineEndsOf(doc, "# "+name+"\n\n"), body))
	}
	return doc.WithBody(slices.Concat(body[:start], lineEndsOf(doc, "# "+name+"\n"), body[end:]))
}

// keptSections lists the sections of a document that are not part of its description.
func keptSections(doc *markdown.Document) []markdown.Heading {
	var out []markdown.Heading
	end, kept := 0, keptHeadings(doc)
	for _, h := range doc.Headings() {
		// A section within a kept one is kept with it.
		if h.Start >= end && slices.ContainsFunc(kept, func(name string) bool { return strings.EqualFold(name, h.Text) }) {
			out = append(out, h)
			end = h.End
		}
	}
	return out
}

func hasSection(doc *markdown.Document, title string) bool {
	_, ok := doc.Section(title)
	return ok
}

// lineEndsOf returns a text with the line ends of a document.
func lineEndsOf(doc *markdown.Document, text string) []byte {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if first, _, _ := bytes.Cut(doc.Bytes(), []byte("\n")); bytes.HasSuffix(first, []byte("\r")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text)
}
