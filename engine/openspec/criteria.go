package openspec

import (
	"io/fs"
	"path"

	"chant/engine/openspec/folder"
)

// Criterion is a scenario of a requirement that a change adds or modifies. A modified
// requirement is given as a whole, so its criteria include those that hold already.
type Criterion struct {
	Capability string
	// Kind is "ADDED" or "MODIFIED".
	Kind        string
	Requirement string
	Scenario    string
	// Text is what follows the heading of the scenario.
	Text string
	// Path is that of the delta below openspec, and Line the line of the scenario in it.
	Path string
	Line int
}

// Criteria lists the scenarios of a change's deltas, in the order of capabilities and lines
// of each kind.
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
		for _, section := range []struct {
			kind         string
			requirements []Requirement
		}{{"ADDED", d.Added}, {"MODIFIED", d.Modified}} {
			for _, r := range section.requirements {
				for _, s := range r.Scenarios {
					found = append(found, Criterion{
						Capability: d.capability, Kind: section.kind, Requirement: r.Name, Scenario: s.Name, Text: s.Text,
						Path: path.Join(dir, folder.SpecsDir, d.path), Line: s.Line,
					})
				}
			}
		}
	}
	return found, nil
}
