package openspec

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Action says what happens to a spec.
type Action string

const (
	// Create writes a spec for a new capability.
	Create Action = "create"
	// Update rewrites a spec.
	Update Action = "update"
	// Keep leaves a spec as it is: all that the delta wants was done before.
	Keep Action = "keep"
	// Retire deletes a spec whose last requirement is removed.
	Retire Action = "retire"
)

// Outcome is what a change does to one capability.
type Outcome struct {
	Capability string
	Action     Action
	Counts     Counts
}

// apply adds to the plan the specs with the deltas of a change in them, all or none. Error: *RefusedError with the
// problems of all capabilities.
func (p *Plan) apply(fsys fs.FS, id string) error {
	m, err := ReadMetadata(fsys, path.Join(ChangesDir, id))
	if err != nil {
		return err
	}
	mayRetire, _ := m.RetiresCapabilities(fsys)
	deltas, err := readDeltas(fsys, id)
	if err != nil {
		return err
	}
	var problems, invalid, retired []string
	for _, d := range deltas {
		file := path.Join(SpecsDir, d.path)
		old, exists, err := ReadText(fsys, file)
		if err != nil {
			return err
		}
		// The problems of all capabilities are collected: each would cost an agent another try.
		r, wrong := merge(d, id, old, exists)
		if problems = append(problems, wrong...); len(wrong) > 0 {
			continue
		}
		action, faults := r.decide(exists, mayRetire)
		for _, fault := range faults {
			invalid = append(invalid, d.capability+": "+fault)
		}
		p.Outcomes = append(p.Outcomes, Outcome{Capability: d.capability, Action: action, Counts: r.counts})
		p.Warnings = append(p.Warnings, r.warnings...)
		switch action {
		case Create, Update:
			p.Writes = append(p.Writes, File{Path: file, Data: []byte(endLikeBefore(r.text, old))})
		case Retire:
			p.Deletes = append(p.Deletes, file)
			retired = append(retired, fmt.Sprintf("%s - capability retired; deleted the main spec (all requirements removed, declared by retire_capabilities) at openspec/%s. Its section(s) went with it: Purpose.", d.capability, file))
		}
	}
	p.Warnings = append(p.Warnings, retired...)
	if problems = append(problems, invalid...); len(problems) > 0 {
		return &RefusedError{Problems: problems}
	}
	return nil
}

// decide returns what happens to a spec with its delta applied, and why it would not be valid. It is only deleted if the
// change declares that and nothing in it would be lost unseen.
func (m *mergedSpec) decide(exists, mayRetire bool) (Action, []string) {
	found := checkSpec(m.text)
	// A spec is only deleted if the change declares that, and no line of it would be lost unseen.
	if mayRetire && m.bare && !m.loose && slices.Equal(found, []string{msgNoRequirements}) {
		if !exists {
			// The spec was retired by this change before.
			return Keep, nil
		}
		if m.counts.Removed > 0 {
			return Retire, nil
		}
	}
	switch {
	case m.counts.total() == 0:
		return Keep, found
	case exists:
		return Update, found
	}
	return Create, found
}

// isLoose reports whether a spec has lines that belong to nothing it consists of: its title, its purpose, and of each
// requirement the heading, the statement and the items of scenarios. The author of a removal may not know of them.
func isLoose(p parts) bool {
	if Trim(p.preamble+p.after) != "" {
		return true
	}
	section := "title"
	for _, l := range readPage(p.before) {
		switch t := Trim(l.text); {
		case t == "" || l.fenced && section == "Purpose":
		case section == "title" && l.level == 1:
			section = "top"
		case l.level == 2 && SameTitle(l.title, "Purpose"):
			section = "Purpose"
		case section != "Purpose" || looseHeading(l.text) > 0 || isForeign(t):
			return true
		}
	}
	return slices.ContainsFunc(p.blocks, func(b *block) bool {
		scenario, within := false, false // below the heading of one; in an item, which a line may continue
		return slices.ContainsFunc(b.body, func(l line) bool {
			t := Trim(l.text)
			_, item := CutBullet(t)
			continues := within || l.text != TrimLeft(l.text)
			within = t != "" && !l.fenced && (item || within)
			switch {
			case t == "" || l.fenced:
				return false
			case l.level == 4:
				_, scenario = CutFold(l.title, "Scenario:")
				within = false
				return !scenario
			case looseHeading(strings.TrimLeft(l.text, " \t")) > 0 || isForeign(t):
				return true
			}
			return scenario && !item && !continues
		})
	})
}

// isForeign recognises what may be a heading in another form, a table or HTML: a line that underlines the one above it, or
// begins with a bar, an angle bracket or a quotation mark.
func isForeign(text string) bool {
	return strings.ContainsRune("|<>", rune(text[0])) || strings.Trim(text, "=") == "" || strings.Trim(text, "-") == ""
}

// endLikeBefore ends the lines of a text as most lines of its old version do.
func endLikeBefore(text, old string) string {
	returns, feeds := strings.Count(old, "\r\n"), strings.Count(old, "\n")
	if feeds == 0 {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if 2*returns >= feeds {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}
