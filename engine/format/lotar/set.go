package lotar

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/spec/task"
)

// Change is what setting values leads to. The caller writes the files.
type Change struct {
	Files          map[string][]byte // by their absolute paths
	Warnings, Info []string
}

// ConfigError reports a setting that cannot be set.
type ConfigError struct {
	Key     string
	Message string
}

// Error names the key and says what is wrong.
func (e *ConfigError) Error() string { return e.Message }

// Fault returns the error as clients of lotar get it.
func (e *ConfigError) Fault() *task.Fault {
	return &task.Fault{Code: task.ConfigSetFailed, Message: "Config set failed", Data: map[string]any{"message": e.Message, "field": e.Key}}
}

func refuse(key, format string, args ...any) error {
	return &ConfigError{Key: key, Message: fmt.Sprintf(format, args...)}
}

// assignment is a value that has been checked and is to be written.
type assignment struct {
	setting
	value any // what is written; nil removes the key
}

// Set checks values, all before any is applied, and returns the files with them. The keys have any of the forms of a
// config.yml. They apply to the directory if global is set, else to the project, which may be new. An empty value
// removes the setting; a value of a project that equals that of the directory is removed, too. Errors: *ConfigError,
// *markdown.SyntaxError if a file cannot be read or edited.
func (w Workspace) Set(values map[string]string, global bool, project string) (Change, error) {
	target, err := w.target(global, project)
	if err != nil {
		return Change{}, err
	}
	var ch Change
	// All values are checked before any is applied, so that a refusal changes nothing.
	assigned, err := ch.check(values, global)
	if err != nil {
		return Change{}, err
	}
	file, err := readLayer(target)
	if err != nil {
		return Change{}, err
	}
	above, err := w.commonLayers(nil)
	if err != nil {
		return Change{}, err
	}
	if !global {
		// A project that repeats the value of the directory would not follow when that changes.
		ch.dropEqual(assigned, above)
	}
	before, src := file.source, file.source
	for _, a := range assigned {
		if src, err = file.assign(src, a); err != nil {
			return Change{}, err
		}
		// Places of keys change with each edit, so the file is read anew.
		if file, err = parseLayer(target, src); err != nil {
			return Change{}, err
		}
	}
	ch.Files = map[string][]byte{}
	if string(src) != string(before) {
		ch.Files[target] = src
	}
	file.own = !global
	if global {
		above = layers{file}
	} else {
		above = append(layers{file}, above...)
	}
	return ch, ch.warnAbout(above, assigned, !w.Own)
}

// target returns the file in which values are set.
func (w Workspace) target(global bool, project string) (string, error) {
	if global {
		return filepath.Join(w.Dir, configName), nil
	}
	if strings.TrimSpace(project) == "" {
		return "", refuse("project", "name a project, or set the values globally")
	}
	projects, err := w.Projects()
	if err != nil {
		return "", err
	}
	if found, ok := task.FindProject(projects, project); ok {
		return w.projectConfig(found.Prefix), nil
	}
	if err := task.CheckPrefix(strings.TrimSpace(project)); err != nil {
		return "", refuse("project", "%v", err)
	}
	return w.projectConfig(strings.TrimSpace(project)), nil
}

// check reads all values. It returns them in the order of their names.
func (ch *Change) check(values map[string]string, global bool) ([]assignment, error) {
	var out []assignment
	for _, key := range slices.Sorted(maps.Keys(values)) {
		s, known := settingOf(flatName(key))
		if !known || strings.TrimSpace(key) == "" {
			var names []string
			for _, s := range settings() {
				names = append(names, s.name)
			}
			hint := ""
			if near := task.Suggest(key, names); len(near) > 0 {
				hint = fmt.Sprintf(" (did you mean %s?)", near[0])
			}
			return nil, refuse(key, "Invalid field '%s'%s", key, hint)
		}
		switch {
		case s.global && !global:
			return nil, refuse(key, "Field '%s' can only be set globally", s.name)
		case s.own && global:
			return nil, refuse(key, "Field '%s' can only be set for a project", s.name)
		case slices.ContainsFunc(out, func(a assignment) bool { return a.name == s.name }):
			return nil, refuse(key, "Field '%s' is given twice", s.name)
		}
		value, err := ch.parseValue(s, strings.TrimSpace(values[key]))
		if err != nil {
			return nil, refuse(key, "Invalid value for '%s': %v", s.name, err)
		}
		out = append(out, assignment{s, value})
	}
	return out, nil
}

