package split

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"chant/engine/spec"
)

// fewestWords is how many words a description has at least.
const fewestWords = 5

// stubs names the members that say nothing.
func (p Proposal) stubs() []string {
	var out []string
	for i, m := range p.Members {
		if !speaks(m.Title) {
			out = append(out, fmt.Sprintf("member %d has no title", i+1))
		}
		if n := len(strings.Fields(m.Description)); n < fewestWords {
			out = append(out, fmt.Sprintf("member %d has a description of %d words: it does not say what to do", i+1, n))
		}
		if !slices.ContainsFunc(m.Criteria, func(c Criterion) bool { return !c.empty() }) {
			out = append(out, fmt.Sprintf("member %d has no meaningful criterion: name what is true when it is done, with a command where one can check it", i+1))
		}
		for j, c := range m.Criteria {
			if !speaks(c.Text) {
				out = append(out, fmt.Sprintf("member %d has no words in criterion %d", i+1, j+1))
			}
			if strings.ContainsAny(strings.TrimSpace(c.Command), "\r\n") || strings.ContainsFunc(c.Command, func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' }) {
				out = append(out, fmt.Sprintf("member %d has a command of several lines; put it into a script or join it by &&", i+1))
			}
		}
		for _, file := range m.TargetFiles {
			if !within(file) {
				out = append(out, fmt.Sprintf("member %d has a target file that is not in the repository: %q; name it from the top of the repository", i+1, spec.Echo(file)))
			}
		}
	}
	return out
}

// speaks reports whether a text has a word in it, be it of one letter.
func speaks(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// within reports whether a file that is named from the top of a repository is in it, on
// any system: an agent may answer on one, and its members be worked on another.
func within(file string) bool {
	name := strings.ReplaceAll(strings.TrimSpace(file), `\`, "/")
	drive := len(name) > 1 && name[1] == ':'
	clean := path.Clean(name)
	return name != "" && !drive && !path.IsAbs(clean) && clean != ".." && !strings.HasPrefix(clean, "../")
}

// empty reports whether a criterion is none: without a command, and with nothing but
// words that hold for any work.
func (c Criterion) empty() bool {
	if strings.TrimSpace(c.Command) != "" || strings.Contains(c.Text, "`$ ") {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(c.Text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(hollow(), w) })
}

// hollow are words of which no criterion can be made.
func hollow() []string {
	return []string{
		"a", "all", "and", "are", "as", "been", "builds", "clean", "code", "complete", "completed", "correct", "correctly", "criteria", "done",
		"everything", "expected", "feature", "fine", "finished", "fully", "function", "functionality", "functions", "good", "has", "have", "implementation",
		"implemented", "is", "it", "met", "no", "of", "pass", "passes", "passing", "problems", "properly", "quality", "ready", "required", "requirements",
		"spec", "successful", "successfully", "task", "test", "tested", "tests", "that", "the", "this", "to", "well", "with", "without", "work",
		"working", "works", "errors", "issues",
	}
}
