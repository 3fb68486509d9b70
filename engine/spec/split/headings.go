package split

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/markdown"
)

// section is a part of a text with work in it.
type section struct {
	title string
	doc   *markdown.Document // heading and text
	text  string             // below the heading
	words map[string]bool
}

// ByHeading makes a plan of a spec's own sections: those of the second level that contain
// work, or those of the third level if fewer than two do. A section contains work if it
// has a list or criteria. A criterion of the whole spec goes to the section that it is
// about, or to the last section if it is about several or none. Text outside the sections
// stays in the spec, which is in the context of all members. Problems say why there is no
// plan.
func ByHeading(of *spec.File) (Plan, []string) {
	// Results of runs and remarks are about earlier work.
	doc := task.DropComments(of.WithoutRunSections().DropSections(spec.DiscussionHeading))
	for level := 2; level <= 3; level++ {
		found := sectionsOf(doc, level)
		if len(found) < 2 {
			continue
		}
		// Members are named by their titles.
		if twice := repeatedTitle(found); twice != "" {
			return Plan{}, []string{fmt.Sprintf("two of its sections have the title %q", spec.Echo(twice))}
		}
		return planOf(found, of)
	}
	return Plan{}, []string{"fewer than two of its sections list something to do"}
}

func sectionsOf(doc *markdown.Document, level int) []section {
	var out []section
	src := doc.Bytes()
	for _, h := range doc.Headings() {
		if h.Level != level || spec.OneLine(h.Text) == "" || isReserved(h.Text) {
			continue
		}
		sub, err := markdown.Parse(doc.Path(), src[h.Start:h.End])
		// A section without a list describes and has nothing to do.
		if err != nil || len(sub.Items()) == 0 {
			continue
		}
		text, _ := sub.Section(h.Text)
		s := section{title: spec.OneLine(h.Text), doc: sub, text: strings.TrimSpace(string(text)), words: map[string]bool{}}
		for _, w := range wordsOf(WithoutCommands(string(sub.Bytes()))) {
			s.words[w] = true
		}
		out = append(out, s)
	}
	return out
}

// isReserved reports whether chant itself uses the section with this heading.
func isReserved(heading string) bool {
	return strings.HasPrefix(normalize(heading), normalize(spec.CriteriaHeading)) || normalize(heading) == "script"
}

// repeatedTitle returns a title that two sections have, "" if there is none.
func repeatedTitle(found []section) string {
	seen := map[string]bool{}
	for _, s := range found {
		if seen[normalize(s.title)] {
			return s.title
		}
		seen[normalize(s.title)] = true
	}
	return ""
}

func planOf(found []section, of *spec.File) (Plan, []string) {
	plan := Plan{}
	brought := map[string]bool{}
	for i, s := range found {
		part := Part{Title: s.title, Text: s.text}
		for _, c := range spec.Criteria(s.doc) {
			part.Criteria = append(part.Criteria, spec.OneLine(c.Text))
			brought[spec.TextID(c.Text)] = true
		}
		// Sections are written in the order in which the work is to be done.
		if i > 0 {
			part.After = []int{i - 1}
		}
		plan.Parts = append(plan.Parts, part)
	}
	for _, c := range spec.Criteria(of.Doc) {
		if brought[spec.TextID(c.Text)] {
			continue
		}
		// The text is otherwise about several sections or none, and assignRest gives it to the last one.
		if at := sectionAbout(found, c.Text); at >= 0 {
			plan.Parts[at].Criteria = append(plan.Parts[at].Criteria, spec.OneLine(c.Text))
		}
	}
	plan.assignFiles(of.Fields.TargetFiles)
	for i := range plan.Parts {
		if part := &plan.Parts[i]; len(part.Criteria) == 0 {
			part.Criteria = criteriaFromList(found[i])
		}
	}
	plan.assignRest(of)
	return plan, plan.misreadParts()
}

// criteriaFromList returns the criteria for a section that has none: its boxes or, without
// boxes, that everything it lists is done.
func criteriaFromList(s section) []string {
	var out []string
	for _, task := range s.doc.Tasks(s.title) {
		if line := spec.OneLine(task.Text); !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	// A member needs at least one criterion.
	if len(out) == 0 {
		out = []string{fmt.Sprintf("Everything that %q lists is done", s.title)}
	}
	return out
}

// assignFiles adds target files to the parts that name them, and to the last part those
// that no part names.
func (p *Plan) assignFiles(files []string) {
	for _, file := range files {
		named := false
		for i := range p.Parts {
			if part := &p.Parts[i]; strings.Contains(part.Text, file) {
				part.Files, named = append(part.Files, file), true
			}
		}
		// Each file of the spec needs a member that may change it.
		if last := &p.Parts[len(p.Parts)-1]; !named {
			last.Files = append(last.Files, file)
		}
	}
}

// sectionAbout returns the index of the section that a text is about: the one with a word of
// the text in its title that is in no other title, else the one that shares most words with
// the text. It returns -1 for several such sections or none: the text is not about one section.
func sectionAbout(found []section, text string) int {
	words := wordsOf(WithoutCommands(text))
	named, titled, titles := -1, 0, titleWords(found)
	best, at := 0, -1
	for i, s := range found {
		n := 0
		for _, w := range words {
			if s.words[w] {
				n++
			}
		}
		switch {
		case n > best:
			best, at = n, i
		case n == best:
			// Two sections with as many words leave it open which one is meant.
			at = -1
		}
		// A title says more clearly what a section is about than the words in its text.
		if slices.ContainsFunc(words, func(w string) bool { return slices.Equal(titles[w], []int{i}) }) {
			named, titled = i, titled+1
		}
	}
	switch titled {
	case 0:
		return at
	case 1:
		return named
	}
	return -1
}

// titleWords returns for each word the sections with that word in their title.
func titleWords(found []section) map[string][]int {
	in := map[string][]int{}
	for i, s := range found {
		for _, w := range wordsOf(s.title) {
			in[w] = append(in[w], i)
		}
	}
	return in
}

// WithoutCommands returns a text without its commands, whose words do not show what it is about.
func WithoutCommands(text string) string {
	var out strings.Builder
	for {
		before, rest, _ := strings.Cut(text, "`")
		out.WriteString(before)
		if len(before) == len(text) {
			return out.String()
		}
		inner := strings.TrimLeft(rest, "`")
		ticks := text[len(before) : len(text)-len(inner)]
		code, behind, closed := strings.Cut(inner, ticks)
		// Backticks that nothing closes are text.
		if text = inner; !closed {
			continue
		}
		// The words of a command do not show what a criterion is about.
		if !strings.HasPrefix(strings.TrimPrefix(code, " "), "$ ") {
			out.WriteString(code)
		}
		out.WriteString(" ")
		text = behind
	}
}

// wordsOf lists the meaningful words of a text, each once.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return len([]rune(w)) < 3 || slices.Contains(fillerWords(), w) })
	slices.Sort(words)
	return slices.Compact(words)
}
