package toon

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// object is an object of JSON in its order. Other values are []any, string, json.Number, bool and nil.
type object struct {
	keys   []string
	values []any
}

// in returns the values of the keys; nil where one is missing.
func (o *object) in(keys []string) []any {
	out := make([]any, len(keys))
	for i, key := range keys {
		at := i
		if at >= len(o.keys) || o.keys[at] != key { // mostly the order is the same
			at = slices.Index(o.keys, key)
		}
		if at < 0 {
			return nil
		}
		out[i] = o.values[at]
	}
	return out
}

// set adds a member, or replaces the one with its key, as decoders of JSON do.
func (o *object) set(key string, value any) {
	if i := slices.Index(o.keys, key); i >= 0 {
		o.values[i] = value
		return
	}
	o.keys, o.values = append(o.keys, key), append(o.values, value)
}

// valueOf returns a value as encoding/json writes it. The fields of an Object are read one by one: to write them into
// one text first would copy each several times.
func valueOf(v any) (any, error) {
	fields, ok := v.(Object)
	if !ok {
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		value, rest, err := read(raw)
		if err == nil && len(rest) > 0 {
			err = errRest
		}
		return value, err
	}
	o := &object{make([]string, 0, len(fields)), make([]any, 0, len(fields))}
	for i, f := range fields {
		if slices.ContainsFunc(fields[:i], func(g Field) bool { return g.Key == f.Key }) {
			return nil, errTwice(f.Key)
		}
		value, err := valueOf(f.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Key, err)
		}
		o.set(string([]rune(f.Key)), value) // valid UTF-8, as encoding/json makes it
	}
	return o, nil
}

// errRest is the error for what encoding/json does not write: more or less than one value.
var errRest = errors.New("broken JSON")

// read reads a value as encoding/json writes it, without blanks, and keeps the order of members. It returns what follows.
func read(raw []byte) (value any, rest []byte, err error) {
	if len(raw) == 0 {
		return nil, nil, errRest
	}
	switch raw[0] {
	case '{':
		return readObject(raw[1:])
	case '[':
		return readList(raw[1:])
	case '"':
		return readText(raw)
	}
	end := bytes.IndexAny(raw, ",]}")
	if end < 0 {
		end = len(raw)
	}
	switch word := string(raw[:end]); word {
	case "":
		return nil, nil, errRest
	case "null":
		value = nil
	case "true", "false":
		value = word == "true"
	default:
		value = json.Number(word)
	}
	return value, raw[end:], nil
}

// readObject reads an object after its brace.
func readObject(raw []byte) (any, []byte, error) {
	o := &object{}
	for len(raw) > 0 && raw[0] != '}' {
		raw = bytes.TrimPrefix(raw, []byte(","))
		key, rest, err := readText(raw)
		if err != nil || len(rest) == 0 {
			return nil, nil, cmp.Or(err, errRest)
		}
		value, rest, err := read(rest[1:]) // after the colon
		if err != nil {
			return nil, nil, err
		}
		o.set(key.(string), value)
		raw = rest
	}
	if len(raw) == 0 {
		return nil, nil, errRest
	}
	return o, raw[1:], nil
}

// readList reads an array after its bracket.
func readList(raw []byte) (any, []byte, error) {
	list := []any{}
	for len(raw) > 0 && raw[0] != ']' {
		value, rest, err := read(bytes.TrimPrefix(raw, []byte(",")))
		if err != nil {
			return nil, nil, err
		}
		list, raw = append(list, value), rest
	}
	if len(raw) == 0 {
		return nil, nil, errRest
	}
	return list, raw[1:], nil
}

// readText reads a text with its quotes.
func readText(raw []byte) (any, []byte, error) {
	if len(raw) == 0 || raw[0] != '"' {
		return nil, nil, errRest
	}
	escaped := false
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			if whole := raw[1:i]; !escaped && utf8.Valid(whole) {
				return string(whole), raw[i+1:], nil
			}
			var text string
			err := json.Unmarshal(raw[:i+1], &text)
			return text, raw[i+1:], err
		}
	}
	return nil, nil, errRest
}
