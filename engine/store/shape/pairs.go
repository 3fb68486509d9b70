package shape

import (
	"maps"
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
	merged := r.mergedValues(node, key)
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		first, twice := seen[name.Value]
		switch {
		case name.Tag == "!!merge":
			// A merge that cannot be read was reported, and would fail again where the rest is decoded.
			if merged != nil {
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
	// Merged values come last, because the mapping's own have precedence.
	for _, name := range slices.Sorted(maps.Keys(merged)) {
		if value := merged[name]; seen[name] == 0 {
			read(&yaml.Node{Kind: yaml.ScalarNode, Value: name, Line: value.Line}, &value, join(key, name))
		}
	}
	node.Content = kept
}

// mergedValues returns the values of a mapping by name, including those that `<<` merges into it; nil without `<<`.
func (r *reader) mergedValues(node *yaml.Node, key string) (all map[string]yaml.Node) {
	isMerge := func(n *yaml.Node) bool { return n.Tag == "!!merge" }
	if !slices.ContainsFunc(node.Content, isMerge) {
		return nil
	}
	switch err := node.Decode(&all); {
	case err != nil && strings.Contains(err.Error(), "contains itself"):
		r.report(key)(node.Line, "the values for << contain the mapping itself")
		return nil
	// Another fault of the mapping is reported by itself.
	case err != nil:
		r.report(key)(node.Line, "the values for << cannot be merged (use a mapping or a list of mappings)")
		return nil
	}
	return all
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
