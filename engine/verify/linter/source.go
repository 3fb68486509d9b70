package linter

import (
	"os"

	"chant/engine"
	"chant/engine/format/adopted"
	"chant/engine/spec"
	"chant/engine/spec/lint"
)

// sourceFindings validates the change of OpenSpec that a spec adopts, as it is in home.
func sourceFindings(p *engine.Project, s *spec.File) []lint.SourceFinding {
	root, err := os.OpenRoot(engine.Home(p))
	if err != nil {
		return []lint.SourceFinding{{Severity: lint.Error, Path: s.Fields.Source, Message: err.Error()}}
	}
	defer root.Close()
	// Adopted of a spec with a run is the folder on its branch.
	a := adopted.Read(root.FS(), s.Fields)
	if a.Kind != adopted.OpenSpec || a.Moved || a.Problem != "" {
		return nil
	}
	found, err := adopted.Validate(root.FS(), a.Dir)
	if err != nil {
		return []lint.SourceFinding{{Severity: lint.Error, Path: a.Dir, Message: err.Error()}}
	}
	out := make([]lint.SourceFinding, len(found))
	for i, f := range found {
		out[i] = lint.SourceFinding{Severity: lint.Error, Path: f.Path, Line: f.Line, Message: f.Message}
		if f.Warning {
			out[i].Severity = lint.Warning
		}
	}
	return out
}
