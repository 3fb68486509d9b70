package model2vec

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

var errBroken = errors.New("the file is broken")

// tensor is an array of numbers.
type tensor struct {
	kind  string // F32, I64 and so on
	shape []int
	data  []byte
}

// readTensors reads a file of safetensors: the length of a header in JSON (8 bytes), the header, and the numbers.
func readTensors(src []byte) (map[string]tensor, error) {
	if len(src) < 8 {
		return nil, errBroken
	}
	length, rest := binary.LittleEndian.Uint64(src), src[8:]
	if length > uint64(len(rest)) {
		return nil, errBroken
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(rest[:length], &header); err != nil {
		return nil, errBroken
	}
	data, all := rest[length:], map[string]tensor{}
	for name, entry := range header {
		if name == "__metadata__" {
			continue
		}
		var e struct {
			Kind    string   `json:"dtype"`
			Shape   []int    `json:"shape"`
			Offsets []uint64 `json:"data_offsets"`
		}
		if json.Unmarshal(entry, &e) != nil || len(e.Offsets) != 2 || e.Offsets[0] > e.Offsets[1] || e.Offsets[1] > uint64(len(data)) {
			return nil, errBroken
		}
		t := tensor{e.Kind, e.Shape, data[e.Offsets[0]:e.Offsets[1]]}
		if !t.isWhole() {
			return nil, fmt.Errorf("%w: %q of %s has %d bytes", errBroken, name, e.Kind, len(t.data))
		}
		all[name] = t
	}
	return all, nil
}

func sizeOf(kind string) int {
	switch kind {
	case "F64", "I64":
		return 8
	case "F32", "I32":
		return 4
	case "F16", "BF16":
		return 2
	case "I8", "U8":
		return 1
	}
	return 0
}

// isWhole reports whether there are as many bytes as the shape says. Those of unknown kinds are not counted.
func (t tensor) isWhole() bool {
	size := sizeOf(t.kind)
	if size == 0 {
		return true
	}
	if slices.Contains(t.shape, 0) {
		return len(t.data) == 0
	}
	for _, n := range t.shape {
		if n < 0 || size > len(t.data)/n {
			return false
		}
		size *= n
	}
	return size == len(t.data)
}

func (t tensor) floats() ([]float32, error) {
	size := sizeOf(t.kind)
	if size == 0 || t.kind == "I64" || t.kind == "I32" || t.kind == "U8" {
		return nil, fmt.Errorf("numbers of the type %q are not known (use F16, F32, F64 or I8)", t.kind)
	}
	out := make([]float32, len(t.data)/size)
	for i := range out {
		b := t.data[i*size:]
		switch t.kind {
		case "F64":
			out[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		case "F32":
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		case "F16":
			out[i] = half(binary.LittleEndian.Uint16(b))
		case "BF16":
			out[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16)
		case "I8":
			out[i] = float32(int8(b[0]))
		}
	}
	return out, nil
}

// half returns a number of 16 bits.
func half(h uint16) float32 {
	sign, exponent, fraction := float64(1), int(h>>10&31), float64(h&1023)
	if h>>15 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return float32(sign * math.Ldexp(fraction, -24))
	case 31:
		if fraction > 0 {
			return float32(math.NaN())
		}
		return float32(math.Inf(int(sign)))
	}
	return float32(sign * math.Ldexp(1024+fraction, exponent-25))
}

func (t tensor) integers() ([]int32, error) {
	size := sizeOf(t.kind)
	if t.kind != "I64" && t.kind != "I32" {
		return nil, fmt.Errorf("integers of the type %q are not known (use I32 or I64)", t.kind)
	}
	out := make([]int32, len(t.data)/size)
	for i := range out {
		n := int64(int32(binary.LittleEndian.Uint32(t.data[i*size:])))
		if size == 8 {
			n = int64(binary.LittleEndian.Uint64(t.data[i*size:]))
		}
		if n < 0 || n > math.MaxInt32 {
			return nil, errBroken
		}
		out[i] = int32(n)
	}
	return out, nil
}
