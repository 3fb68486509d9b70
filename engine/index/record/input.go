package record

import (
	"encoding/binary"
	"math"
	"reflect"
)

// input reads values from bytes; failed is set where they have another format.
type input struct {
	data   string
	at     int
	failed bool
}

func (in *input) uvarint() uint64 {
	var v uint64
	for shift := 0; in.at < len(in.data) && shift < 64; shift += 7 {
		c := in.data[in.at]
		in.at++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
	in.fail()
	return 0
}

// varint reads a signed number: zigzag, as encoding/binary writes it.
func (in *input) varint() int64 {
	v := in.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// length reads the length of a list or text; each of its parts takes at least one byte.
func (in *input) length() int {
	n := in.uvarint()
	if n > uint64(len(in.data)-in.at) {
		in.fail()
		return 0
	}
	return int(n)
}

func (in *input) byte() byte {
	if in.at == len(in.data) {
		in.fail()
		return 0
	}
	in.at++
	return in.data[in.at-1]
}

func (in *input) fail() { in.failed, in.at = true, len(in.data) }

// value reads what appendValue wrote.
func (in *input) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		n := in.length()
		v.SetString(in.data[in.at : in.at+n])
		in.at += n
	case reflect.Bool:
		v.SetBool(in.byte() == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(in.varint())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(in.uvarint())
	case reflect.Float32, reflect.Float64:
		if len(in.data)-in.at < 8 {
			in.fail()
			return
		}
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64([]byte(in.data[in.at : in.at+8]))))
		in.at += 8
	case reflect.Pointer:
		if in.byte() == 1 {
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
		for i := in.uvarint(); i != 0; i = in.uvarint() {
			if i > uint64(v.NumField()) {
				in.fail()
				return
			}
			in.value(v.Field(int(i) - 1))
		}
	default:
		in.fail()
	}
}

func (in *input) slice(v reflect.Value) {
	n := in.uvarint()
	if n == 0 {
		return
	}
	if n--; n > uint64(len(in.data)-in.at) {
		in.fail()
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), int(n), int(n)))
	for i := range v.Len() {
		in.value(v.Index(i))
	}
}

func (in *input) mapping(v reflect.Value) {
	n := in.uvarint()
	if n == 0 {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for ; n > 1 && !in.failed; n-- {
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		in.value(key)
		in.value(elem)
		v.SetMapIndex(key, elem)
	}
}
