package openspec

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"chant/engine/openspec/ecma"
	"chant/engine/openspec/folder"
)

// maxRequirement is the length from which a requirement is too long.
const maxRequirement = 500

// ErrNotFound is returned for a change or capability that is not there.
var ErrNotFound = errors.New("not found")

// Capabilities lists the capabilities that have a spec, by their paths below specs.
func Capabilities(fsys fs.FS) ([]string, error) { return folder.Capabilities(fsys, folder.SpecsDir) }

// ValidateSpec checks the spec of a capability, as `openspec validate CAPABILITY` does.
func ValidateSpec(fsys fs.FS, capability string) ([]Finding, error) {
	text, ok, err := folder.ReadText(fsys, path.Join(folder.SpecsDir, capability, folder.SpecFile))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("spec %q: %w", capability, ErrNotFound)
	}
	return checkSpec(text), nil
}

// checkSpec checks the text of a spec.
func checkSpec(text string) []Finding {
	p := readPage(text)
	s := parseSpec(p)
	for _, lack := range []struct {
		is  bool
		msg string
	}{{s.Purpose == "", msgNoPurposeSection}, {!s.sectioned, msgNoRequirementsSection}} {
		if lack.is {
			return []Finding{{Level: Error, Path: "file", Message: lack.msg + msgMissingSections}}
		}
	}
	found := checkForm(s)
	for _, issue := range checkStructure(text) {
		found = append(found, Finding{Level: Error, Path: "file", Line: issue.line, Message: issue.text})
	}
	found = append(found, checkPurpose(s.Purpose, text)...)
	found = append(found, checkRequirements(s)...)
	return append(found, checkStatements(text)...)
}

// checkForm reports what a spec must have.
func checkForm(s Spec) []Finding {
	var found []Finding
	if len(s.Requirements) == 0 {
		found = append(found, Finding{Level: Error, Path: "requirements", Message: msgNoRequirements})
	}
	for i, r := range s.Requirements {
		at := fmt.Sprintf("requirements.%d.", i)
		if r.Text == "" {
			found = append(found, Finding{Level: Error, Path: at + "text", Line: r.Line, Message: msgEmptyRequirement})
		}
		if len(r.Scenarios) == 0 {
			found = append(found, Finding{Level: Error, Path: at + "scenarios", Line: r.Line, Message: msgNeedsScenario})
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
	start := len(p)
	for i, l := range p {
		if l.level == 2 && ecma.SameTitle(l.title, "Requirements") {
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
			found = append(found, structural{i + 1, fmt.Sprintf(msgDeltaHeading, ecma.Trim(l.text))})
			continue
		}
		name, ok := l.requirement()
		if !ok || l.level != 3 {
			continue
		}
		switch before, twice := first[name]; {
		case i <= start || i >= end:
			found = append(found, structural{i + 1, fmt.Sprintf(msgOutside, ecma.Trim(l.text))})
		case twice:
			found = append(found, structural{i + 1, fmt.Sprintf(msgRepeated, ecma.Trim(l.text), before)})
		default:
			first[name] = i + 1
		}
	}
	return found
}

// deltaHeading recognises the title of a section of a delta, with any blanks in it.
func deltaHeading(title string) bool {
	return kindOf(strings.Join(strings.FieldsFunc(title, ecma.Blank), " ")) != ""
}

func checkPurpose(purpose, text string) []Finding {
	if line, found := unwritten(purpose, text); found {
		return []Finding{{Level: Warning, Path: "overview", Line: line, Message: msgPlaceholder}}
	}
	if ecma.Length(purpose) < minPurpose {
		return []Finding{{Level: Warning, Path: "overview", Message: msgBriefPurpose}}
	}
	return nil
}

// checkRequirements gives advice about each requirement.
func checkRequirements(s Spec) []Finding {
	var found []Finding
	for i, r := range s.Requirements {
		at := fmt.Sprintf("requirements[%d]", i)
		if ecma.Length(r.Text) > maxRequirement {
			found = append(found, Finding{Level: Info, Path: at, Line: r.Line, Message: msgLongRequirement})
		}
		if len(r.Scenarios) == 0 {
			found = append(found, Finding{Level: Warning, Path: at + ".scenarios", Line: r.Line, Message: msgNeedsScenario + msgScenarioFormat})
		}
	}
	return found
}

// checkStatements looks for SHALL or MUST in the requirements that are written as the format
// wants them. A heading does not count.
func checkStatements(text string) []Finding {
	var found []Finding
	for i, b := range partsOf(text).blocks {
		f := Finding{Path: fmt.Sprintf("requirements[%d]", i), Line: b.line + 1}
		switch said := statement(b.body); {
		case said == "":
			f.Level, f.Message = Error, missingWord(`Requirement "`+b.name+`"`, b.name, false)
		case !obliges(said):
			f.Level, f.Message = Warning, missingWord(`Requirement "`+b.name+`"`, b.name, true)
		default:
			continue
		}
		found = append(found, f)
	}
	return found
}

// missingWord says that a requirement lacks SHALL and MUST, perhaps because they are in its
// name.
func missingWord(what, name string, advice bool) string {
	text := what + " must contain SHALL or MUST"
	if advice {
		text = what + " should contain SHALL or MUST"
	}
	if obliges(name) {
		text += msgHeaderOnly
	}
	if advice {
		text += msgGuidance
	}
	return text
}
