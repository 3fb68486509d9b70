package openspec

import (
	"chant/engine/openspec/ecma"
)

// Spec is a file specs/CAPABILITY/spec.md: what is true of a capability.
type Spec struct {
	// Title is the text of the first heading of the first level.
	Title        string
	Purpose      string
	Requirements []Requirement
	// sectioned says that there is a section "Requirements".
	sectioned bool
}

// ParseSpec reads a spec. What is missing stays empty: ValidateSpec reports it.
//
// Every heading directly below "Requirements" is a requirement here, and every one directly
// below that a scenario, as the tool reads specs; a delta has only those headings that are
// written as the format wants them.
func ParseSpec(text []byte) Spec { return parseSpec(readPage(string(text))) }

func parseSpec(p page) Spec {
	s := Spec{Title: firstTitle(p)}
	if i := p.section("Purpose"); i >= 0 {
		s.Purpose = ecma.Trim(p.below(i).text())
	}
	at := p.section("Requirements")
	if at < 0 {
		return s
	}
	s.sectioned = true
	for _, i := range p.children(at) {
		r := Requirement{Name: p[i].title, Line: i + 1, Text: statement(p.below(i))}
		if rest, ok := ecma.CutFold(r.Name, "Requirement:"); ok {
			r.Name = rest
		}
		r.Name = plainName(r.Name)
		if r.Text == "" {
			r.Text = p[i].title
		}
		for _, j := range p.children(i) {
			if text := ecma.Trim(p.below(j).text()); text != "" {
				r.Scenarios = append(r.Scenarios, Scenario{Name: scenarioName(p[j].text), Line: j + 1, Text: text})
			}
		}
		s.Requirements = append(s.Requirements, r)
	}
	return s
}

func firstTitle(p page) string {
	for _, l := range p {
		if l.level == 1 && l.named {
			return l.title
		}
	}
	return ""
}

// parts are the pieces of a spec from which a merge builds the next one.
type parts struct {
	before, heading, preamble string
	blocks                    []*block
	after                     string
}

// partsOf takes a spec apart at its section "## Requirements". A spec without one gets it at
// its end.
func partsOf(text string) parts {
	p := readPage(text)
	at := -1
	for i, l := range p {
		if l.level == 2 && ecma.SameTitle(l.title, "Requirements") {
			at = i
			break
		}
	}
	if at < 0 {
		return parts{before: ecma.TrimRight(text), heading: "## Requirements"}
	}
	end := at + 1
	for end < len(p) && p[end].level != 2 {
		end++
	}
	blocks := blocksOf(p, at+1, end)
	first := end
	if len(blocks) > 0 {
		first = blocks[0].line
	}
	return parts{
		before:   ecma.TrimRight(p[:at].text()),
		heading:  p[at].text,
		preamble: ecma.TrimRight(p[at+1 : first].text()),
		blocks:   blocks,
		after:    ecma.Trim(p[end:].text()),
	}
}
