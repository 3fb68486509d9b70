package openspec

import (
	"slices"
	"strings"
)

// Delta is a file changes/ID/specs/CAPABILITY/spec.md: how a change alters the requirements
// of a capability.
type Delta struct {
	// Purpose is the text of "## Purpose", which a new capability takes over.
	Purpose string
	Removed []Removal
	Renamed []Rename

	added, modified []*block
	// sections are the headings of the delta's sections that are present, in the order of
	// their kinds.
	sections []string
	unpaired []unpairedLine
	orphans  []strayRequirement
}

// Removal is the name of a requirement that a change removes.
type Removal struct {
	Name string
	Line int
}

// Rename is a requirement that gets another name.
type Rename struct {
	From, To string
	// Line is the line of the old name.
	Line int
}

func (r Removal) key() string { return plainName(r.Name) }

func (r Rename) keys() (from, to string) { return plainName(r.From), plainName(r.To) }

// unpairedLine is a line FROM or TO of a rename that lacks the other.
type unpairedLine struct {
	side, name string
	line       int
}

// missingSide returns the side that an unpaired line lacks.
func (u unpairedLine) missingSide() string {
	if u.side == "FROM" {
		return "TO"
	}
	return "FROM"
}

// strayRequirement is a requirement outside the sections of a delta, which is not applied.
type strayRequirement struct {
	name string
	line int
	// section is the heading it is under, if any.
	section string
	within  bool
}

func (o strayRequirement) place() string {
	if !o.within || o.section == "" {
		return `above the first "## " section`
	}
	return `under "## ` + o.section + `"`
}

// kinds are the sections of a delta, in the order in which messages list them.
var kinds = [...]string{"ADDED", "MODIFIED", "REMOVED", "RENAMED"}

// kindOf returns the kind of section that a title names, or "".
func kindOf(title string) string {
	for _, kind := range kinds {
		if SameTitle(title, kind+" Requirements") {
			return kind
		}
	}
	return ""
}

// ParseDelta reads a delta. A section may appear several times. What it cannot apply is kept
// for Validate.
func ParseDelta(text []byte) Delta {
	p := readPage(string(text))
	d := Delta{Purpose: purposeOf(string(text))}
	present := map[string]bool{}
	for at, end := 0, 0; at < len(p); at = end {
		end = at + 1
		// "##" alone ends no section in the tool, so it is not a boundary here.
		for end < len(p) && !(p[end].level == 2 && p[end].named) {
			end++
		}
		kind := ""
		if p[at].level == 2 && p[at].named {
			kind = kindOf(p[at].title)
		}
		if kind == "" {
			d.readOrphans(p, at, end)
			continue
		}
		present[kind] = true
		d.readSection(kind, p, at+1, end)
	}
	for _, kind := range kinds {
		if present[kind] {
			d.sections = append(d.sections, "## "+kind+" Requirements")
		}
	}
	return d
}

// empty reports whether a delta changes nothing.
func (d *Delta) empty() bool { return d.size() == 0 }

func (d *Delta) size() int {
	return len(d.added) + len(d.modified) + len(d.Removed) + len(d.Renamed)
}

// readSection reads the lines from, to of a section of a delta.
func (d *Delta) readSection(kind string, p page, from, to int) {
	switch kind {
	case "ADDED":
		d.added = append(d.added, blocksOf(p, from, to)...)
	case "MODIFIED":
		d.modified = append(d.modified, blocksOf(p, from, to)...)
	case "REMOVED":
		for i := from; i < to; i++ {
			if name, ok := p[i].removal(); ok {
				d.Removed = append(d.Removed, Removal{Name: name, Line: i + 1})
			}
		}
	case "RENAMED":
		d.readRenames(p, from, to)
	}
}

// readRenames pairs each FROM with the TO that follows it. Pairs do not reach from one
// section into another.
func (d *Delta) readRenames(p page, from, to int) {
	var open *unpairedLine
	for i := from; i < to; i++ {
		if p[i].fenced {
			continue
		}
		if name, ok := listedName(p[i].text, "FROM:"); ok {
			// A second FROM leaves the first one without its TO.
			if open != nil {
				d.unpaired = append(d.unpaired, *open)
			}
			open = &unpairedLine{side: "FROM", name: name, line: i + 1}
			continue
		}
		name, ok := listedName(p[i].text, "TO:")
		switch {
		case !ok:
		case open == nil:
			d.unpaired = append(d.unpaired, unpairedLine{side: "TO", name: name, line: i + 1})
		default:
			d.Renamed = append(d.Renamed, Rename{From: open.name, To: name, Line: open.line})
			open = nil
		}
	}
	if open != nil {
		d.unpaired = append(d.unpaired, *open)
	}
	slices.SortStableFunc(d.unpaired, func(a, b unpairedLine) int { return a.line - b.line })
}

// readOrphans finds requirements in a part of the document that is not a section of the
// delta. Its first line may be the heading of another section.
func (d *Delta) readOrphans(p page, from, to int) {
	o := strayRequirement{}
	if p[from].level == 2 && p[from].named {
		o.section, o.within = p[from].title, true
	}
	for i := from; i < to; i++ {
		if name, ok := p[i].requirement(); ok {
			o.name, o.line = name, i+1
			d.orphans = append(d.orphans, o)
		}
	}
}

// removal returns the name in a line of a REMOVED section: a heading or an item of a list.
func (l line) removal() (name string, ok bool) {
	if l.fenced {
		return "", false
	}
	if name, ok := l.requirement(); ok {
		return name, true
	}
	rest := TrimLeft(l.text)
	if rest == "" || !strings.ContainsRune("-*+", rune(rest[0])) {
		return "", false
	}
	return quotedHeading(rest[1:])
}

// listedName reads "- FROM: `### Requirement: Name`". The bullet and the quotes may be
// missing.
func listedName(text, label string) (name string, ok bool) {
	rest := TrimLeft(text)
	if rest != "" && strings.ContainsRune("-*+", rune(rest[0])) {
		rest = TrimLeft(rest[1:])
	}
	if rest, ok = strings.CutPrefix(rest, label); !ok {
		return "", false
	}
	return quotedHeading(rest)
}

// quotedHeading reads the heading of a requirement, with or without backquotes around it.
func quotedHeading(text string) (name string, ok bool) {
	rest := strings.TrimPrefix(TrimLeft(text), "`")
	if rest, ok = strings.CutPrefix(rest, "###"); !ok {
		return "", false
	}
	if rest, ok = strings.CutPrefix(TrimLeft(rest), "Requirement:"); !ok || rest == "" {
		return "", false
	}
	name = Trim(rest)
	if len(name) > 1 {
		name = strings.TrimSuffix(name, "`")
	}
	return plainName(name), true
}
