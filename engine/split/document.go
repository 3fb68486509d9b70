package split

import (
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/markdown"
)

// Document is the part as a spec without front matter: its criteria behind those that
// its text has brought along. Error: *markdown.SyntaxError.
func (p Part) Document(path string) (*markdown.Document, error) {
	text := "# " + p.Title + "\n"
	if p.Text != "" {
		text += "\n" + p.Text + "\n"
	}
	doc, err := markdown.Parse(path, []byte(text))
	if err != nil {
		return nil, err
	}
	var lines []string
	brought := spec.Criteria(doc)
	for _, line := range p.Criteria {
		if !slices.ContainsFunc(brought, func(c spec.Criterion) bool { return spec.OneLine(c.Text) == line }) {
			lines = append(lines, "- [ ] "+line)
		}
	}
	if len(lines) == 0 {
		return doc, nil
	}
	return doc.AppendToSection(spec.CriteriaHeading, []byte(strings.Join(lines, "\n"))), nil
}
