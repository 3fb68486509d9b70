package openspec

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Validate checks a change: its deltas, its metadata, its tasks, and whether its deltas would drop scenarios. It finds
// what `openspec validate ID` does but for remarks, in the same order.
func Validate(fsys fs.FS, id string) ([]Finding, error) {
	dir, err := changeDir(fsys, id)
	if err != nil {
		return nil, err
	}
	nested, err := nestedChanges(fsys, id)
	if err != nil {
		return nil, err
	}
	if len(nested) > 0 {
		return []Finding{{Path: "file", Message: describeNested(id, nested)}}, nil
	}
	found, err := checkDeltas(fsys, id)
	if err != nil {
		return nil, err
	}
	m, err := ReadMetadata(fsys, dir)
	if err != nil {
		return nil, err
	}
	s := SchemaOf(fsys, m)
	files, tracked, err := TaskFiles(fsys, dir, s)
	if err != nil {
		return nil, err
	}
	var issues []Issue
	// Only files that the schema names are expected to have boxes.
	if tracked {
		issues = CheckBoxes(files)
	}
	if s != nil && s.BuiltIn {
		issues = append(issues, CheckNumbers(files)...)
	}
	for _, i := range issues {
		found = append(found, Finding{Warning: true, Path: i.Path, Line: i.Line, Message: i.Message})
	}
	return found, nil
}

// delta is the delta of one capability of a change.
type delta struct {
	Delta
	capability string
	// path is that of the file, below the specs of the change.
	path   string
	source string
}

// readDeltas reads the deltas of a change, in the order of the capabilities.
func readDeltas(fsys fs.FS, id string) ([]*delta, error) {
	dir := path.Join(ChangesDir, id, SpecsDir)
	names, err := Capabilities(fsys, dir)
	if err != nil {
		return nil, err
	}
	var deltas []*delta
	for _, capability := range names {
		d := &delta{capability: capability, path: path.Join(capability, SpecFile)}
		var ok bool
		if d.source, ok, err = ReadText(fsys, path.Join(dir, d.path)); err != nil {
			return nil, err
		}
		if ok {
			d.Delta = ParseDelta([]byte(d.source))
			deltas = append(deltas, d)
		}
	}
	return deltas, nil
}

// checkDeltas checks what a change says about specs.
func checkDeltas(fsys fs.FS, id string) ([]Finding, error) {
	dir := path.Join(ChangesDir, id, SpecsDir)
	deltas, err := readDeltas(fsys, id)
	if err != nil && !errors.Is(err, ErrNotFolder) {
		return nil, err
	}
	var found, empty, headless []Finding
	atRoot := IsFile(fsys, path.Join(dir, SpecFile))
	if atRoot {
		found = append(found, Finding{Path: SpecFile, Message: msgRootDelta})
	}
	total := 0
	for _, d := range deltas {
		total += d.size()
		more, err := checkDelta(fsys, d)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
		switch {
		case !d.empty():
		case len(d.sections) == 0:
			headless = append(headless, d.errorAt(0, msgNoSections))
		default:
			empty = append(empty, d.errorAt(0, msgNoEntries, joinWords(d.sections)))
		}
	}
	unread, err := unreadDeltas(fsys, dir)
	if err != nil {
		return nil, err
	}
	for _, u := range unread {
		found = append(found, Finding{Path: u.path, Message: fmt.Sprintf(msgUnreadDelta, u.path, u.want)})
	}
	found = slices.Concat(found, empty, headless)
	declared, err := checkDeclaration(fsys, id, total > 0 || atRoot || len(unread) > 0)
	return append(found, declared...), err
}

// joinWords joins words to "a, b and c".
func joinWords(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// checkDeclaration compares what the metadata say about specs with what is there.
func checkDeclaration(fsys fs.FS, id string, deltas bool) ([]Finding, error) {
	m, err := ReadMetadata(fsys, path.Join(ChangesDir, id))
	if err != nil {
		return nil, err
	}
	var found []Finding
	skip, problem := m.SkipsSpecs(fsys)
	if problem != "" {
		found = append(found, Finding{Path: MetadataName, Message: fmt.Sprintf(msgSkipInvalid, problem)})
	}
	files := false
	if skip {
		if files, err = HasFiles(fsys, path.Join(ChangesDir, id, SpecsDir)); err != nil {
			return nil, err
		}
	}
	switch {
	case files:
		found = append(found, Finding{Path: "file", Message: msgSkipConflict})
	case !deltas && !skip:
		found = append(found, Finding{Path: "file", Message: msgNoDeltas})
	}
	return found, nil
}

// checkDelta checks the delta of one capability.
func checkDelta(fsys fs.FS, d *delta) ([]Finding, error) {
	found := d.strayFindings()
	found = append(found, d.checkBlocks("ADDED", d.added)...)
	found = append(found, d.checkBlocks("MODIFIED", d.modified)...)
	if len(d.modified) > 0 {
		text, ok, err := ReadText(fsys, path.Join(SpecsDir, d.path))
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, d.lostScenarios(text)...)
		}
	}
	found = append(found, d.checkNames()...)
	return append(found, d.conflicts()...), nil
}

