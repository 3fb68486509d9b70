package toolset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"chant/engine/spec"
	"chant/text"
)

// Arguments are those of a call: JSON with its numbers as json.Number.
type Arguments = map[string]any

// ArgumentError reports what is wrong with the arguments of a call: the property, its value and what is allowed. It is
// for the model that made the call.
type ArgumentError struct {
	Param string // the parameter that is missing or has a wrong value; "" for the arguments as a whole
	Value any    // the wrong value, or the part of it that is wrong; nil for a missing one
	text  string
}

// Error is the text.
func (e *ArgumentError) Error() string { return e.text }

// BadArguments reports arguments that are wrong as a whole.
func BadArguments(text string) *ArgumentError { return &ArgumentError{text: text} }

// badArgument reports the value at a path, nil for a missing one.
func badArgument(path string, value any, format string, args ...any) error {
	param := path
	if i := strings.IndexAny(path, ".["); i >= 0 {
		param = path[:i]
	}
	return &ArgumentError{param, value, fmt.Sprintf(format, args...)}
}

// ParseArguments reads the arguments of a call. Errors: *ArgumentError for anything but an object.
func ParseArguments(raw json.RawMessage) (Arguments, error) {
	value, err := parse(raw)
	args, isObject := value.(Arguments)
	if err != nil || !isObject {
		return nil, BadArguments("Invalid arguments: expected an object")
	}
	return args, nil
}

// parse reads one JSON value.
func parse(raw json.RawMessage) (value any, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	// A float would lose digits of large integers.
	dec.UseNumber()
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return value, nil
}

// Decode makes the input of the tool's operation from the arguments of a call. Errors: *ArgumentError, those of
// InputSchema, and those of inputs that read their arguments themselves.
func (t Tool) Decode(args Arguments) (any, error) {
	if t.Lenient {
		return t.decodeLeniently(args)
	}
	s, err := t.derive()
	if err != nil {
		return nil, err
	}
	checked, err := checkObject("", s, t.effective(args))
	if err != nil {
		return nil, err
	}
	into := reflect.New(t.Op.Input).Elem()
	for _, f := range fields(t.Op.Input) {
		value, given := checked[f.name]
		if !given {
			continue
		}
		if err := fill(into.FieldByIndex(f.index), value); err != nil {
			return nil, badArgument(f.name, value, "Invalid parameter: %s has an invalid value %s", f.name, echo(value))
		}
	}
	return into.Interface(), nil
}

// fill puts a checked argument into a field of the input. An integer for a string becomes its text.
func fill(into reflect.Value, value any) error {
	// A client may write an id as a number.
	if n, isNumber := value.(json.Number); isNumber && into.Kind() == reflect.String {
		value = n.String()
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into.Addr().Interface())
}

// echo is a value in an error: JSON, cut where it is long.
func echo(value any) string {
	out, err := text.JSON(value, "")
	if err != nil {
		return "that cannot be shown"
	}
	return spec.Echo(string(out))
}
