package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"

	"chant/engine/spec"
)

// argumentError says what is wrong with the arguments of a call, in words for the
// model that made it.
type argumentError struct{ text string }

// Error is the text.
func (e *argumentError) Error() string { return e.text }

func badArgument(format string, args ...any) error {
	return &argumentError{fmt.Sprintf(format, args...)}
}

// decode makes the input of a tool's operation from the arguments of a call. It
// takes exactly the parameters that the tool shows; null stands for absent.
// Errors: *argumentError.
func (t tool) decode(raw json.RawMessage) (any, error) {
	args := arguments{}
	if err := json.Unmarshal(raw, &args); err != nil || args == nil {
		return nil, badArgument("Invalid arguments: expected an object")
	}
	into := reflect.New(t.op.input).Elem()
	for _, f := range taken(t.op.input, t.takes) {
		value, given := args[f.name]
		delete(args, f.name)
		if !given || string(value) == "null" {
			if f.required {
				return nil, badArgument("Missing required parameter: %s", f.name)
			}
			continue
		}
		if n, ok := integer(value); ok && f.number {
			value = plain(strconv.FormatInt(n, 10))
		}
		err := fill(into.FieldByIndex(f.index), f.name, value)
		if err != nil && f.number {
			err = badArgument("Invalid parameter: %s must be a string or an integer", f.name)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(args) > 0 {
		return nil, badArgument("Unknown parameter: %s", spec.Echo(slices.Min(slices.Collect(maps.Keys(args)))))
	}
	return into.Interface(), nil
}

// fill puts one argument into a field of the input.
func fill(into reflect.Value, name string, raw json.RawMessage) error {
	if into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		into = into.Elem()
	}
	switch into.Kind() {
	case reflect.Int, reflect.Int64:
		n, ok := integer(raw)
		if !ok || into.OverflowInt(n) {
			return badArgument("Invalid parameter: %s must be an integer", name)
		}
		into.SetInt(n)
		return nil
	case reflect.Slice:
		var items []*string // null is no string, and would be read as an empty one
		if json.Unmarshal(raw, &items) != nil || slices.Contains(items, nil) {
			return badArgument("Invalid parameter: %s must be a list of strings", name)
		}
		if json.Unmarshal(raw, into.Addr().Interface()) != nil {
			return badArgument("Invalid parameter: %s must be a list of strings", name)
		}
		return nil
	}
	if json.Unmarshal(raw, into.Addr().Interface()) != nil {
		return badArgument("Invalid parameter: %s must be a %s", name, jsonType(into.Type()))
	}
	return nil
}

// integer reads a JSON number without a fraction, however it is spelled.
func integer(raw json.RawMessage) (int64, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true
	}
	const exact = 1 << 53 // beyond it a float skips integers
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > exact {
		return 0, false
	}
	return int64(f), true
}