// errorAt returns an error in the file of a delta.
func (d *delta) errorAt(line int, format string, args ...any) Finding {
	return Finding{Path: d.path, Line: line, Message: fmt.Sprintf(format, args...)}
}

// warningAt returns a warning about the file of a delta.
func (d *delta) warningAt(line int, format string, args ...any) Finding {
	f := d.errorAt(line, format, args...)
	f.Warning = true
	return f
}

// strayFindings reports what is in a delta but is not applied.
func (d *delta) strayFindings() []Finding {
	var found []Finding
	for _, u := range d.unpaired {
		found = append(found, d.errorAt(u.line, msgUnpaired, u.side, u.name, u.missingSide()))
	}
	for _, o := range d.orphans {
		found = append(found, d.warningAt(o.line, msgOrphan, o.name, o.place()))
	}
	return found
}

// checkBlocks checks the requirements that a delta adds or modifies.
func (d *delta) checkBlocks(kind string, blocks []*block) []Finding {
	var found []Finding
	seen := map[string]bool{}
	for _, b := range blocks {
		what, line := kind+` "`+b.name+`"`, b.line+1
		if seen[b.key] {
			found = append(found, d.errorAt(line, msgDuplicate, kind, b.name))
		}
		seen[b.key] = true
		switch said := statement(b.body); {
		case said == "" && hasObligation(b.name):
			found = append(found, d.errorAt(line, "%s", missingWord(what, b.name, false)))
		case said == "":
			found = append(found, d.errorAt(line, msgNoText, what))
		case !hasObligation(said):
			found = append(found, d.warningAt(line, "%s", missingWord(what, b.name, true)))
		}
		all := scenariosOf(b.body, line)
		if len(nonEmpty(all)) > 0 {
			continue
		}
		message := fmt.Sprintf(msgNoScenario, what)
		if len(all) > 0 {
			message += msgEmptyScenario
		}
		found = append(found, d.errorAt(line, "%s", message))
	}
	return found
}

// checkNames finds names that are removed or renamed twice.
func (d *delta) checkNames() []Finding {
	var found []Finding
	removed, from, to := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range d.Removed {
		if removed[r.key()] {
			found = append(found, d.errorAt(r.Line, msgDuplicate, "REMOVED", r.Name))
		}
		removed[r.key()] = true
	}
	for _, r := range d.Renamed {
		before, after := r.keys()
		if from[before] {
			found = append(found, d.errorAt(r.Line, msgDuplicateSide, "FROM", r.From))
		}
		if to[after] {
			found = append(found, d.errorAt(r.Line, msgDuplicateSide, "TO", r.To))
		}
		from[before], to[after] = true, true
	}
	return found
}

// conflicts finds names in sections that contradict each other.
func (d *delta) conflicts() []Finding {
	var found []Finding
	added, modified := d.names()
	for _, c := range d.findClashes() {
		found = append(found, d.errorAt(d.lineOf(c.name), msgInBoth, c.a, c.b, c.name))
	}
	for _, r := range d.Renamed {
		before, after := r.keys()
		if modified[before] {
			found = append(found, d.errorAt(r.Line, msgModifiesOld, r.To))
		}
		if added[after] {
			found = append(found, d.errorAt(r.Line, msgRenamedToAdded, r.To))
		}
		if name, ok := d.removes(r.From); ok {
			f := d.errorAt(r.Line, msgInBoth, "RENAMED", "REMOVED", r.From)
			if name != before {
				f.Message += fmt.Sprintf(msgSpelled, name)
			}
			found = append(found, f)
		}
	}
	return found
}

// names are those that a delta adds and modifies.
func (d *delta) names() (added, modified map[string]bool) {
	added, modified = map[string]bool{}, map[string]bool{}
	for _, b := range d.added {
		added[b.key] = true
	}
	for _, b := range d.modified {
		modified[b.key] = true
	}
	return added, modified
}

// clash is a name in two sections.
type clash struct{ a, b, name string }

// findClashes finds names in two of the sections that add, modify and remove.
func (d *delta) findClashes() []clash {
	var found []clash
	added, modified := d.names()
	removed := map[string]bool{}
	for _, r := range d.Removed {
		removed[r.key()] = true
	}
	// Each name is reported once, however often a section has it.
	for _, b := range d.modified {
		if !modified[b.key] {
			continue
		}
		modified[b.key] = false
		if removed[b.key] {
			found = append(found, clash{"MODIFIED", "REMOVED", b.key})
		}
		if added[b.key] {
			found = append(found, clash{"MODIFIED", "ADDED", b.key})
		}
	}
	for _, b := range d.added {
		if added[b.key] && removed[b.key] {
			found = append(found, clash{"ADDED", "REMOVED", b.key})
		}
		added[b.key] = false
	}
	return found
}

// removes finds a removal of a name, however it is spelled.
func (d *delta) removes(name string) (spelled string, ok bool) {
	for _, r := range d.Removed {
		if foldName(r.Name) == foldName(name) {
			return r.key(), true
		}
	}
	return "", false
}

// lineOf is the line on which a delta adds or modifies a name.
func (d *delta) lineOf(key string) int {
	for _, b := range slices.Concat(d.added, d.modified) {
		if b.key == key {
			return b.line + 1
		}
	}
	return 0
}
