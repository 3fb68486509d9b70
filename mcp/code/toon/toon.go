// Package toon writes values as TOON, a text form of JSON's data for language models: arrays of like objects are
// tables whose columns are named once, and strings are quoted only where they must be.
//
// It only writes. Version 4.0 of https://github.com/toon-format/spec describes the format.
//
// # Rules
//
//   - A value is written as encoding/json sees it: json tags, MarshalJSON and omitempty count, maps are sorted. An
//     Object keeps its order.
//   - The text has two blanks for each level, LF between lines and none at the end. The delimiter is the comma.
//   - Numbers have no exponent from 1e-6 to 1e21 and no zeros that mean nothing.
//   - Control characters are escaped, also those that versions before 4.0 could not write.
//
// # Decisions
//
// 2026-11-23: values go through encoding/json, which knows tags and methods. Rejected: reflection of our own, which
// would be faster and a second opinion of what a value looks like. NaN and infinities are therefore errors, as there.
//
// 2026-11-23: of version 4.0 neither tables inside columns nor tables of objects with keys are written: lists mean the
// same and decoders of version 3 read them, too. Rejected: the shortest form, which few decoders know yet.
//
// 2026-11-23: an encoder of our own. Rejected: github.com/toon-format/toon-go, which sorts keys and fails on control
// characters, such as code may have.
package toon

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Object is an object whose fields keep their order.
type Object []Field

// Field is a member of an Object.
type Field struct {
	Key   string
	Value any
}

// MarshalJSON writes the object with its fields in order. Errors: a key that occurs twice, those of the values.
func (o Object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	seen := map[string]bool{}
	out.WriteByte('{')
	for i, f := range o {
		// Readers differ in which of two equal members counts.
		if seen[f.Key] {
			return nil, duplicateKeyError(f.Key)
		}
		seen[f.Key] = true
		if i > 0 {
			out.WriteByte(',')
		}
		key, err := json.Marshal(f.Key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Key, err)
		}
		out.Write(key)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func duplicateKeyError(key string) error { return fmt.Errorf("key %q occurs twice", key) }

// Marshal writes a value as TOON. An empty object at the top is an empty text. Errors: those of encoding/json.
func Marshal(v any) ([]byte, error) {
	root, err := valueOf(v)
	if err != nil {
		return nil, err
	}
	w := &writer{}
	switch root := root.(type) {
	case *object:
		w.fields(root, 0, "")
	case []any:
		w.array("", "", root, 0)
	default:
		w.line(scalar(root))
	}
	return bytes.TrimSuffix(w.out.Bytes(), []byte("\n")), nil
}

// writer writes lines.
type writer struct{ out bytes.Buffer }

func (w *writer) line(parts ...string) {
	for _, part := range parts {
		w.out.WriteString(part)
	}
	w.out.WriteByte('\n')
}

func indent(depth int) string { return strings.Repeat("  ", depth) }

// fields writes the fields of an object at a depth. The first one begins with lead, if that is not empty.
func (w *writer) fields(o *object, depth int, lead string) {
	for i, key := range o.keys {
		start := indent(depth)
		if i == 0 && lead != "" {
			start = lead
		}
		switch value := o.values[i].(type) {
		case *object:
			w.line(start, keyText(key), ":")
			w.fields(value, depth+1, "")
		case []any:
			w.array(start, keyText(key), value, depth)
		default:
			w.line(start, keyText(key), ": ", scalar(value))
		}
	}
}

// array writes an array that is the value of a key, or at the top, where the key is empty.
func (w *writer) array(start, key string, list []any, depth int) {
	head := start + key + "[" + strconv.Itoa(len(list)) + "]"
	columns := table(list)
	switch {
	case len(list) == 0 && key == "":
		w.line("[]")
	case len(list) == 0:
		w.line(start, key, ": []")
	case allScalar(list):
		w.line(head, ": ", row(list))
	case columns != nil:
		names := make([]string, len(columns))
		for i, name := range columns {
			names[i] = keyText(name)
		}
		w.line(head, "{", strings.Join(names, ","), "}:")
		for _, each := range list {
			w.line(indent(depth+1), row(each.(*object).in(columns)))
		}
	default:
		w.line(head, ":")
		w.items(list, depth+1)
	}
}

// items writes the elements of a list, each behind a hyphen.
func (w *writer) items(list []any, depth int) {
	start := indent(depth)
	for _, each := range list {
		switch value := each.(type) {
		case *object:
			if len(value.keys) == 0 {
				w.line(start, "-")
			} else {
				w.fields(value, depth+1, start+"- ")
			}
		case []any:
			head := start + "- [" + strconv.Itoa(len(value)) + "]:"
			switch {
			case len(value) == 0:
				w.line(head)
			case allScalar(value):
				w.line(head, " ", row(value))
			default:
				w.line(head)
				w.items(value, depth+1)
			}
		default:
			w.line(start, "- ", scalar(value))
		}
	}
}

// table returns the columns of an array of objects that have the same keys and only scalars, nil for other arrays.
func table(list []any) []string {
	var first *object
	for _, each := range list {
		o, ok := each.(*object)
		if !ok || len(o.keys) == 0 || !allScalar(o.values) {
			return nil
		}
		if first == nil {
			first = o
		}
		// Another order of the same keys still makes a table, since cells are looked up by name.
		if len(o.keys) != len(first.keys) || o.in(first.keys) == nil {
			return nil
		}
	}
	if first == nil {
		return nil
	}
	return first.keys
}

func allScalar(list []any) bool {
	for _, each := range list {
		switch each.(type) {
		case *object, []any:
			return false
		}
	}
	return true
}

// row writes scalars side by side.
func row(list []any) string {
	cells := make([]string, len(list))
	for i, each := range list {
		cells[i] = scalar(each)
	}
	return strings.Join(cells, ",")
}
