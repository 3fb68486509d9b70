package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"

	"chant/markdown"
)

// CriteriaHeading is the heading under which criteria stand, at any level and
// in any case.
const CriteriaHeading = "Acceptance Criteria"

// Criterion is one thing that has to hold before a spec is done.
type Criterion struct {
	ID       string   `json:"id"`     // derived from the text: it survives reordering
	Number   int      `json:"number"` // 1-based, in file order
	Text     string   `json:"text"`   // as written, commands included
	Checked  bool     `json:"checked"`
	Commands []string `json:"commands,omitempty"` // what to run, in order, "" where nothing stands behind the "$"; none means the box is a claim
	Line     int      `json:"line"`

	offset int
}

// Runs reports whether the criterion is checked by running something.
func (c Criterion) Runs() bool { return len(c.Commands) > 0 }

// Criteria lists the acceptance criteria of a document.
func Criteria(doc *markdown.Document) []Criterion {
	var out []Criterion
	seen := map[string]int{}
	for _, task := range doc.Tasks(CriteriaHeading) {
		c := Criterion{Number: len(out) + 1, Text: task.Text, Checked: task.Checked, Line: task.Line, offset: task.Offset}
		for _, code := range task.Code {
			if cmd, ok := strings.CutPrefix(code, "$ "); ok {
				c.Commands = append(c.Commands, trimCommand(cmd))
			}
		}
		c.ID = criterionID(c.Text, seen)
		out = append(out, c)
	}
	return out
}

// trimCommand drops the white space around a command, but for a space at its end that a backslash makes part of it.
func trimCommand(text string) string {
	command := strings.TrimSpace(text)
	if strings.HasSuffix(command, `\`) && strings.HasSuffix(text, " ") {
		command += " "
	}
	return command
}

// criterionID hashes the text; a text that stands twice gets "-2", "-3", ….
func criterionID(text string, seen map[string]int) string {
	id := TextID(text)
	seen[id]++
	if n := seen[id]; n > 1 {
		return fmt.Sprintf("%s-%d", id, n)
	}
	return id
}

// TextID is the id of a text; white space outside of its commands does not count.
func TextID(text string) string {
	sum := sha256.Sum256([]byte(OneLine(text)))
	return hex.EncodeToString(sum[:4])
}

// Check ticks or unticks criteria by id. Ids that do not stand in the document
// are an error.
func Check(doc *markdown.Document, boxes map[string]bool) (*markdown.Document, error) {
	found := 0
	for _, c := range Criteria(doc) {
		checked, ok := boxes[c.ID]
		if !ok {
			continue
		}
		found++
		next, err := doc.SetChecked(c.offset, checked)
		if err != nil {
			return nil, err
		}
		doc = next // one byte for one byte: the other offsets still hold
	}
	if found < len(boxes) {
		return nil, fmt.Errorf("%d of %d criteria are not in %q", len(boxes)-found, len(boxes), doc.Path())
	}
	return doc, nil
}

// Join lists the criteria of start and then those of now that start does not have.
func Join(start, now []Criterion) []Criterion {
	known := map[string]bool{}
	for _, c := range start {
		known[c.ID] = true
	}
	out := append([]Criterion(nil), start...)
	for _, c := range now {
		if !known[c.ID] {
			c.Number = len(out) + 1
			out = append(out, c)
		}
	}
	return out
}

// Weakened names what a spec asks for less, or otherwise, than it did: of its criteria,
// and of the commands under verify.
func Weakened(was, now *Spec) []string {
	out := Tampering(Criteria(was.Doc), Criteria(now.Doc))
	if !reflect.DeepEqual(was.Fields.Verify, now.Fields.Verify) {
		out = append(out, "the commands under verify in the spec were changed")
	}
	return out
}

// Tampering compares the criteria of the start commit with those found later
// and names every one that is gone, reworded or carries another command. Added
// criteria and another order are no tampering.
func Tampering(start, now []Criterion) []string {
	have := map[string]bool{}
	for _, c := range now {
		have[c.ID] = true
	}
	var out []string
	for _, c := range start {
		if !have[c.ID] {
			out = append(out, fmt.Sprintf("criterion %d was removed or reworded: %s", c.Number, c.Text))
		}
	}
	return out
}
