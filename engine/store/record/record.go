// Package record writes Go values as few bytes and reads them back exactly: nil and empty lists stay apart, and no tag
// or method of a type is asked. It is for what one program stores for itself; a value can be read only with the type
// that it was written with, which Format identifies.
//
// # Decisions
//
// 2026-11-23: our own code. Rejected: fxamacker/cbor, encoding/json and msgpack, which follow the json tags of a type
// and therefore drop keys that only results leave out, and empty lists; and encoding/gob, which writes the type into
// every value.
package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
)

// ErrFormat means that bytes are not a value of the type.
var ErrFormat = errors.New("the bytes are not a record of this type")

// Encode writes a value. It panics for a type that has parts which cannot be stored: channels, functions, interfaces
// and unexported fields.
func Encode(v any) []byte { return appendValue(nil, reflect.ValueOf(v)) }

// Decode reads what Encode wrote into a variable that is zero, or has pointers to zero values, which are then filled in.
// The texts in it are parts of data.
func Decode(data string, into any) error {
	in := input{Read(data)}
	in.value(reflect.ValueOf(into).Elem())
	// Bytes that are left over mean another type as much as missing ones.
	if in.Failed() || in.Len() > 0 {
		return ErrFormat
	}
	return nil
}

// Format returns a short text that changes with the type.
func Format(v any) string {
	var b strings.Builder
	describe(&b, reflect.TypeOf(v), nil)
	sum := fnv.New64a()
	sum.Write([]byte(b.String())) // writing to a hash cannot fail
	return fmt.Sprintf("%016x", sum.Sum64())
}

func describe(b *strings.Builder, t reflect.Type, above []reflect.Type) {
	fmt.Fprintf(b, "%s ", t.Kind())
	// A type that contains itself would be described without end.
	if slices.Contains(above, t) {
		return
	}
	above = append(above, t)
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			b.WriteString(t.Field(i).Name + " ")
			describe(b, t.Field(i).Type, above)
		}
	case reflect.Map:
		describe(b, t.Key(), above)
		describe(b, t.Elem(), above)
	case reflect.Pointer, reflect.Slice:
		describe(b, t.Elem(), above)
	}
	b.WriteString("; ")
}

// appendValue writes a value: numbers and lengths as varints, a list as its length plus one (0 is nil), a struct as the
// numbers of its fields that are not zero, each before its value, with 0 at the end.
func appendValue(out []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return append(binary.AppendUvarint(out, uint64(v.Len())), v.String()...)
	case reflect.Bool:
		if v.Bool() {
			return append(out, 1)
		}
		return append(out, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(out, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(out, v.Uint())
	case reflect.Float32, reflect.Float64:
		return binary.LittleEndian.AppendUint64(out, math.Float64bits(v.Float()))
	case reflect.Pointer:
		if v.IsNil() {
			return append(out, 0)
		}
		return appendValue(append(out, 1), v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return append(out, 0)
		}
		out = binary.AppendUvarint(out, uint64(v.Len())+1)
		for i := range v.Len() {
			out = appendValue(out, v.Index(i))
		}
		return out
	case reflect.Map:
		return appendMap(out, v)
	case reflect.Struct:
		for i := range v.NumField() {
			// A field that is not stored would be lost without a sign, so the programmer hears of it at the first record.
			if !v.Type().Field(i).IsExported() {
				panic(fmt.Sprintf("record: %s has the unexported field %s", v.Type(), v.Type().Field(i).Name))
			}
			if !v.Field(i).IsZero() {
				out = appendValue(binary.AppendUvarint(out, uint64(i)+1), v.Field(i))
			}
		}
		return append(out, 0)
	}
	panic(fmt.Sprintf("record: a %s cannot be stored", v.Type()))
}

func appendMap(out []byte, v reflect.Value) []byte {
	if v.IsNil() {
		return append(out, 0)
	}
	out = binary.AppendUvarint(out, uint64(v.Len())+1)
	// Equal maps must become equal bytes, and the order of a Go map changes.
	pairs := map[string][]byte{}
	for it := v.MapRange(); it.Next(); {
		pairs[string(appendValue(nil, it.Key()))] = appendValue(nil, it.Value())
	}
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		out = append(append(out, key...), pairs[key]...)
	}
	return out
}
