package adopted

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"chant/engine/spec"
)

// The kinds of folders that can be adopted.
const (
	SpecKit  = "spec-kit"
	OpenSpec = "openspec"
	Kiro     = "kiro"
)

// KindOf returns the kind of the folder at a path from the top of the repository: a folder right below openspec/changes is
// a change of OpenSpec, one right below .kiro/specs a feature of Kiro, any other a feature of spec-kit.
func KindOf(dir string) string {
	above := path.Dir(dir)
	switch path.Base(path.Dir(above)) + "/" + path.Base(above) {
	case "openspec/changes":
		return OpenSpec
	case ".kiro/specs":
		return Kiro
	}
	return SpecKit
}

// Read reads the folder that a spec adopts.
func Read(files fs.FS, of spec.Fields) *spec.Adopted {
	dir := path.Clean(of.Source)
	a := &spec.Adopted{Dir: dir, Kind: KindOf(dir)}
	all, err := readItems(files, a)
	if err != nil {
		return Unreadable(of, err)
	}
	kept, err := choose(all, of.Part)
	if err != nil {
		return Unreadable(of, fmt.Errorf("%q: %w", a.Dir, err))
	}
	for _, one := range kept {
		a.Criteria = append(a.Criteria, one.Criterion)
		if one.group == tasks {
			a.Tasks++
		}
	}
	return a
}

// Unreadable returns what a spec has of a folder that cannot be read: one criterion that says so and never holds.
func Unreadable(of spec.Fields, err error) *spec.Adopted {
	dir := path.Clean(of.Source)
	problem := fmt.Sprintf("the folder %q, which the spec adopts, cannot be read: %s", of.Source, reason(err))
	return &spec.Adopted{Dir: dir, Kind: KindOf(dir), Problem: problem, Criteria: []spec.Criterion{{
		ID: spec.AdoptedID("", "source can be read"), Text: problem, File: dir,
	}}}
}

// reason words an error without the name of the operation.
func reason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "it does not exist"
	}
	if where, ok := errors.AsType[*fs.PathError](err); ok && where != nil {
		return where.Path + ": " + where.Err.Error()
	}
	return err.Error()
}

// group is the kind of a criterion, by the name that `part` has for it.
type group string

const (
	tasks           group = "tasks"
	checklists      group = "checklists"
	scenarios       group = "scenarios"
	successCriteria group = "success criteria"

	requirementCriteria group = "requirements"
)

// item is a criterion of a folder, and where it belongs.
type item struct {
	spec.Criterion
	group group
	story string // such as "US1", or "R1" for a requirement of Kiro; "" if it belongs to none
	by    string // of a criterion of Kiro: the key of the last task that is about it

	unkeyed bool // an earlier one of the same file has its key too
}

// readItems finds the folder, lists its files, and reads all of its criteria.
func readItems(files fs.FS, a *spec.Adopted) ([]item, error) {
	if err := locate(files, a); err != nil {
		return nil, err
	}
	if err := readFolder(files, a); err != nil {
		return nil, err
	}
	read := readFeature
	switch a.Kind {
	case OpenSpec:
		read = readChange
	case Kiro:
		read = readKiro
	}
	all, err := read(files, a)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	plain := make([]spec.Criterion, len(all))
	for i := range all {
		key := all[i].File + " " + strings.ToUpper(all[i].Key)
		all[i].unkeyed = all[i].Key == "" || seen[key]
		seen[key] = true
		all[i].ID = spec.AdoptedID(strings.TrimPrefix(all[i].File, a.Dir+"/"), all[i].Text)
		plain[i] = all[i].Criterion
	}
	// Two criteria with the same text in one file get numbers, in the order of the folder.
	spec.NumberRepeated(plain)
	for i := range all {
		all[i].Criterion = plain[i]
	}
	return all, nil
}

// locate checks that the folder exists, and looks for a change of OpenSpec in the archive if it does not.
func locate(files fs.FS, a *spec.Adopted) error {
	// A folder of git or of chant could change what is verified.
	if !fs.ValidPath(a.Dir) || a.Dir == "." || strings.HasPrefix(a.Dir, ".git/") || strings.HasPrefix(a.Dir, ".chant/") {
		return fmt.Errorf("it is not a folder of a feature below the top of the repository")
	}
	info, err := fs.Stat(files, a.Dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("it is a file")
	}
	if a.Kind != OpenSpec || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// A landing moves a change to the archive, and the spec still names the old place.
	archive := path.Join(path.Dir(a.Dir), "archive")
	entries, listErr := fs.ReadDir(files, archive)
	if listErr != nil {
		return err
	}
	id := path.Base(a.Dir)
	// The names begin with dates, so the latest comes first.
	for _, e := range slices.Backward(entries) {
		if e.IsDir() && (e.Name() == id || isDated(e.Name()) && e.Name()[len("2006-01-02-"):] == id) {
			a.Dir, a.Moved = path.Join(archive, e.Name()), true
			return nil
		}
	}
	return err
}

// isDated reports whether a name begins with a day and a dash.
func isDated(name string) bool {
	const form = "dddd-dd-dd-"
	if len(name) <= len(form) {
		return false
	}
	for i, want := range []byte(form) {
		digit := name[i] >= '0' && name[i] <= '9'
		if want == 'd' && !digit || want == '-' && name[i] != '-' {
			return false
		}
	}
	return true
}

// choose returns the items that `part` names; all of them if it is empty.
func choose(all []item, part []string) ([]item, error) {
	if len(part) == 0 {
		return all, nil
	}
	used := make([]bool, len(part))
	var out []item
	for _, one := range all {
		chosen := false
		for i, entry := range part {
			if one.matches(entry) {
				used[i], chosen = true, true
			}
		}
		if chosen {
			out = append(out, one)
		}
	}
	// An entry that matches nothing is mostly a typing error, and would require less than was meant.
	if i := slices.Index(used, false); i >= 0 {
		return nil, fmt.Errorf("`part` names %q, which it does not have", part[i])
	}
	return out, nil
}

// matches reports whether an entry of `part` names the item.
func (it item) matches(entry string) bool {
	entry = strings.TrimSpace(entry)
	return entry == it.ID || it.Key != "" && strings.EqualFold(entry, it.Key) || it.story != "" && strings.EqualFold(entry, it.story) ||
		strings.EqualFold(entry, string(it.group))
}
