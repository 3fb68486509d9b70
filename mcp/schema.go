package mcp

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// field is a member of an operation's input or result as JSON has it.
type field struct {
	name     string
	text     string // from the jsonschema tag
	required bool
	number   bool // a text for which an integer does as well
	index    []int
	kind     reflect.Type
}

// fields lists the JSON members of a struct, embedded ones included, in order.
func fields(t reflect.Type) []field {
	var out []field
	for _, f := range reflect.VisibleFields(t) {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" || !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		out = append(out, field{
			name: name, text: f.Tag.Get("jsonschema"), index: f.Index, kind: f.Type,
			required: !strings.Contains(rest, "omit"),
		})
	}
	return out
}

// taken picks the fields that a tool takes, with the tool's texts.
func taken(t reflect.Type, takes []param) []field {
	var out []field
	for _, p := range takes {
		for _, f := range fields(t) {
			if f.name != p.name {
				continue
			}
			if p.text != "" {
				f.text = p.text
			}
			f.number = p.number
			out = append(out, f)
		}
	}
	return out
}

// inputSchema describes the parameters that a tool takes.
func inputSchema(t reflect.Type, takes []param) json.RawMessage {
	return schema(taken(t, takes), func(f field) map[string]any {
		out := map[string]any{"type": jsonType(f.kind)}
		if f.number {
			out["type"] = []string{jsonType(f.kind), "integer"}
		}
		if f.text != "" {
			out["description"] = f.text
		}
		if f.kind.Kind() == reflect.Slice {
			out["items"] = map[string]any{"type": jsonType(f.kind.Elem())}
		}
		return out
	})
}

// outputSchema describes a result one level deep: enough to find one's way, at a
// price that every conversation can pay.
func outputSchema(t reflect.Type) json.RawMessage {
	return schema(fields(t), func(f field) map[string]any { return map[string]any{"type": jsonType(f.kind)} })
}

// schema writes an object schema whose properties keep the order of the fields.
func schema(members []field, property func(field) map[string]any) json.RawMessage {
	var out bytes.Buffer
	var required []string
	out.WriteString(`{"type":"object","properties":{`)
	for i, f := range members {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(plain(f.name))
		out.WriteByte(':')
		out.Write(plain(property(f)))
		if f.required {
			required = append(required, f.name)
		}
	}
	out.WriteByte('}')
	if len(required) > 0 {
		out.WriteString(`,"required":`)
		out.Write(plain(required))
	}
	out.WriteByte('}')
	return out.Bytes()
}

// plain encodes strings, and maps and lists of them, which cannot fail.
func plain(v any) []byte {
	out, _ := json.Marshal(v)
	return out
}

// jsonType names the JSON type of a Go type.
func jsonType(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[time.Time]() {
		return "string"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	}
	return "string"
}
