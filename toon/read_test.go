package toon

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// plain returns what was read as encoding/json reads it.
func plain(v any) any {
	switch v := v.(type) {
	case *object:
		m := map[string]any{}
		for i, key := range v.keys {
			m[key] = plain(v.values[i])
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, each := range v {
			list[i] = plain(each)
		}
		return list
	}
	return v
}

// FuzzRead: JSON without blanks is read as encoding/json reads it, and no text panics.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-2.5e3,true,false,null,"x\"\\\u00e9"],"b":{"c":{},"d":[[]]}}`, `{"a":1,"a":2}`, `"`, `"\`, `{`, `{"a"`, `{"a":`, `[1`, `[,`, `nul`, `""1`, `{"a":[1}`, "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var compact bytes.Buffer
		if json.Compact(&compact, text) != nil {
			_, _, _ = read(text)
			return
		}
		d := json.NewDecoder(&compact)
		d.UseNumber()
		raw := bytes.Clone(compact.Bytes())
		var want any
		if d.Decode(&want) != nil {
			return // too large a nesting
		}
		got, rest, err := read(raw)
		if err != nil || len(rest) > 0 || !reflect.DeepEqual(plain(got), want) {
			t.Errorf("%s is read as %#v, want %#v; %q is left: %v", raw, plain(got), want, rest, err)
		}
	})
}
