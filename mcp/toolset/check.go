package toolset

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"chant/engine/spec"

	"github.com/google/jsonschema-go/jsonschema"
)

// checkable reports a schema with a keyword that check does not know, or with a default that it refuses.
func checkable(s *jsonschema.Schema) error {
	rest := *s
	// What is left after taking out all known keywords is unknown.
	rest.Type, rest.Types, rest.Enum, rest.Minimum, rest.Maximum, rest.MinLength, rest.MaxLength = "", nil, nil, nil, nil, nil, nil
	rest.Pattern, rest.Items, rest.MinItems, rest.MaxItems, rest.Properties, rest.Required = "", nil, nil, nil, nil, nil
	rest.AdditionalProperties, rest.PropertyOrder, rest.Title, rest.Description, rest.Default = nil, nil, "", "", nil
	// A keyword that is not checked would promise clients a check that does not happen.
	if !reflect.ValueOf(rest).IsZero() {
		return errors.New("it has a keyword that arguments are not checked against")
	}
	if _, err := regexp.Compile(s.Pattern); err != nil {
		return err
	}
	for _, member := range members(s) {
		if err := checkable(member); err != nil {
			return err
		}
	}
	if s.Default == nil {
		return nil
	}
	value, err := parse(s.Default)
	if err == nil {
		_, err = check("default", s, value)
	}
	return err
}

// check compares a value with its schema. It returns the value with whole numbers written as integers, without
// members that are null and with the defaults of those that are absent. path names the value in errors. Errors:
// *ArgumentError.
func check(path string, s *jsonschema.Schema, value any) (any, error) {
	whole, isInteger := integer(value)
	// Models write 10 as 10.0 or 1e1, which other decoders would refuse.
	if isInteger && (s.Type == "integer" || slices.Contains(s.Types, "integer")) {
		value = whole
	}
	if !hasType(s, value, isInteger) || !isWithinLimits(s, value) {
		return nil, badArgument(path, value, "Invalid parameter: %s must be %s, not %s", path, allowedText(s), echo(value))
	}
	switch v := value.(type) {
	case map[string]any:
		return checkObject(path, s, v)
	case []any:
		return checkList(path, s, v)
	case string:
		// No file, program or commit can contain it.
		if strings.Contains(v, "\x00") {
			return nil, badArgument(path, value, "Invalid parameter: %s holds the control character U+0000", path)
		}
	}
	return value, nil
}

func checkList(path string, s *jsonschema.Schema, list []any) (any, error) {
	out := slices.Clone(list)
	for i, item := range list {
		if s.Items == nil {
			break
		}
		checked, err := check(fmt.Sprintf("%s[%d]", path, i), s.Items, item)
		if err != nil {
			return nil, err
		}
		out[i] = checked
	}
	return out, nil
}

// checkObject compares the members of an object with the properties of its schema, in their order.
func checkObject(path string, s *jsonschema.Schema, object map[string]any) (map[string]any, error) {
	out := map[string]any{}
	for _, name := range properties(s) {
		property, value := s.Properties[name], object[name]
		if value == nil && property.Default != nil {
			// checkable has read this default already.
			value, _ = parse(property.Default)
		}
		// Clients send null for what they leave out.
		if value == nil {
			if slices.Contains(s.Required, name) {
				return nil, badArgument(member(path, name), nil, "Missing required parameter: %s", member(path, name))
			}
			continue
		}
		checked, err := check(member(path, name), property, value)
		if err != nil {
			return nil, err
		}
		out[name] = checked
	}
	// Names are sorted, so that the first error is always the same.
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if _, known := s.Properties[name]; known {
			continue
		}
		if isClosed(s) {
			return nil, badArgument(path, object, "Unknown parameter: %s (%s)", member(path, spec.Echo(name)), knownProperties(s))
		}
		if s.AdditionalProperties == nil {
			out[name] = object[name]
			continue
		}
		checked, err := check(member(path, spec.Echo(name)), s.AdditionalProperties, object[name])
		if err != nil {
			return nil, err
		}
		out[name] = checked
	}
	return out, nil
}

// member names a member of the value at a path.
func member(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// knownProperties lists the properties of an object for an error.
func knownProperties(s *jsonschema.Schema) string {
	return "allowed: " + cmp.Or(strings.Join(properties(s), ", "), "none")
}

// properties names the properties of an object, those without a place in the order last.
func properties(s *jsonschema.Schema) []string {
	out := slices.Clone(s.PropertyOrder)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// integer reads a JSON number without a fraction, however it is written.
func integer(value any) (json.Number, bool) {
	n, isNumber := value.(json.Number)
	if !isNumber {
		return "", false
	}
	if _, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return n, true
	}
	// Beyond this, a float skips integers.
	const exact = 1 << 53
	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > exact {
		return "", false
	}
	return json.Number(strconv.FormatInt(int64(f), 10)), true
}

// hasType reports whether a value has one of the types of its schema; a schema without a type takes any.
func hasType(s *jsonschema.Schema, value any, isInteger bool) bool {
	types := typesOf(s)
	has := func(name string) bool { return slices.Contains(types, name) }
	if len(types) == 0 {
		return true
	}
	switch v := value.(type) {
	case string:
		return has("string")
	case bool:
		return has("boolean")
	case json.Number:
		_, err := v.Float64()
		return isInteger && has("integer") || err == nil && has("number")
	case []any:
		return has("array")
	case map[string]any:
		return has("object")
	}
	return false
}

func typesOf(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return s.Types
}

// isWithinLimits reports whether a value of the right type keeps the limits of its schema.
func isWithinLimits(s *jsonschema.Schema, value any) bool {
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(each any) bool { return echo(each) == echo(value) }) {
		return false
	}
	switch v := value.(type) {
	case json.Number:
		n, _ := v.Float64()
		return (s.Minimum == nil || n >= *s.Minimum) && (s.Maximum == nil || n <= *s.Maximum)
	case string:
		matches, err := regexp.MatchString(s.Pattern, v)
		return err == nil && matches && isWithinCount(utf8.RuneCountInString(v), s.MinLength, s.MaxLength)
	case []any:
		return isWithinCount(len(v), s.MinItems, s.MaxItems)
	}
	return true
}

func isWithinCount(n int, least, most *int) bool {
	return (least == nil || n >= *least) && (most == nil || n <= *most)
}
