package toolset

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// InputSchema describes the arguments that the tool takes. Errors: a row that names a property its operation does not
// have, or an Input struct that has no schema.
func (t Tool) InputSchema() (json.RawMessage, error) {
	s, err := t.derive()
	if err != nil {
		return nil, err
	}
	return json.Marshal(listedSchema(s))
}

// derive makes the schema by which arguments are checked.
func (t Tool) derive() (*jsonschema.Schema, error) {
	out := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	known := fields(t.Op.Input)
	for _, p := range t.Params {
		i := slices.IndexFunc(known, func(f field) bool { return f.name == p.Name })
		if i < 0 {
			return nil, fmt.Errorf("tool %q takes %q, which its operation does not have", t.Name, p.Name)
		}
		property, err := p.derive(known[i])
		if err != nil {
			return nil, fmt.Errorf("schema of %q in tool %q: %w", p.Name, t.Name, err)
		}
		out.Properties[p.Name] = property
		out.PropertyOrder = append(out.PropertyOrder, p.Name)
		if known[i].required {
			out.Required = append(out.Required, p.Name)
		}
	}
	// A row that leaves out a required property could never be called.
	for _, f := range known {
		if f.required && out.Properties[f.name] == nil {
			return nil, fmt.Errorf("tool %q does not take %q, which its operation requires", t.Name, f.name)
		}
	}
	return out, nil
}

// derive makes the schema of one property.
func (p Param) derive(f field) (*jsonschema.Schema, error) {
	s, err := jsonschema.ForType(f.kind, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		// A raw message may be anything, and the library would describe it as a list of bytes.
		reflect.TypeFor[json.RawMessage](): {},
	}})
	if err != nil {
		return nil, err
	}
	// A property without a value is left out, so null is no type of it.
	withoutNull(s)
	if err := limit(s, f.limits); err != nil {
		return nil, err
	}
	if err := limitMembers(s, f.kind); err != nil {
		return nil, err
	}
	s.Description = f.text
	if p.Brief {
		shorten(s)
	}
	if p.Text != "" {
		s.Description = p.Text
	}
	if p.Plain {
		s.Properties, s.PropertyOrder, s.Required, s.AdditionalProperties = nil, nil, nil, nil
	}
	if p.Integer {
		s.Type, s.Types = "", []string{s.Type, "integer"}
	}
	if p.Refine != nil {
		p.Refine(s)
	}
	return s, checkable(s)
}

// withoutNull removes null from the types that the library derives for pointers and slices: a property without a value
// is left out.
func withoutNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.Types = slices.DeleteFunc(s.Types, func(t string) bool { return t == "null" })
	if len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
	for _, member := range members(s) {
		withoutNull(member)
	}
}

// shorten removes from a schema, and from those inside it, what a client can do without.
func shorten(s *jsonschema.Schema) {
	s.Description, s.Default, s.Minimum, s.MinItems, s.MaxItems = "", nil, nil, nil, nil
	for _, member := range members(s) {
		shorten(member)
	}
}

// members are the schemas directly inside a schema.
func members(s *jsonschema.Schema) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	for _, property := range s.Properties {
		out = append(out, property)
	}
	if s.Items != nil {
		out = append(out, s.Items)
	}
	if s.AdditionalProperties != nil && !isClosed(s) {
		out = append(out, s.AdditionalProperties)
	}
	return out
}

// isClosed reports whether an object has no properties besides those of its schema.
func isClosed(s *jsonschema.Schema) bool {
	return s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil
}

// limitMembers applies the schema tags inside a type.
func limitMembers(s *jsonschema.Schema, t reflect.Type) error {
	switch t.Kind() {
	case reflect.Pointer:
		return limitMembers(s, t.Elem())
	case reflect.Slice, reflect.Array:
		if s.Items != nil {
			return limitMembers(s.Items, t.Elem())
		}
	case reflect.Map:
		if s.AdditionalProperties != nil {
			return limitMembers(s.AdditionalProperties, t.Elem())
		}
	case reflect.Struct:
		for _, f := range fields(t) {
			property := s.Properties[f.name]
			if property == nil {
				// A struct that is written as a string, such as a time, has no members in the schema.
				continue
			}
			if err := limit(property, f.limits); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			if err := limitMembers(property, f.kind); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
		}
	}
	return nil
}

// limit applies a schema tag to a schema.
func limit(s *jsonschema.Schema, tag string) error {
	if tag == "" {
		return nil
	}
	for rule := range strings.SplitSeq(tag, ",") {
		key, value, _ := strings.Cut(rule, "=")
		on := s
		// Of a list, all but these keys limit the items.
		if s.Items != nil && key != "minitems" && key != "maxitems" && key != "default" {
			on = s.Items
		}
		if err := apply(on, key, value); err != nil {
			return fmt.Errorf("schema tag %q: %w", tag, err)
		}
	}
	return nil
}

func apply(s *jsonschema.Schema, key, value string) (err error) {
	count := func(to **int) {
		n, bad := strconv.Atoi(value)
		*to, err = &n, bad
	}
	number := func(to **float64) {
		n, bad := strconv.ParseFloat(value, 64)
		*to, err = &n, bad
	}
	switch key {
	case "enum":
		for each := range strings.SplitSeq(value, "|") {
			s.Enum = append(s.Enum, literal(s, each))
		}
	case "default":
		s.Default, err = json.Marshal(literal(s, value))
	case "min":
		number(&s.Minimum)
	case "max":
		number(&s.Maximum)
	case "minlen":
		count(&s.MinLength)
	case "maxlen":
		count(&s.MaxLength)
	case "minitems":
		count(&s.MinItems)
	case "maxitems":
		count(&s.MaxItems)
	default:
		err = fmt.Errorf("unknown key %q", key)
	}
	return err
}

// literal is a value from a tag in the type of its schema.
func literal(s *jsonschema.Schema, value string) any {
	if s.Type == "string" {
		return value
	}
	return json.RawMessage(value)
}

// listedSchema is the schema as lists of tools have it: that every object is closed is not repeated.
func listedSchema(s *jsonschema.Schema) *jsonschema.Schema {
	out := *s
	if isClosed(s) {
		out.AdditionalProperties = nil
	}
	if s.Items != nil {
		out.Items = listedSchema(s.Items)
	}
	if s.Properties != nil {
		out.Properties = map[string]*jsonschema.Schema{}
	}
	for name, property := range s.Properties {
		out.Properties[name] = listedSchema(property)
	}
	return &out
}
