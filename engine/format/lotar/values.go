package lotar

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"chant/engine/spec/task"

	"go.yaml.in/yaml/v3"
)

// layers are files of settings, the strongest first.
type layers []layer

// find returns the strongest layer that has a key.
func (ls layers) find(name string) (layer, bool) {
	s, _ := settingOf(name)
	for _, l := range ls {
		// Some keys count only in the directory, others only in a project.
		if l.has(name) && !(s.global && l.own) && !(s.own && !l.own) {
			return l, true
		}
	}
	return layer{}, false
}

// valueReader reads values and keeps the first error.
type valueReader struct {
	from layers
	err  error
}

func (r *valueReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// text reads a single value.
func (r *valueReader) text(name string, into *string) {
	l, ok := r.from.find(name)
	if !ok {
		return
	}
	node := l.values[name]
	if node.Kind != yaml.ScalarNode {
		r.fail(l.invalidValue(name, "a list or a mapping is not a single value"))
		return
	}
	*into = strings.TrimSpace(node.Value)
}

// flag reads true or false.
func (r *valueReader) flag(name string, into *bool) {
	var word string
	r.text(name, &word)
	switch strings.ToLower(word) {
	case "":
	case "true", "yes", "on":
		*into = true
	case "false", "no", "off":
		*into = false
	default:
		l, _ := r.from.find(name)
		r.fail(l.invalidValue(name, "%q is not true or false", word))
	}
}

// count reads a whole number from 0.
func (r *valueReader) count(name string, into **int) {
	var word string
	if r.text(name, &word); word == "" {
		return
	}
	n, err := strconv.ParseUint(word, 10, 31)
	if err != nil {
		l, _ := r.from.find(name)
		r.fail(l.invalidValue(name, "%q is not a whole number from 0", word))
		return
	}
	value := int(n)
	*into = &value
}

// list reads a list of texts, which may be one text with commas. A list that is there replaces the one of the layers
// below, also when it is empty.
func (r *valueReader) list(name string, into *[]string) {
	l, ok := r.from.find(name)
	if !ok {
		return
	}
	items, err := l.items(name)
	if err != nil {
		r.fail(err)
		return
	}
	*into = items
}

// items returns the texts of a list without blanks and repetitions.
func (l layer) items(name string) ([]string, error) {
	node := l.values[name]
	items := []string{}
	switch {
	case node.Kind == yaml.ScalarNode:
		items = strings.Split(node.Value, ",")
	case node.Kind == yaml.SequenceNode:
		for _, item := range node.Content {
			if item.Kind == yaml.AliasNode {
				item = item.Alias
			}
			if item.Kind != yaml.ScalarNode {
				return nil, l.invalidValue(name, "an item is not a single text")
			}
			items = append(items, item.Value)
		}
	case len(node.Content) > 0:
		return nil, l.invalidValue(name, "a mapping is not a list")
	}
	return withoutRepetitions(items), nil
}

// withoutRepetitions returns trimmed texts, each once.
func withoutRepetitions(items []string) []string {
	out := make([]string, 0, len(items))
	for _, item := range items {
		if item = strings.TrimSpace(item); item != "" && !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}

// aliases reads a mapping of words to words.
func (r *valueReader) aliases(name string, into *map[string]string) {
	l, ok := r.from.find(name)
	if !ok {
		return
	}
	node := l.values[name]
	if node.Kind == yaml.ScalarNode {
		read, err := parseAliases(node.Value)
		if err != nil {
			r.fail(l.invalidValue(name, "%v", err))
		}
		*into = read
		return
	}
	read := map[string]string{}
	if err := node.Decode(&read); err != nil {
		r.fail(l.invalidValue(name, "this is not a mapping of words to words"))
	}
	*into = read
}

// resolve fills the settings of tasks from layers.
func (ls layers) resolve(st *task.Settings) error {
	r := valueReader{from: ls}
	for _, s := range settings() {
		if s.into == nil {
			continue
		}
		switch into := s.into(st).(type) {
		case *string:
			r.text(s.name, into)
		case *bool:
			r.flag(s.name, into)
		case **int:
			r.count(s.name, into)
		case *[]string:
			items := *into
			// A list that cannot be empty keeps its default.
			if r.list(s.name, &items); len(items) > 0 || s.kind != filled {
				*into = items
			}
		case *map[string]string:
			r.aliases(s.name, into)
		}
	}
	st.Raw = ls.unknownValues()
	return r.err
}

// unknownValues returns the values of all keys that Settings has no field for, by their flat names.
func (ls layers) unknownValues() map[string]any {
	out := map[string]any{}
	// The strongest layer comes last and wins.
	for _, l := range slices.Backward(ls) {
		for _, name := range slices.Sorted(maps.Keys(l.values)) {
			if s, _ := settingOf(name); l.has(name) && !inFields(name) && !(s.global && l.own) {
				var value any
				if err := l.values[name].Decode(&value); err == nil {
					out[name] = value
				}
			}
		}
	}
	return out
}

// inFields reports whether Settings has a field for a key.
func inFields(name string) bool {
	s, _ := settingOf(name)
	return s.into != nil || slices.Contains([]string{"default_project", "project_name", "tasks_folder"}, name)
}
