package split

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"chant/engine/spec"
)

// minWords is the minimum number of words of a description.
const minWords = 5

// problems describes what is missing from a member or not allowed in it; i is its index.
func (m Member) problems(i int) []string {
	out := Faults(fmt.Sprintf("member %d", i+1), m.Title, m.Criteria, m.TargetFiles)
	if n := len(strings.Fields(m.Description)); n < minWords {
		out = append(out, fmt.Sprintf("member %d has a description of %d words: it does not say what to do", i+1, n))
	}
	return out
}

// Faults describes what is missing from a proposed spec, or not allowed in it. name is what the texts call it.
func Faults(name, title string, criteria []Criterion, files []string) []string {
	var out []string
	if !hasWord(title) {
		out = append(out, name+" has no title")
	}
	if !slices.ContainsFunc(criteria, func(c Criterion) bool { return !c.isMeaningless() }) {
		out = append(out, name+" has no meaningful criterion: name what is true when it is done, with a command where one can check it")
	}
	for j, c := range criteria {
		if !hasWord(c.Text) {
			out = append(out, fmt.Sprintf("%s has no words in criterion %d", name, j+1))
		}
		// The command is written into a code span, which has one line.
		if strings.ContainsAny(strings.TrimSpace(c.Command), "\r\n") || strings.ContainsFunc(c.Command, func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' }) {
			out = append(out, name+" has a command of several lines; put it into a script or join it by &&")
		}
	}
	for _, file := range files {
		if !isInRepository(file) {
			out = append(out, fmt.Sprintf("%s has a target file that is not in the repository: %q; name it from the top of the repository", name, spec.Echo(file)))
		}
	}
	return out
}

// hasWord reports whether a text contains a word, even of one letter.
func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// isInRepository reports whether a path, relative to the top of a repository, is in it on every system.
func isInRepository(file string) bool {
	name := strings.ReplaceAll(strings.TrimSpace(file), `\`, "/")
	// An agent may answer on one system, and its members be worked on another.
	drive := len(name) > 1 && name[1] == ':'
	clean := path.Clean(name)
	return name != "" && !drive && !path.IsAbs(clean) && clean != ".." && !strings.HasPrefix(clean, "../")
}

// isMeaningless reports whether a criterion has no command and consists only of words that
// apply to any work.
func (c Criterion) isMeaningless() bool {
	// A command decides even if the words around it say nothing.
	if strings.TrimSpace(c.Command) != "" || strings.Contains(c.Text, "`$ ") {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(c.Text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(fillerWords(), w) })
}

// fillerWords returns words that alone do not make a criterion.
func fillerWords() []string {
	return []string{
		"a", "all", "and", "are", "as", "been", "builds", "clean", "code", "complete", "completed", "correct", "correctly", "criteria", "done",
		"everything", "expected", "feature", "fine", "finished", "fully", "function", "functionality", "functions", "good", "has", "have", "implementation",
		"implemented", "is", "it", "met", "no", "of", "pass", "passes", "passing", "problems", "properly", "quality", "ready", "required", "requirements",
		"spec", "successful", "successfully", "task", "test", "tested", "tests", "that", "the", "this", "to", "well", "with", "without", "work",
		"working", "works", "errors", "issues",
	}
}
