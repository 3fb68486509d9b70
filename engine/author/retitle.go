package author

import (
	"strings"

	"chant/markdown"
)

// withTitle returns the document with a description as its title, and the rest of the description below it.
func withTitle(doc *markdown.Document, description string) *markdown.Document {
	if strings.TrimSpace(description) == "" {
		return doc
	}
	title, rest := splitDescription(description)
	head := "# " + title + "\n"
	if rest != "" {
		head += "\n" + rest + "\n"
	}
	src := string(doc.Bytes())
	body := len(src) - len(doc.Body())
	for _, h := range doc.Headings() {
		// Only the first heading of this level is the title.
		if h.Level != 1 {
			continue
		}
		return doc.WithBody([]byte(src[body:h.Start] + head + src[h.Start+headingLength(src[h.Start:]):]))
	}
	return doc.WithBody([]byte("\n" + head + "\n" + strings.TrimLeft(src[body:], "\n")))
}

// headingLength is the number of bytes of the heading with which a text begins: one line, or lines above a line of "=".
func headingLength(text string) int {
	length, first := 0, 0
	for line := range strings.Lines(text) {
		length += len(line)
		switch trimmed := strings.TrimSpace(line); {
		// A heading with # is one line.
		case first == 0 && strings.HasPrefix(trimmed, "#"):
			return length
		// A paragraph that ends here is not a heading.
		case first > 0 && trimmed == "":
			return first
		case first > 0 && strings.Trim(trimmed, "=") == "":
			return length
		case first == 0:
			first = length
		}
	}
	return first
}
