package split

import (
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/markdown"
)

// Plan says into which parts to split a spec.
type Plan struct {
	Parts    []Part
	Repaired []string // what was repaired, in words
}

// Part is one future member.
type Part struct {
	Title    string
	Text     string   // Markdown below the title, without the criteria
	Criteria []string // as in the list of a spec, without the box
	Files    []string // target files
	After    []int    // the indexes of the parts that it waits for, in order
	Source   []string // its key `part`, of a spec that adopts a folder; its criteria are those of the folder then
	Own      []string // criteria beside those of the folder
	Whole    bool     // it gets the commands under `verify` of the spec
}

func (p *Plan) noteRepair(format string, args ...any) {
	p.Repaired = append(p.Repaired, fmt.Sprintf(format, args...))
}

// breakCycles drops what makes a part wait for itself: references to itself, and those
// references of a cycle that lead to a later part.
func (p *Plan) breakCycles() {
	for i := range p.Parts {
		slices.Sort(p.Parts[i].After)
		after := slices.Compact(p.Parts[i].After)
		if slices.Contains(after, i) {
			after = slices.DeleteFunc(after, func(j int) bool { return j == i })
			p.noteRepair("member %d depended on itself", i+1)
		}
		p.Parts[i].After = after
	}
	for i := range p.Parts {
		for _, j := range slices.Clone(p.Parts[i].After) {
			// A later part may wait for an earlier one, which is the usual order.
			if j < i || !p.dependsOn(j, i) {
				continue
			}
			p.Parts[i].After = slices.DeleteFunc(p.Parts[i].After, func(k int) bool { return k == j })
			p.noteRepair("members %d and %d waited for each other: %d no longer waits for %d, which comes later", i+1, j+1, i+1, j+1)
		}
	}
}

// dependsOn reports whether a part waits for another, directly or through others.
func (p *Plan) dependsOn(from, to int) bool {
	seen := make([]bool, len(p.Parts))
	stack := []int{from}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at == to {
			return true
		}
		// References can form a cycle at this point.
		if !seen[at] {
			seen[at] = true
			stack = append(stack, p.Parts[at].After...)
		}
	}
	return false
}

// assignRest adds the criteria of the spec that no part has, and its commands, to a part
// that then waits for all others.
func (p *Plan) assignRest(of *spec.File) {
	have := map[string]bool{}
	for _, part := range p.Parts {
		for _, line := range part.Criteria {
			have[spec.TextID(line)] = true
		}
	}
	last := p.lastFree()
	moved := len(of.Checks().Commands) > 0
	// The commands of the spec check the work as a whole, so they need a part that comes last.
	p.Parts[last].Whole = moved
	for _, c := range spec.Criteria(of.Doc) {
		if line := spec.OneLine(c.Text); !have[spec.TextID(line)] {
			have[spec.TextID(line)], moved = true, true
			p.Parts[last].Criteria = append(p.Parts[last].Criteria, line)
			p.noteRepair("criterion %d of the spec was in no member: member %d has it", c.Number, last+1)
		}
	}
	if !moved {
		return
	}
	// What concerns the whole can only be judged once everything else is done.
	p.Parts[last].After = nil
	for i := range p.Parts {
		if i != last {
			p.Parts[last].After = append(p.Parts[last].After, i)
		}
	}
}

// lastFree returns the last part that no other part waits for, so that it can wait for all of them.
func (p *Plan) lastFree() int {
	for i := len(p.Parts) - 1; i > 0; i-- {
		if !slices.ContainsFunc(p.Parts, func(o Part) bool { return slices.Contains(o.After, i) }) {
			return i
		}
	}
	return 0
}

// misreadParts lists the parts that would be read differently from what was meant, once they
// are written as specs.
func (p *Plan) misreadParts() []string {
	var out []string
	for i, part := range p.Parts {
		out = append(out, part.misreadProblems(i)...)
	}
	return out
}

// misreadProblems reports that the part with this index would be read differently.
func (p Part) misreadProblems(i int) []string {
	doc, err := p.Document("member")
	// The part is written and read again, because Markdown in its texts could be read as something else.
	if err != nil {
		return []string{fmt.Sprintf("member %d: %s", i+1, err)}
	}
	same := slices.EqualFunc(spec.Criteria(doc), p.Criteria, func(c spec.Criterion, line string) bool { return spec.OneLine(c.Text) == line })
	if doc.Title() != p.Title || !same {
		return []string{fmt.Sprintf("member %d would not read as it is meant: its description may hold no acceptance criteria of its own, and a text no line that breaks out of it", i+1)}
	}
	return nil
}

// Large reports whether a part is large enough to be split again: it has more than five
// criteria or target files, or more than two hundred words.
func (p Part) Large() bool {
	return len(p.Criteria) > 5 || len(p.Files) > 5 || len(strings.Fields(p.Text)) > 200
}

// Document returns the part as a spec without front matter: its criteria follow those in
// its text. Error: *markdown.SyntaxError.
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
	inText := spec.Criteria(doc)
	written := p.Criteria
	if len(p.Source) > 0 {
		written = p.Own
	}
	for _, line := range written {
		if !slices.ContainsFunc(inText, func(c spec.Criterion) bool { return spec.OneLine(c.Text) == line }) {
			lines = append(lines, "- [ ] "+line)
		}
	}
	if len(lines) == 0 {
		return doc, nil
	}
	return doc.AppendToSection(spec.CriteriaHeading, []byte(strings.Join(lines, "\n"))), nil
}
