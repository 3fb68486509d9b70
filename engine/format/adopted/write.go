package adopted

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"chant/engine/format"
	"chant/engine/format/openspec"
	"chant/engine/format/speckit"
	"chant/engine/spec"
)

// Written is a plan as the folder of another tool.
type Written struct {
	Dir   string // from the top of the repository, for the key `source`
	Files []File // in the order of their paths
	// Parts has the key `part` for a spec of each member: together they have all criteria of the folder. The commands of a
	// member are criteria of its spec, because those of a folder are never run.
	Parts [][]string
}

// Write returns the folder that a plan becomes: a change of OpenSpec or a feature of spec-kit. Errors: *format.ExistsError,
// with the path from the top, and what format.Planned.Check finds.
func Write(files fs.FS, kind, slug string, p format.Planned) (Written, error) {
	switch kind {
	case OpenSpec:
		return writeChange(files, slug, p)
	case SpecKit:
		dir, texts, err := speckit.WriteFeature(files, slug, p)
		w := Written{Dir: dir, Files: sortedFiles("", texts)}
		for i := range p.Members {
			w.Parts = append(w.Parts, []string{fmt.Sprintf("US%d", i+1), fmt.Sprintf("SC-%03d", i+1)})
		}
		return w, err
	}
	return Written{}, fmt.Errorf("a plan cannot be written as %q (use %s or %s)", kind, OpenSpec, SpecKit)
}

func writeChange(files fs.FS, slug string, p format.Planned) (Written, error) {
	const top = "openspec"
	folder, err := fs.Sub(files, top)
	if err != nil {
		return Written{}, err
	}
	texts, err := openspec.WriteChange(folder, slug, p)
	if exists, ok := errors.AsType[*format.ExistsError](err); ok {
		err = &format.ExistsError{Dir: path.Join(top, exists.Dir)}
	}
	if err != nil {
		return Written{}, err
	}
	w := Written{Dir: path.Join(top, openspec.ChangesDir, slug), Files: sortedFiles(top, texts)}
	for i, m := range p.Members {
		w.Parts = append(w.Parts, nil)
		for task := range 1 + len(m.Criteria) {
			w.Parts[i] = append(w.Parts[i], fmt.Sprintf("%d.%d", i+1, task+1))
		}
	}
	below := path.Join(openspec.SpecsDir, slug, openspec.SpecFile)
	delta := path.Join(openspec.ChangesDir, slug, below)
	all := openspec.DeltaCriteria(delta, texts[delta])
	var ids []spec.Criterion
	for _, c := range all {
		ids = append(ids, spec.Criterion{ID: spec.AdoptedID(below, scenarioOf(c, top).Text)})
	}
	spec.NumberRepeated(ids)
	member := 0
	for i, c := range ids {
		// Each member is one requirement, with a name of its own.
		if i > 0 && all[i].Requirement != all[i-1].Requirement {
			member++
		}
		w.Parts[member] = append(w.Parts[member], c.ID)
	}
	return w, nil
}

// sortedFiles returns files whose paths are below a folder.
func sortedFiles(top string, texts map[string][]byte) []File {
	var out []File
	for name, src := range texts {
		out = append(out, File{Path: path.Join(top, name), Content: src})
	}
	slices.SortFunc(out, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return out
}
