package openspec

import (
	"cmp"
)

// livingSpec is a file specs/CAPABILITY/spec.md as the tool reads specs: every heading directly below "Requirements" is a
// requirement here, and every one directly below that a scenario. A delta has only those headings that are written as
// the format wants them.
type livingSpec struct {
	purpose      string
	sectioned    bool // there is a section "Requirements"
	requirements []specRequirement
}

// specRequirement is a requirement of a spec. Without a statement, its heading is the statement.
type specRequirement struct {
	line     int
	text     string
	scenario bool // it has one with a text
}

func parseSpec(p page) livingSpec {
	var s livingSpec
	if i := p.section("Purpose"); i >= 0 {
		s.purpose = Trim(p.sectionAt(i).text())
	}
	at := p.section("Requirements")
	if at < 0 {
		return s
	}
	s.sectioned = true
	for _, i := range p.children(at) {
		r := specRequirement{line: i + 1, text: cmp.Or(statement(p.sectionAt(i)), p[i].title)}
		for _, j := range p.children(i) {
			r.scenario = r.scenario || Trim(p.sectionAt(j).text()) != ""
		}
		s.requirements = append(s.requirements, r)
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
		if l.level == 2 && SameTitle(l.title, "Requirements") {
			at = i
			break
		}
	}
	if at < 0 {
		return parts{before: TrimRight(text), heading: "## Requirements"}
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
		before:   TrimRight(p[:at].text()),
		heading:  p[at].text,
		preamble: TrimRight(p[at+1 : first].text()),
		blocks:   blocks,
		after:    Trim(p[end:].text()),
	}
}
