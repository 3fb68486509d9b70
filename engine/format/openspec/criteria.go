package openspec

import (
	"io/fs"
	"path"
	"slices"
)

// Criterion is a scenario of a requirement that a change adds or modifies. A modified
// requirement is given as a whole, so its criteria include those that hold already.
type Criterion struct {
	Requirement string
	Scenario    string
	// Text is what follows the heading of the scenario.
	Text string
	// Path is that of the delta below openspec, and Line the line of the scenario in it.
	Path string
	Line int
}

// Criteria lists the scenarios of a change's deltas, in the order of capabilities and lines: those of added requirements
// before those of modified ones.
func Criteria(fsys fs.FS, id string) ([]Criterion, error) {
	dir, err := changeDir(fsys, id)
	if err != nil {
		return nil, err
	}
	deltas, err := readDeltas(fsys, id)
	if err != nil {
		return nil, err
	}
	var found []Criterion
	for _, d := range deltas {
		found = append(found, d.criteria(path.Join(dir, SpecsDir, d.path))...)
	}
	return found, nil
}

// DeltaCriteria lists the scenarios of a delta at a path below openspec, in the order of [Criteria].
func DeltaCriteria(file string, src []byte) []Criterion {
	d := ParseDelta(src)
	return d.criteria(file)
}

func (d *Delta) criteria(file string) []Criterion {
	var found []Criterion
	for _, b := range slices.Concat(d.added, d.modified) {
		for _, s := range nonEmpty(scenariosOf(b.body, b.line+1)) {
			found = append(found, Criterion{Requirement: b.name, Scenario: s.name, Text: s.text, Path: file, Line: s.line})
		}
	}
	return found
}
