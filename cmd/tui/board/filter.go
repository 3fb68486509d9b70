package board

import (
	"slices"
	"strings"

	"chant/engine/view"
)

// filter is what a person typed to see fewer specs. All of it has to match.
type filter struct {
	words    []string // parts of id and title
	labels   []string // beginnings of labels
	statuses []string // beginnings of a status or of the name of a column
}

// parseFilter reads a filter: text, label:NAME and status:NAME, in any order and number. A
// prefix without a name matches everything, so that nothing disappears while it is typed.
func parseFilter(text string) filter {
	var f filter
	for _, word := range strings.Fields(strings.ToLower(text)) {
		kind, name, found := strings.Cut(word, ":")
		switch {
		case found && kind == "label":
			f.labels = append(f.labels, name)
		case found && kind == "status":
			f.statuses = append(f.statuses, strings.ReplaceAll(name, "-", "_"))
		default:
			f.words = append(f.words, word)
		}
	}
	return f
}

// hay is the text of a card in which words are looked for.
func hay(c view.Card) string { return strings.ToLower(c.ID + " " + c.Title) }

// match reports whether a card is shown. hay is its text.
func (f filter) match(c *view.Card, hay string) bool {
	for _, w := range f.words {
		if !strings.Contains(hay, w) {
			return false
		}
	}
	for _, l := range f.labels {
		if l != "" && !slices.ContainsFunc(c.Labels, func(have string) bool { return strings.HasPrefix(strings.ToLower(have), l) }) {
			return false
		}
	}
	for _, s := range f.statuses {
		if !strings.HasPrefix(c.Status, s) && !strings.HasPrefix(string(c.Column), s) && (!c.Blocked || !strings.HasPrefix("blocked", s)) {
			return false
		}
	}
	return true
}
