package openspec

import (
	"fmt"
	"strings"
)

const msgNoRequirements = "Spec must have at least one requirement"

// checkSpec returns what is wrong with the text of a spec that a merge has made. Advice of the tool is left out: it is
// about what was there before.
func checkSpec(text string) []string {
	s := parseSpec(readPage(text))
	if s.purpose == "" {
		return []string{"Spec must have a Purpose section. Missing required sections. Expected headers: \"## Purpose\" and \"## Requirements\"."}
	}
	if !s.sectioned {
		return []string{"Spec must have a Requirements section. Missing required sections. Expected headers: \"## Purpose\" and \"## Requirements\"."}
	}
	var found []string
	if len(s.requirements) == 0 {
		found = append(found, msgNoRequirements)
	}
	for _, r := range s.requirements {
		if r.text == "" {
			found = append(found, fmt.Sprintf("line %d: Requirement text cannot be empty", r.line))
		}
		if !r.scenario {
			found = append(found, fmt.Sprintf("line %d: Requirement must have at least one scenario", r.line))
		}
	}
	for _, issue := range checkStructure(text) {
		found = append(found, fmt.Sprintf("line %d: %s", issue.line, issue.text))
	}
	for _, b := range partsOf(text).blocks {
		if statement(b.body) == "" {
			found = append(found, fmt.Sprintf("line %d: %s", b.line+1, missingWord(`Requirement "`+b.name+`"`, b.name, false)))
		}
	}
	return found
}

// structural is a heading that is in the wrong place.
type structural struct {
	line int
	text string
}

// checkStructure finds headings of a spec that a merge would lose: those of deltas,
// requirements outside their section, and names that are there twice.
func checkStructure(text string) []structural {
	p := splitPage(text)
	// Without the section, every requirement is outside of it.
	start := len(p)
	for i, l := range p {
		if l.level == 2 && SameTitle(l.title, "Requirements") {
			start = i
			break
		}
	}
	end := start + 1
	for end < len(p) && p[end].level != 2 {
		end++
	}
	var found []structural
	first := map[string]int{}
	for i, l := range p {
		if l.level == 2 && deltaHeading(l.title) {
			found = append(found, structural{i + 1, fmt.Sprintf("Main spec contains delta header \"%s\". Delta headers are only valid inside openspec/changes/<name>/specs/<capability-path>/spec.md and truncate the parsed ## Requirements section.", Trim(l.text))})
			continue
		}
		name, ok := l.requirement()
		if !ok || l.level != 3 {
			continue
		}
		switch before, twice := first[name]; {
		case i <= start || i >= end:
			found = append(found, structural{i + 1, fmt.Sprintf("Requirement header \"%s\" appears outside the main ## Requirements section. Main specs only parse requirements inside that section, so this requirement is currently invisible to validate, list, and archive.", Trim(l.text))})
		case twice:
			found = append(found, structural{i + 1, fmt.Sprintf("Requirement header \"%s\" duplicates the requirement declared on line %d. Requirement names must be unique so spec updates cannot discard one block while updating another.", Trim(l.text), before)})
		default:
			first[name] = i + 1
		}
	}
	return found
}

// deltaHeading recognises the title of a section of a delta, with any blanks in it.
func deltaHeading(title string) bool {
	return kindOf(strings.Join(strings.FieldsFunc(title, IsBlank), " ")) != ""
}

// missingWord says that a requirement lacks SHALL and MUST, perhaps because they are in its
// name.
func missingWord(what, name string, advice bool) string {
	text := what + " must contain SHALL or MUST"
	if advice {
		text = what + " should contain SHALL or MUST"
	}
	if hasObligation(name) {
		text += msgHeaderOnly
	}
	if advice {
		text += msgGuidance
	}
	return text
}
