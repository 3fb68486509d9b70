package console

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strings"

	"chant/providers/text"
)

// longList is from how many elements on a list of a result is written one element at a time, so that the memory that
// writing takes does not grow with it.
const longList = 64

// WriteJSON writes a value as JSON with a newline at its end; without an indent it is one line.
func WriteJSON(w io.Writer, value any, indent string) error {
	if v := reflect.ValueOf(value); indent != "" && hasLongList(v) {
		return writeFields(w, v, indent)
	}
	out, err := text.JSON(value, indent)
	if err != nil {
		return err
	}
	_, err = w.Write(append(out, '\n'))
	return err
}

// hasLongList reports whether a value is a struct that encoding/json writes field by field, and has a long list.
func hasLongList(v reflect.Value) bool {
	if v.Kind() != reflect.Struct {
		return false
	}
	long := false
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous || !f.IsExported() {
			return false
		}
		long = long || v.Field(i).Kind() == reflect.Slice && v.Field(i).Len() >= longList
	}
	_, own := v.Interface().(json.Marshaler)
	return long && !own
}

// writeFields writes a struct as encoding/json does, long lists one element at a time.
func writeFields(w io.Writer, v reflect.Value, indent string) error {
	out := bufio.NewWriter(w)
	begin := "{\n"
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if name == "-" || isLeftOut(v.Field(i), strings.Split(options, ",")) {
			continue
		}
		if name == "" {
			name = v.Type().Field(i).Name
		}
		key, err := text.JSON(name, "")
		if err != nil {
			return err
		}
		out.WriteString(begin + indent + string(key) + ": ") // a failure is reported by Flush
		if err := writeValue(out, v.Field(i), indent); err != nil {
			return err
		}
		begin = ",\n"
	}
	out.WriteString("\n}\n")
	return out.Flush()
}

// isLeftOut reports whether a field with these options of its tag is left out.
func isLeftOut(v reflect.Value, options []string) bool {
	if slices.Contains(options, "omitzero") && v.IsZero() {
		return true
	}
	if !slices.Contains(options, "omitempty") {
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// writeValue writes the value of a field.
func writeValue(out *bufio.Writer, v reflect.Value, indent string) error {
	var buffer bytes.Buffer
	encode := func(value any, prefix string) error {
		buffer.Reset()
		enc := json.NewEncoder(&buffer)
		enc.SetEscapeHTML(false)
		enc.SetIndent(prefix, indent)
		if err := enc.Encode(value); err != nil {
			return err
		}
		out.Write(bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))) // a failure is reported by Flush
		return nil
	}
	if v.Kind() != reflect.Slice || v.Len() < longList || v.Type().Elem().Kind() == reflect.Uint8 {
		return encode(v.Interface(), indent)
	}
	for i := range v.Len() {
		begin := ",\n"
		if i == 0 {
			begin = "[\n"
		}
		out.WriteString(begin + indent + indent)
		if err := encode(v.Index(i).Interface(), indent+indent); err != nil {
			return err
		}
	}
	out.WriteString("\n" + indent + "]")
	return nil
}
