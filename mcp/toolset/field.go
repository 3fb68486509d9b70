package toolset

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
	limits   string // from the schema tag
	required bool
	index    []int
	kind     reflect.Type
}

// fields lists the JSON members of a struct in order, including those of embedded structs.
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
			name: name, text: f.Tag.Get("jsonschema"), limits: f.Tag.Get("schema"), index: f.Index, kind: f.Type,
			required: !strings.Contains(rest, "omit"),
		})
	}
	return out
}

// OutputSchema describes the result one level deep: enough for orientation, and short, since every conversation
// contains it. Where failures have a structured content of their own, nothing is required: clients such as those of the
// TypeScript SDK check that, too.
func (t Tool) OutputSchema() json.RawMessage {
	if t.TextOnly {
		return nil
	}
	var out bytes.Buffer
	var required []string
	out.WriteString(`{"type":"object","properties":{`)
	for i, f := range fields(t.Op.Output) {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(plain(f.name))
		out.WriteString(`:{"type":`)
		if f.kind.Kind() == reflect.Pointer && f.required { // null where there is no value
			out.Write(plain([]string{jsonType(f.kind), "null"}))
		} else {
			out.Write(plain(jsonType(f.kind)))
		}
		out.WriteByte('}')
		if f.required && t.Failure == nil {
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

// plain encodes strings and lists of strings, which cannot fail.
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
