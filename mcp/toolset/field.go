package toolset

import (
	"bytes"
	"encoding"
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
		// Members of an embedded struct without a name are listed as those of the outer one.
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
		out.Write(encodePlain(f.name))
		out.WriteByte(':')
		out.WriteString(f.outputSchema())
		// A failure has a structured content of its own, which clients check against this schema as well.
		if f.required && t.Failure == nil {
			required = append(required, f.name)
		}
	}
	out.WriteByte('}')
	if len(required) > 0 {
		out.WriteString(`,"required":`)
		out.Write(encodePlain(required))
	}
	out.WriteByte('}')
	return out.Bytes()
}

// outputSchema says which JSON the member may be.
func (f field) outputSchema() string {
	name := jsonType(f.kind)
	switch {
	case name == "":
		return `{}`
	// Such a member is null where there is no value.
	case f.kind.Kind() == reflect.Pointer && f.required:
		return `{"type":["` + name + `","null"]}`
	}
	return `{"type":"` + name + `"}`
}

// encodePlain encodes a list of strings, or one, which cannot fail.
func encodePlain(v any) []byte {
	out, _ := json.Marshal(v)
	return out
}

// jsonType returns the JSON type of the values of a Go type, "" if that is known only of each value: an interface, or a
// type that encodes itself.
func jsonType(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[time.Time]() {
		return "string"
	}
	// encoding/json calls methods of the pointer, too, where it has one.
	encodes := func(i reflect.Type) bool { return t.Implements(i) || reflect.PointerTo(t).Implements(i) }
	if t.Kind() == reflect.Interface || encodes(reflect.TypeFor[json.Marshaler]()) {
		return ""
	}
	if encodes(reflect.TypeFor[encoding.TextMarshaler]()) {
		return "string"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "integer"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.String:
		return "string"
	case reflect.Slice, reflect.Array:
		// encoding/json writes bytes in base64.
		if t.Elem().Kind() == reflect.Uint8 {
			return "string"
		}
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	}
	return ""
}

// withoutNulls returns a result with an empty list or object in each member that is nil and always present: its schema
// has no null there, and clients that validate would refuse the reply.
func withoutNulls[R any](result R) R {
	v := reflect.ValueOf(&result).Elem()
	if v.Kind() != reflect.Struct {
		return result
	}
	for _, f := range fields(v.Type()) {
		member, err := v.FieldByIndexErr(f.index)
		// A nil embedded pointer has no members to fill in.
		if err != nil || !f.required || !member.CanSet() {
			continue
		}
		switch {
		case member.Kind() == reflect.Slice && member.IsNil():
			member.Set(reflect.MakeSlice(member.Type(), 0, 0))
		case member.Kind() == reflect.Map && member.IsNil():
			member.Set(reflect.MakeMap(member.Type()))
		}
	}
	return result
}
