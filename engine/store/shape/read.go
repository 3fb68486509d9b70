package shape

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chant/engine/spec"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Fault is one key that is unknown, or one value that is wrong.
type Fault struct {
	Line    int    // of the YAML, from 1
	Key     string // such as limits.time or parallel.agents[0].weight
	Msg     string
	Unknown bool // the key is unknown; otherwise its value is wrong
	Former  bool // the key is unknown, and an earlier version knew it
}

// Schema contains what a Go type does not say about its YAML.
type Schema struct {
	// Rules are the formats of single values. A field names its rule in the tag `rule`; for a list or
	// a mapping the rule is that of each value in it.
	Rules map[string]Rule
	// Outlines give the keys of types that decode themselves from a form other than their
	// fields. Without an outline such a list or mapping is only decoded as a whole.
	Outlines map[reflect.Type]reflect.Type
	// Above is the number of lines above the YAML in its file: a message that names a line
	// names one of the file.
	Above int
	// Known are further keys that are allowed. Their values are not checked.
	Known []string
	// Former are keys that earlier versions knew.
	Former []string
	// Strict reports everything that the UnmarshalYAML of a type refuses, including its unknown keys.
	Strict bool
}

// Outline adds an entry to Schema.Outlines.
func Outline[T, Form any](s *Schema) {
	if s.Outlines == nil {
		s.Outlines = map[reflect.Type]reflect.Type{}
	}
	s.Outlines[reflect.TypeFor[T]()] = reflect.TypeFor[Form]()
}

// Rule reads a single value from its text.
type Rule struct {
	of    reflect.Type
	parse func(text string) (any, error)
}

// Parsed is the rule of values that a function parses. Its error says what is wrong, without a line.
func Parsed[T any](parse func(text string) (T, error)) Rule {
	return Rule{reflect.TypeFor[T](), func(text string) (any, error) { return parse(text) }}
}

// Whole is implemented by types whose values are checked as a whole after their parts were read. A struct
// for which it reports anything is left out; a list or a mapping keeps what CheckWhole leaves in it.
type Whole interface {
	CheckWhole(node *yaml.Node, report Report)
}

// Report reports a fault on a line of the YAML.
type Report func(line int, format string, args ...any)

// Read reads a node into a value, removes what is wrong from the node, and returns the faults in the order
// of their lines. What is wrong or missing stays as it was in the value. Aliases in the node become copies.
func Read[T any](node *yaml.Node, into *T, s Schema) []Fault {
	r := &reader{schema: s}
	if node.Kind != 0 {
		// A part that is wrong is removed from the tree, which must not remove it elsewhere.
		expand(node)
		r.read(node, reflect.ValueOf(into).Elem(), "", "")
	}
	// Faults are found type by type; people read them by line.
	slices.SortStableFunc(r.faults, func(a, b Fault) int { return a.Line - b.Line })
	return r.faults
}

type reader struct {
	schema Schema
	faults []Fault
	wrong  int // faults other than unknown keys
}

// read reads a node into out and reports whether it can be kept, now that what is wrong in it was removed.
func (r *reader) read(node *yaml.Node, out reflect.Value, key, rule string) bool {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	known, ruled := r.schema.Rules[rule]
	form, outlined := r.schema.Outlines[out.Type()]
	_, decodesItself := out.Addr().Interface().(yaml.Unmarshaler)
	switch kind := out.Kind(); {
	// A key without a value counts as missing, except where the type knows nothing.
	case isNull(node):
		if kind == reflect.Pointer || kind == reflect.Slice || kind == reflect.Map {
			out.SetZero()
		}
		return true
	case ruled && known.of.ConvertibleTo(out.Type()):
		return r.apply(known, node, out, key)
	case kind == reflect.Pointer:
		// The pointer is set only if its value fits: nil means that the key is missing.
		value := reflect.New(out.Type().Elem())
		kept := r.read(node, value.Elem(), key, rule)
		if kept {
			out.Set(value)
		}
		return kept
	case outlined:
		return r.decodeItself(node, out, form, key)
	case decodesItself:
		return r.decodeItself(node, out, out.Type(), key)
	}
	return r.parts(node, out, key, rule)
}

// isNull reports whether a node, or the target of an alias, has no value.
func isNull(node *yaml.Node) bool {
	return node.Tag == "!!null" || node.Kind == yaml.AliasNode && node.Alias.Tag == "!!null"
}

