package console

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

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
	if v.Kind() != reflect.Slice || v.Len() < longList || v.Type().Elem().Kind() == reflect.Uint8 {
		var one bytes.Buffer
		enc := json.NewEncoder(&one)
		enc.SetEscapeHTML(false)
		enc.SetIndent(indent, indent)
		if err := enc.Encode(v.Interface()); err != nil {
			return err
		}
		out.Write(bytes.TrimSuffix(one.Bytes(), []byte("\n"))) // a failure is reported by Flush
		return nil
	}
	return writeList(out, v, indent)
}

// writeList writes a list in parts, which are encoded side by side.
func writeList(out *bufio.Writer, list reflect.Value, indent string) error {
	const part = 2 * longList
	buffers := make([]bytes.Buffer, runtime.GOMAXPROCS(0))
	errs := make([]error, len(buffers))
	for at := 0; at < list.Len(); {
		var wg sync.WaitGroup
		for i := range buffers {
			from, to := at, min(at+part, list.Len())
			buffers[i].Reset()
			wg.Go(func() { errs[i] = encodePart(&buffers[i], list, from, to, indent) })
			at = to
		}
		wg.Wait()
		for i := range buffers {
			if errs[i] != nil {
				return errs[i]
			}
			out.Write(buffers[i].Bytes()) // a failure is reported by Flush
		}
	}
	out.WriteString("\n" + indent + "]")
	return nil
}

// encodePart writes some elements of a list, each after what separates it from the one before.
func encodePart(out *bytes.Buffer, list reflect.Value, from, to int, indent string) error {
	var element bytes.Buffer
	enc := json.NewEncoder(&element)
	enc.SetEscapeHTML(false)
	for i := from; i < to; i++ {
		begin := ",\n"
		if i == 0 {
			begin = "[\n"
		}
		out.WriteString(begin + indent + indent)
		element.Reset()
		if err := enc.Encode(list.Index(i).Addr().Interface()); err != nil {
			return err
		}
		out.Write(appendIndented(out.AvailableBuffer(), bytes.TrimSuffix(element.Bytes(), []byte("\n")), indent+indent, indent))
	}
	return nil
}
