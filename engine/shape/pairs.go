package shape

import (
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// pairs passes the keys and values of a mapping to read and removes those that read does not keep. What `<<` merges
// follows where the mapping has no value of its own.
func (r *reader) pairs(node *yaml.Node, key string, read func(name, value *yaml.Node, key string) bool) {
	var kept []*yaml.Node // keys and values in turn
	seen := map[string]int{}
	merged, valid := merged(node, map[*yaml.Node]bool{})
	if !valid {
		r.report(key)(node.Line, "<< merges only other mappings, or a list of them")
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		first, twice := seen[name.Value]
		switch {
		case name.Tag == "!!merge":
			if valid {
				kept = append(kept, name, value)
			}
		case name.Kind != yaml.ScalarNode:
			r.refuse(name, key, messagesOf(name.Decode(new(string))))
		case twice:
			r.report(join(key, name.Value))(name.Line, "appears twice, first on line %d", first+r.schema.Above)
		default:
			seen[name.Value] = name.Line
			if read(name, value, join(key, name.Value)) {
				kept = append(kept, name, value)
			}
		}
	}
	for i := 0; i < len(merged); i += 2 {
		if name := merged[i]; name.Tag != "!!merge" && seen[name.Value] == 0 {
			seen[name.Value] = name.Line
			read(name, merged[i+1], join(key, name.Value))
		}
	}
	node.Content = kept
}

// merged lists the keys and values, in turn, of the mappings that `<<` merges into one, each mapping once. It is not
// valid if one of them is not a mapping, or contains itself. The map has true for the mappings around the node.
func merged(node *yaml.Node, visited map[*yaml.Node]bool) (all []*yaml.Node, valid bool) {
	visited[node], valid = true, true
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Tag != "!!merge" {
			continue
		}
		sources := []*yaml.Node{node.Content[i+1]}
		if sources[0].Kind == yaml.SequenceNode {
			sources = sources[0].Content
		}
		for _, source := range sources {
			if source.Kind == yaml.AliasNode {
				source = source.Alias
			}
			around, before := visited[source]
			valid = valid && source.Kind == yaml.MappingNode && !around
			if !before && valid {
				inner, innerValid := merged(source, visited)
				all, valid = slices.Concat(all, source.Content, inner), innerValid
			}
		}
	}
	visited[node] = false
	return all, valid
}

// field is a field of a struct, and the rule of its values.
type field struct {
	value reflect.Value
	rule  string
}

// fieldsOf lists the fields of a struct by their keys, as the YAML package names them.
func fieldsOf(of reflect.Value, into map[string]field) {
	for i := range of.NumField() {
		f := of.Type().Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case strings.Contains(rest, "inline") && f.Type.Kind() == reflect.Struct:
			fieldsOf(of.Field(i), into)
		case !f.IsExported() || name == "-":
		case name == "":
			into[strings.ToLower(f.Name)] = field{of.Field(i), f.Tag.Get("rule")}
		default:
			into[name] = field{of.Field(i), f.Tag.Get("rule")}
		}
	}
}

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}