// apply reads a single value by its rule.
func (r *reader) apply(rule Rule, node *yaml.Node, out reflect.Value, key string) bool {
	if node.Kind != yaml.ScalarNode {
		r.report(key)(node.Line, "%s is not a single value", map[bool]string{true: "a list", false: "a mapping"}[node.Kind == yaml.SequenceNode])
		return false
	}
	value, err := rule.parse(node.Value)
	if err != nil {
		r.report(key)(node.Line, "%s", err)
		return false
	}
	out.Set(reflect.ValueOf(value).Convert(out.Type()))
	return true
}

// parts reads a value from its parts, and then checks it as a whole.
func (r *reader) parts(node *yaml.Node, out reflect.Value, key, rule string) bool {
	before, value := r.wrong, reflect.New(out.Type()).Elem()
	switch {
	case out.Kind() == reflect.Struct && node.Kind == yaml.MappingNode:
		// Fields that the mapping lacks keep their defaults.
		value.Set(out)
		r.fields(node, value, key)
	case out.Kind() == reflect.Map && node.Kind == yaml.MappingNode:
		// So do entries.
		value.Set(reflect.MakeMap(out.Type()))
		for pairs := out.MapRange(); pairs.Next(); {
			value.SetMapIndex(pairs.Key(), pairs.Value())
		}
		r.entries(node, value, key, rule)
	case out.Kind() == reflect.Slice && node.Kind == yaml.SequenceNode:
		r.items(node, value, key, rule)
	default:
		// The YAML package would name the Go type in its error, so an unnamed one is decoded.
		plain := reflect.New(unnamed(out.Type()))
		wrong := messagesOf(node.Decode(plain.Interface()))
		r.refuse(node, key, wrong)
		if len(wrong) == 0 {
			out.Set(plain.Elem().Convert(out.Type()))
		}
		return len(wrong) == 0
	}
	kept := true
	if whole, ok := value.Addr().Interface().(Whole); ok {
		single, partsFit := out.Kind() == reflect.Struct, r.wrong == before
		whole.CheckWhole(node, func(line int, format string, args ...any) {
			kept = kept && !single
			// A struct that lacks a wrong part may only miss what was removed.
			if partsFit || !single {
				r.report(key)(line, format, args...)
			}
		})
	}
	if kept {
		out.Set(value)
	}
	return kept
}

// unnamed is a type by whose name the YAML package says what kind of value it expects.
func unnamed(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Slice:
		return reflect.SliceOf(t.Elem())
	case reflect.Map:
		return reflect.MapOf(t.Key(), t.Elem())
	}
	return t
}

// decodeItself decodes a type by its UnmarshalYAML, after its parts were checked against its outline.
func (r *reader) decodeItself(node *yaml.Node, out reflect.Value, form reflect.Type, key string) bool {
	whole := reflect.New(out.Type())
	// The whole is decoded before anything is removed from the node: these are the faults that the file really has.
	asWritten := messagesOf(node.Decode(whole.Interface()))
	if r.schema.Strict && len(asWritten) > 0 {
		r.refuse(node, key, asWritten)
		return false
	}
	before, found := r.wrong, len(r.faults)
	r.outline(node, form, form != out.Type(), key)
	// The type accepts its parts, even if the outline expects another form.
	if r.schema.Strict {
		r.faults = append(r.faults[:found], slices.DeleteFunc(r.faults[found:], func(f Fault) bool { return !f.Unknown })...)
		r.wrong = before
		out.Set(whole.Elem())
		return true
	}
	value := reflect.New(out.Type())
	left := messagesOf(node.Decode(value.Interface()))
	// What is only missed because it was removed is left out.
	if r.wrong > before {
		r.refuse(node, key, slices.DeleteFunc(slices.Clone(left), func(text string) bool { return !slices.Contains(asWritten, text) }))
	} else {
		r.refuse(node, key, left)
	}
	if len(left) == 0 {
		out.Set(value.Elem())
	}
	return len(left) == 0
}

