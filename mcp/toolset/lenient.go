package toolset

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// decodeLeniently makes an input from arguments that are not checked against the schema: unknown ones are ignored, and
// a number or a truth may be written as a string and the other way round. null is absent, and what is absent has the
// default of its schema tag. An input or a member of it
// that implements json.Unmarshaler is given what the client sent as it is, null included. Errors: *ArgumentError, and
// those of the implementations.
func (t Tool) decodeLeniently(args Arguments) (any, error) {
	into := reflect.New(t.Op.Input)
	if own, ok := into.Interface().(json.Unmarshaler); ok {
		raw, err := json.Marshal(args)
		if err != nil {
			return nil, err
		}
		err = own.UnmarshalJSON(raw)
		return into.Elem().Interface(), err
	}
	for _, f := range fields(t.Op.Input) {
		value, given := args[f.name]
		if text, ok := preset(f.limits); ok && value == nil {
			value, given = text, true
		}
		if !given || slices.Contains(t.ignored, f.name) {
			continue
		}
		if err := fillLeniently(into.Elem().FieldByIndex(f.index), f.name, value); err != nil {
			return nil, err
		}
	}
	return into.Elem().Interface(), nil
}

// preset is the default in a schema tag.
func preset(limits string) (string, bool) {
	for rule := range strings.SplitSeq(limits, ",") {
		if value, ok := strings.CutPrefix(rule, "default="); ok {
			return value, true
		}
	}
	return "", false
}

// fillLeniently puts an argument into a field of the input.
func fillLeniently(into reflect.Value, name string, value any) error {
	own, ok := into.Addr().Interface().(json.Unmarshaler)
	if ok {
		raw, err := json.Marshal(value)
		if err != nil {
			return err
		}
		return own.UnmarshalJSON(raw)
	}
	if value == nil {
		return nil
	}
	kind := into.Type()
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	if err := fill(into, lenient(kind.Kind(), value)); err != nil {
		return badArgument("Invalid parameter: %s has an invalid value %s", name, echo(value))
	}
	return nil
}

// lenient returns a value in the kind of its field where it can be read as that, else as it is.
func lenient(kind reflect.Kind, value any) any {
	switch v := value.(type) {
	case string:
		text := strings.TrimSpace(v)
		switch kind {
		case reflect.Bool:
			if b, err := strconv.ParseBool(strings.ToLower(text)); err == nil {
				return b
			}
		case reflect.Int, reflect.Int64, reflect.Float64:
			if _, err := strconv.ParseFloat(text, 64); err == nil {
				return lenient(kind, json.Number(text))
			}
		case reflect.Slice:
			return []string{v}
		}
	case json.Number:
		if whole, ok := integer(v); ok {
			v = whole
		}
		switch kind {
		case reflect.String:
			return v.String()
		case reflect.Slice:
			return []any{v}
		}
		return v
	case bool:
		if kind == reflect.String {
			return strconv.FormatBool(v)
		}
	}
	return value
}
