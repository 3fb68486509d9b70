package lint

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/markdown"
)

// writtenPart returns the document without the sections that runs, approvals and reviews have appended.
func writtenPart(s *spec.File) *markdown.Document {
	return task.DropComments(s.WithoutRunSections().DropSections(spec.DiscussionHeading))
}

// size is the size of a spec.
type size struct{ criteria, files, words int }

func sizeOf(s *spec.File, doc *markdown.Document) size {
	words := 0
	for _, line := range doc.Prose() {
		words += len(strings.Fields(line.Text))
	}
	return size{len(spec.Criteria(doc)), len(s.Fields.TargetFiles), words}
}

func (l *linter) checkComplexity() {
	if !l.isOpen() || l.Graph.Container(l.s.ID) {
		return
	}
	is, most := sizeOf(l.s, writtenPart(l.s)), l.Settings.Thresholds
	for _, m := range []struct {
		rule, what string
		have, most int
	}{
		{"complexity_criteria", "criteria", is.criteria, most.Criteria},
		{"complexity_files", "target files", is.files, most.Files},
		{"complexity_words", "words", is.words, most.Words},
	} {
		if m.most > 0 && m.have > m.most {
			l.report(m.rule, 1, next.Split.On(l.s.ID), "%d %s are more than %d: several specs may be easier", m.have, m.what, m.most)
		}
	}
}

// checkModelWaste reports very small specs with a costly model.
func (l *linter) checkModelWaste() {
	model := strings.ToLower(l.s.Fields.Model)
	costly := strings.Contains(model, "opus") || strings.Contains(model, "sonnet")
	t := l.s.Fields.Type
	if !costly || !l.isOpen() || t.Container() || t == spec.Research {
		return
	}
	is, most := sizeOf(l.s, writtenPart(l.s)), l.Settings.Thresholds
	if is.criteria <= most.SimpleCriteria && is.files <= most.SimpleFiles && textWords(writtenPart(l.s)) <= most.SimpleWords {
		l.report("model_waste", l.keyLine("model"), l.editStep(), "model %q is costly for a spec this small", l.s.Fields.Model)
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

// mention matches an id in a text.
var mention = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}-[0-9a-z]{3,6}-[0-9a-z]{3}(?:\.\d+)*\b`)
})

// checkCoupling reports mentions of existing specs that the front matter does not name. A driver may mention any spec;
// for a member, only mentions of its siblings are reported.
func (l *linter) checkCoupling() {
	if !l.isOpen() || l.Graph.Container(l.s.ID) {
		return
	}
	parent, member := spec.Parent(l.s.ID)
	var reported []string
	for _, line := range writtenPart(l.s).Prose() {
		for _, other := range mention().FindAllString(line.Text, -1) {
			up, _ := spec.Parent(other)
			declared := bytes.Contains(l.s.Doc.FrontMatter(), []byte(other))
			if other == l.s.ID || !l.exists(other) || declared || slices.Contains(reported, other) || member && up != parent {
				continue
			}
			reported = append(reported, other)
			l.report("coupling", line.Number, next.Edit.On(l.s.ID), "mentions %s and does not depend on it", other)
		}
	}
}