// outline checks the parts of a node against the form of its type.
func (r *reader) outline(node *yaml.Node, form reflect.Type, outlined bool, key string) {
	scratch := reflect.New(form).Elem()
	switch {
	case form.Kind() == reflect.Struct && node.Kind == yaml.MappingNode:
		r.fields(node, scratch, key)
	// Without an outline, a list or mapping is only decoded as a whole.
	case !outlined:
	case form.Kind() == reflect.Map && node.Kind == yaml.MappingNode:
		r.entries(node, scratch, key, "")
	case form.Kind() == reflect.Slice && node.Kind == yaml.SequenceNode:
		r.items(node, scratch, key, "")
	}
}

// fields reads a mapping into the fields of a struct.
func (r *reader) fields(node *yaml.Node, out reflect.Value, key string) {
	known := map[string]field{}
	fieldsOf(out, known)
	r.pairs(node, key, func(name *yaml.Node, value *yaml.Node, key string) bool {
		f, ok := known[name.Value]
		if !ok {
			switch {
			case slices.Contains(r.schema.Former, key):
				r.faults = append(r.faults, Fault{Line: name.Line, Key: key, Msg: fmt.Sprintf("key %q does nothing any more", key), Unknown: true, Former: true})
			case !slices.Contains(r.schema.Known, key):
				r.faults = append(r.faults, Fault{Line: name.Line, Key: key, Msg: fmt.Sprintf("unknown key %q does nothing", key) + spec.DidYouMean(spec.Nearest(name.Value, slices.Sorted(maps.Keys(known)))), Unknown: true})
			}
			return false
		}
		return r.read(value, f.value, key, f.rule)
	})
}

// entries reads a mapping into a map from texts, and replaces what that has of the same names.
func (r *reader) entries(node *yaml.Node, out reflect.Value, key, rule string) {
	r.pairs(node, key, func(name *yaml.Node, value *yaml.Node, key string) bool {
		entry := reflect.New(out.Type().Elem()).Elem()
		_, whole := entry.Addr().Interface().(Whole)
		switch {
		case isNull(value) && whole:
			// It counts as a mapping without keys, which may be incomplete.
			value = &yaml.Node{Kind: yaml.MappingNode, Line: value.Line}
		// Nothing is not a value that a rule could read.
		case isNull(value) && rule != "":
			return true
		}
		kept := r.read(value, entry, key, rule)
		if kept {
			if out.IsNil() {
				out.Set(reflect.MakeMap(out.Type()))
			}
			out.SetMapIndex(reflect.ValueOf(name.Value).Convert(out.Type().Key()), entry)
		}
		return kept
	})
}

// items reads a list.
func (r *reader) items(node *yaml.Node, out reflect.Value, key, rule string) {
	out.Set(reflect.MakeSlice(out.Type(), 0, len(node.Content)))
	var kept []*yaml.Node
	for i, item := range node.Content {
		// An empty item is no value, as for the YAML package.
		if isNull(item) {
			kept = append(kept, item)
			continue
		}
		value := reflect.New(out.Type().Elem()).Elem()
		if r.read(item, value, fmt.Sprintf("%s[%d]", key, i), rule) {
			out.Set(reflect.Append(out, value))
			kept = append(kept, item)
		}
	}
	node.Content = kept
}

// refuse reports why a node cannot be decoded.
func (r *reader) refuse(node *yaml.Node, key string, texts []string) {
	for _, text := range texts {
		line, msg := splitLine(text, node.Line)
		r.report(key)(line, "%s", markdown.Reword(msg))
	}
}

// report returns the function that reports faults of a key.
func (r *reader) report(key string) Report {
	return func(line int, format string, args ...any) {
		r.wrong++
		r.faults = append(r.faults, Fault{Line: line, Key: key, Msg: fmt.Sprintf(format, args...)})
	}
}

// messagesOf lists the messages of an error of the YAML package, none for nil.
func messagesOf(err error) []string {
	if several, ok := errors.AsType[*yaml.TypeError](err); ok {
		return several.Errors
	}
	if err != nil {
		return []string{err.Error()}
	}
	return nil
}

var numbered = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:yaml: )?line (\d+): (?s:(.*))$`)
})

// splitLine splits a message into its line and the rest; without a line it returns the usual one.
func splitLine(text string, usual int) (int, string) {
	found := numbered().FindStringSubmatch(text)
	if found == nil {
		return usual, strings.TrimPrefix(text, "yaml: ")
	}
	line, err := strconv.Atoi(found[1])
	if err != nil {
		return usual, found[2]
	}
	return line, found[2]
}
