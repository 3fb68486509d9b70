package toon

import (
	"bytes"
	"encoding/json"
	"slices"
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
		// Mostly the order is the same, which needs no search.
		if at >= len(o.keys) || o.keys[at] != key {
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
	// Decoders of JSON let the last of equal keys count.
	if i := slices.Index(o.keys, key); i >= 0 {
		o.values[i] = value
		return
	}
	o.keys, o.values = append(o.keys, key), append(o.values, value)
}

// valueOf returns a value as encoding/json writes it, with members in their order.
func valueOf(v any) (any, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	// A float would lose digits of large numbers.
	d.UseNumber()
	return read(d)
}

// read reads the next value.
func read(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := &object{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			value, err := read(d)
			if err != nil {
				return nil, err
			}
			o.set(key.(string), value)
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			value, err := read(d)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = d.Token()
		return list, err
	}
	return token, nil
}
