package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"

	"chant/markdown"
)

// CriteriaHeading is the heading of the section with the criteria, at any level and in any case.
const CriteriaHeading = "Acceptance Criteria"

// Criterion is one thing that must be true before a spec is done.
type Criterion struct {
	ID       string   `json:"id"`     // derived from the text: it survives reordering
	Number   int      `json:"number"` // 1-based, in file order
	Text     string   `json:"text"`   // as written, commands included
	Checked  bool     `json:"checked"`
	Failed   bool     `json:"failed,omitempty"`   // when it was last checked, whatever its box says
	Commands []string `json:"commands,omitempty"` // what to run, in order, "" for a "$" without a command; without commands the box is a claim
	Line     int      `json:"line"`
	Key      string   `json:"key,omitempty"`     // of an adopted folder: what that calls it, such as "T001"
	File     string   `json:"file,omitempty"`    // of an adopted folder: its file, from the top of the repository
	Boxless  bool     `json:"boxless,omitempty"` // it has no box in that file: the key `met` of the spec says whether it holds
	Offset   int      `json:"-"`                 // of the character in its box, in bytes
}

// Runs reports whether the criterion is checked by running something.
func (c Criterion) Runs() bool { return len(c.Commands) > 0 }

// Criteria lists the acceptance criteria of a document.
func Criteria(doc *markdown.Document) []Criterion { return criteriaOf(doc.Tasks(CriteriaHeading)) }

func criteriaOf(tasks []markdown.Task) []Criterion {
	var out []Criterion
	seen := map[string]int{}
	for _, task := range tasks {
		c := Criterion{Number: len(out) + 1, Text: task.Text, Checked: task.Checked, Commands: CommandsOf(task.Code), Line: task.Line, Offset: task.Offset}
		c.ID = criterionID(c.Text, seen)
		out = append(out, c)
	}
	return out
}

// trimCommand removes the white space around a command, but keeps a space at its end that a backslash escapes.
func trimCommand(text string) string {
	command := strings.TrimSpace(text)
	// A backslash before the last space makes that space part of an argument.
	if strings.HasSuffix(command, `\`) && strings.HasSuffix(text, " ") {
		command += " "
	}
	return command
}

// criterionID returns the hash of the text. If the same text occurs again, its id ends in "-2", "-3", ….
func criterionID(text string, seen map[string]int) string {
	id := TextID(text)
	seen[id]++
	if n := seen[id]; n > 1 {
		return fmt.Sprintf("%s-%d", id, n)
	}
	return id
}

// TextID returns the id of a text; white space outside of its commands does not change it.
func TextID(text string) string {
	sum := sha256.Sum256([]byte(OneLine(text)))
	// Eight digits are short enough to type and long enough for the criteria of one spec.
	return hex.EncodeToString(sum[:4])
}

// Check ticks or unticks criteria by id. It returns an error if the document lacks one of the ids.
func Check(doc *markdown.Document, boxes map[string]bool) (*markdown.Document, error) {
	found := 0
	for _, c := range Criteria(doc) {
		checked, ok := boxes[c.ID]
		if !ok {
			continue
		}
		found++
		next, err := doc.SetChecked(c.Offset, checked)
		if err != nil {
			return nil, err
		}
		// One byte replaced one byte, so the other offsets remain valid.
		doc = next
	}
	if found < len(boxes) {
		return nil, fmt.Errorf("%d of %d criteria are not in %q", len(boxes)-found, len(boxes), doc.Path())
	}
	return doc, nil
}

// JoinCriteria lists the criteria of start and then those of now that start does not have.
func JoinCriteria(start, now []Criterion) []Criterion {
	known := map[string]bool{}
	for _, c := range start {
		known[c.ID] = true
	}
	out := append([]Criterion(nil), start...)
	for _, c := range now {
		if !known[c.ID] {
			// The number in the later version may be that of another criterion.
			c.Number = len(out) + 1
			out = append(out, c)
		}
	}
	return out
}

// WeakenedChecks lists the criteria that were removed or changed between two versions of a spec, and whether its
// commands under verify changed.
func WeakenedChecks(was, now *File) []string {
	out := Tampering(was.Criteria(), now.Criteria())
	// Commands under verify have no ids, so they are compared as a whole.
	if !reflect.DeepEqual(was.Fields.Verify, now.Fields.Verify) {
		out = append(out, "the commands under verify in the spec were changed")
	}
	return out
}

// Tampering compares the criteria of the start commit with later ones and lists every criterion that was removed,
// reworded or given another command. Adding and reordering criteria is allowed.
func Tampering(start, now []Criterion) []string {
	have := map[string]bool{}
	for _, c := range now {
		have[c.ID] = true
	}
	var out []string
	for _, c := range start {
		// The id follows from the text and its commands, so a reworded criterion is missing by its id.
		if !have[c.ID] {
			out = append(out, fmt.Sprintf("criterion %d was removed or reworded: %s", c.Number, c.Text))
		}
	}
	return out
}
