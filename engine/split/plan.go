package split

import (
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
)

// Plan is how a spec is taken apart.
type Plan struct {
	Parts    []Part
	Repaired []string // what was put right, in words
}

// Part is one member to be.
type Part struct {
	Title    string
	Text     string   // Markdown below the title, without the criteria
	Criteria []string // as a list of a spec has them, without the box
	Files    []string // target files
	After    []int    // the parts that it waits for, from 0, in order
	Whole    bool     // the commands under `verify` of the spec are asked of this one
}

func (p *Plan) repaired(format string, args ...any) {
	p.Repaired = append(p.Repaired, fmt.Sprintf(format, args...))
}

// straighten drops what makes a part wait for itself: references to itself, and of a
// circle those to a later part.
func (p *Plan) straighten() {
	for i := range p.Parts {
		slices.Sort(p.Parts[i].After)
		after := slices.Compact(p.Parts[i].After)
		if slices.Contains(after, i) {
			after = slices.DeleteFunc(after, func(j int) bool { return j == i })
			p.repaired("member %d depended on itself", i+1)
		}
		p.Parts[i].After = after
	}
	for i := range p.Parts {
		for _, j := range slices.Clone(p.Parts[i].After) {
			if j < i || !p.leads(j, i) {
				continue
			}
			p.Parts[i].After = slices.DeleteFunc(p.Parts[i].After, func(k int) bool { return k == j })
			p.repaired("members %d and %d waited for each other: %d no longer waits for %d, which comes later", i+1, j+1, i+1, j+1)
		}
	}
}

// leads reports whether a part waits for another, directly or through others.
func (p *Plan) leads(from, to int) bool {
	seen := make([]bool, len(p.Parts))
	stack := []int{from}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at == to {
			return true
		}
		if !seen[at] {
			seen[at] = true
			stack = append(stack, p.Parts[at].After...)
		}
	}
	return false
}

// cover gives the criteria of the spec that no part has, and the commands that are for
// all of it, to a part that then waits for every other one.
func (p *Plan) cover(of *spec.Spec) {
	have := map[string]bool{}
	for _, part := range p.Parts {
		for _, line := range part.Criteria {
			have[spec.TextID(line)] = true
		}
	}
	last := p.last()
	moved := len(of.Checks().Commands) > 0
	p.Parts[last].Whole = moved
	for _, c := range spec.Criteria(of.Doc) {
		if line := spec.OneLine(c.Text); !have[spec.TextID(line)] {
			have[spec.TextID(line)], moved = true, true
			p.Parts[last].Criteria = append(p.Parts[last].Criteria, line)
			p.repaired("criterion %d of the spec was in no member: member %d has it", c.Number, last+1)
		}
	}
	if !moved {
		return
	}
	p.Parts[last].After = nil
	for i := range p.Parts {
		if i != last {
			p.Parts[last].After = append(p.Parts[last].After, i)
		}
	}
}

// last is the last part that no other one waits for: it may wait for all of them.
func (p *Plan) last() int {
	for i := len(p.Parts) - 1; i > 0; i-- {
		if !slices.ContainsFunc(p.Parts, func(o Part) bool { return slices.Contains(o.After, i) }) {
			return i
		}
	}
	return 0
}

// odd lists what cannot stand in a spec as it was meant: the parts are read as the specs
// that they would be.
func (p *Plan) odd() []string {
	var out []string
	for i, part := range p.Parts {
		doc, err := part.Document("member")
		if err != nil {
			out = append(out, fmt.Sprintf("member %d: %s", i+1, err))
			continue
		}
		got := spec.Criteria(doc)
		same := slices.EqualFunc(got, part.Criteria, func(c spec.Criterion, line string) bool { return spec.OneLine(c.Text) == line })
		if doc.Title() != part.Title || !same {
			out = append(out, fmt.Sprintf("member %d would not read as it is meant: its description may hold no acceptance criteria of its own, and a text no line that breaks out of it", i+1))
		}
	}
	return out
}

// Large reports whether a part is one that could be split again: more than five criteria
// or target files, or more than two hundred words.
func (p Part) Large() bool {
	return len(p.Criteria) > 5 || len(p.Files) > 5 || len(strings.Fields(p.Text)) > 200
}