// dropEqual turns values that equal those of the directory into removals.
func (ch *Change) dropEqual(assigned []assignment, above layers) {
	for i, a := range assigned {
		if a.value == nil {
			continue
		}
		l, ok := above.find(a.name)
		if !ok {
			continue
		}
		if sameValue(l.values[a.name], a.value) {
			assigned[i].value = nil
			ch.Info = append(ch.Info, fmt.Sprintf("%s has this value globally; the project does not override it", a.name))
		}
	}
}

// warnAbout warns about values that are valid but do not fit the other settings.
func (ch *Change) warnAbout(from layers, assigned []assignment, workspace bool) error {
	st := task.Defaults(workspace)
	if err := from.resolve(&st); err != nil {
		return err
	}
	for _, a := range assigned {
		switch {
		case a.value == nil:
		case a.name == "default_status":
			if _, _, ok := st.StatusOf(st.DefaultStatus); !ok {
				ch.warn("default_status '%s' is not one of the statuses %s", st.DefaultStatus, strings.Join(st.Statuses, ", "))
			}
		case a.name == "default_priority":
			if _, ok := task.MatchEnum(st.DefaultPriority, st.Priorities); !ok {
				ch.warn("default_priority '%s' is not one of the priorities %s", st.DefaultPriority, strings.Join(st.Priorities, ", "))
			}
		case a.name == "default_assignee", a.name == "default_reporter":
			if err := st.CheckMember(strings.TrimPrefix(a.name, "default_"), fmt.Sprint(a.value)); err != nil && a.value != task.Me {
				ch.warn("%s: %v", a.name, err)
			}
		case a.name == "strict_members" && st.StrictMembers && len(st.Members) == 0:
			ch.warn("strict_members is set, but there are no members, so every assignment is refused")
		}
	}
	return nil
}

func (ch *Change) warn(format string, args ...any) {
	ch.Warnings = append(ch.Warnings, fmt.Sprintf(format, args...))
}

// assign returns the text of a file with one value set.
func (l layer) assign(src []byte, a assignment) ([]byte, error) {
	places := l.places[a.name]
	if len(places) == 0 {
		if a.value == nil {
			return src, nil
		}
		places = [][]string{l.placeForNew(a.setting)}
	}
	var err error
	// A setting may be in the file in several spellings, of which all must agree.
	for _, place := range places {
		if src, err = setIn(l.file, src, place, a.value); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// placeForNew returns the keys on the way to a new setting: in a section that the file has, else in the style of the
// file's other keys.
func (l layer) placeForNew(s setting) []string {
	nested := strings.Split(s.path, ".")
	if len(nested) == 1 {
		return nested
	}
	dotted, flat := false, false
	for name, places := range l.places {
		for _, place := range places {
			switch {
			case len(place) > 1 && place[0] == nested[0]:
				return nested
			case len(place) == 1 && strings.Contains(place[0], "."):
				dotted = true
			case len(place) == 1 && place[0] == name && isFlatForm(name):
				flat = true
			}
		}
	}
	if dotted {
		return []string{s.path}
	}
	if flat {
		return []string{s.name}
	}
	return nested
}

// isFlatForm reports whether a key would be nested in another style.
func isFlatForm(name string) bool {
	s, known := settingOf(name)
	return known && strings.Contains(s.path, ".") && cmp.Compare(name, s.path) != 0
}
