package record

import (
	"math"
	"reflect"
)

// input reads values from a text; it has failed where that has another format.
type input struct{ Reader[string] }

// value reads what appendValue wrote.
func (in *input) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(in.Text())
	case reflect.Bool:
		v.SetBool(in.Byte() == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(in.Varint())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(in.Uvarint())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Float64frombits(in.Uint64()))
	case reflect.Pointer:
		if in.Byte() == 1 {
			// A pointer to a zero value is filled in, for callers that have allocated it with others.
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			in.value(v.Elem())
		}
	case reflect.Slice:
		in.slice(v)
	case reflect.Map:
		in.mapping(v)
	case reflect.Struct:
		for i := in.Uvarint(); i != 0; i = in.Uvarint() {
			// A number beyond the fields is of another type: the format has changed, or the bytes are broken.
			if i > uint64(v.NumField()) {
				in.Fail()
				return
			}
			in.value(v.Field(int(i) - 1))
		}
	default:
		in.Fail()
	}
}

func (in *input) slice(v reflect.Value) {
	n := in.Uvarint()
	if n == 0 {
		return
	}
	// Each element takes a byte at least; a greater number is broken and must not become an allocation.
	if n--; n > uint64(in.Len()) {
		in.Fail()
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), int(n), int(n)))
	for i := range v.Len() {
		in.value(v.Index(i))
	}
}

func (in *input) mapping(v reflect.Value) {
	n := in.Uvarint()
	if n == 0 {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	// The stored length is one more than that of the map, as for lists.
	for ; n > 1 && !in.Failed(); n-- {
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		in.value(key)
		in.value(elem)
		v.SetMapIndex(key, elem)
	}
}
