package lint

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/next"
	"chant/engine/spec"
	"chant/markdown"
)

// written is a spec as someone wrote it, without what runs and approvals have appended.
func written(s *spec.Spec) *markdown.Document {
	return s.WithoutRunSections().DropSections(spec.DiscussionHeading)
}

// size is how much a spec asks for.
type size struct{ criteria, files, words int }

func sizeOf(s *spec.Spec, doc *markdown.Document) size {
	words := 0
	for _, line := range doc.Prose() {
		words += len(strings.Fields(line.Text))
	}
	return size{len(spec.Criteria(doc)), len(s.Fields.TargetFiles), words}
}

func (l *linter) complexity() {
	if !l.open() || l.Graph.Container(l.s.ID) {
		return
	}
	is, most := sizeOf(l.s, written(l.s)), l.Settings.Thresholds
	for _, m := range []struct {
		rule, what string
		have, most int
	}{
		{"complexity_criteria", "criteria", is.criteria, most.Criteria},
		{"complexity_files", "target files", is.files, most.Files},
		{"complexity_words", "words", is.words, most.Words},
	} {
		if m.most > 0 && m.have > m.most {
			l.find(m.rule, 1, next.Split.On(l.s.ID), "%d %s are more than %d: several specs may be easier", m.have, m.what, m.most)
		}
	}
}

// Sizes of a trifle; words are those that are neither title nor criteria.
const trifleWords = 3

// modelWaste finds trifles that a costly model is to work.
func (l *linter) modelWaste() {
	model := strings.ToLower(l.s.Fields.Model)
	costly := strings.Contains(model, "opus") || strings.Contains(model, "sonnet")
	t := l.s.Fields.Type
	if !costly || !l.open() || t.Container() || t == spec.Research {
		return
	}
	is := sizeOf(l.s, written(l.s))
	if is.criteria <= 1 && is.files <= 1 && textWords(written(l.s)) <= trifleWords {
		l.find("model_waste", l.line("model"), l.edit(), "model %q is costly for a spec this small", l.s.Fields.Model)
	}
}

// textWords counts the words outside of headings and lists.
func textWords(doc *markdown.Document) int {
	skip := map[int]bool{}
	for _, h := range doc.Headings() {
		skip[h.Line] = true
	}
	for _, item := range doc.Items() {
		skip[item.Line] = true
	}
	words := 0
	for _, line := range doc.Prose() {
		if !skip[line.Number] {
			words += len(strings.Fields(line.Text))
		}
	}
	return words
}

// mention is an id in a text.
var mention = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}-[0-9a-z]{3,6}-[0-9a-z]{3}(?:\.\d+)*\b`)
})

// coupling finds mentions of existing specs that the front matter does not name: a driver may
// mention any, and a member any but its siblings.
func (l *linter) coupling() {
	if !l.open() || l.Graph.Container(l.s.ID) {
		return
	}
	parent, member := spec.Parent(l.s.ID)
	var told []string
	for _, line := range written(l.s).Prose() {
		for _, other := range mention().FindAllString(line.Text, -1) {
			up, _ := spec.Parent(other)
			declared := bytes.Contains(l.s.Doc.FrontMatter(), []byte(other))
			if other == l.s.ID || !l.known(other) || declared || slices.Contains(told, other) || member && up != parent {
				continue
			}
			told = append(told, other)
			l.find("coupling", line.Number, next.Edit.On(l.s.ID), "mentions %s and does not depend on it", other)
		}
	}
}
