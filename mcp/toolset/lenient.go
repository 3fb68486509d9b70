package toolset

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// decodeLeniently makes an input from arguments that are not checked against the schema. Unknown ones are ignored, a
// number or a boolean may be written as a string and the other way round, null is absent, and what is absent has the
// default of its schema tag. An input that implements json.Unmarshaler is given the arguments as the client sent them,
// and so is a member of one, null included. Errors: *ArgumentError, and those of the implementations.
func (t Tool) decodeLeniently(args Arguments) (any, error) {
	into := reflect.New(t.Op.Input)
	// An input that reads its arguments itself gets them as the client sent them, null included.
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
		if text, ok := defaultOf(f.limits); ok && value == nil {
			value, given = text, true
		}
		// The zero of a number could also be what the client sent.
		if value == nil && f.required && isNumber(f.kind) {
			return nil, badArgument(f.name, nil, "Missing %s", f.name)
		}
		if !given || slices.Contains(t.Ignored, f.name) {
			continue
		}
		if err := fillLeniently(into.Elem().FieldByIndex(f.index), f.name, value); err != nil {
			return nil, err
		}
	}
	return into.Elem().Interface(), nil
}

// isNumber reports whether a field is a number, so that its zero value could also be what the client sent.
func isNumber(t reflect.Type) bool {
	return t.Kind() == reflect.Int || t.Kind() == reflect.Int64 || t.Kind() == reflect.Float64
}

// defaultOf is the default in a schema tag.
func defaultOf(limits string) (string, bool) {
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
	if err := fill(into, lenient(into.Type(), value)); err != nil {
		return badArgument(name, value, "Invalid parameter: %s has an invalid value %s", name, echo(value))
	}
	return nil
}

// lenient returns a value in the type of its field where it can be read as that, else as it is. What is no list becomes
// one where the field has lists.
func lenient(t reflect.Type, value any) any {
	switch t.Kind() {
	case reflect.Pointer:
		return lenient(t.Elem(), value)
	case reflect.Slice:
		list, isList := value.([]any)
		if !isList {
			list = []any{value}
		}
		out := make([]any, len(list))
		for i, item := range list {
			out[i] = lenient(t.Elem(), item)
		}
		return out
	case reflect.Bool:
		if text, ok := value.(string); ok {
			if b, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(text))); err == nil {
				return b
			}
		}
	case reflect.String:
		if b, ok := value.(bool); ok {
			return strconv.FormatBool(b)
		}
		if n, ok := value.(json.Number); ok {
			return n.String()
		}
	case reflect.Int, reflect.Int64, reflect.Float64:
		return number(value)
	}
	return value
}

// number returns a number, or a text that is one, without a fraction where that is zero.
func number(value any) any {
	n, ok := value.(json.Number)
	if text, isText := value.(string); isText {
		n = json.Number(strings.TrimSpace(text))
		_, err := n.Float64()
		ok = err == nil
	}
	if !ok {
		return value
	}
	if whole, isWhole := integer(n); isWhole {
		return whole
	}
	return n
}
