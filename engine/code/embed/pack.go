package embed

import (
	"encoding/binary"
	"iter"
	"math"
)

// Pack returns a vector for storage: its scale (float32, little-endian) and a signed byte for each dimension.
func Pack(v []float32) []byte {
	row := make([]int8, len(v))
	scale := quantise(row, v)
	out := binary.LittleEndian.AppendUint32(make([]byte, 0, PackedLen(len(v))), math.Float32bits(scale))
	for _, x := range row {
		out = append(out, byte(x))
	}
	return out
}

// PackedLen returns how many bytes a packed vector has.
func PackedLen(dim int) int { return 4 + dim }

// quantise rounds a vector to bytes and returns what they are to be multiplied by. Numbers that are none become 0.
func quantise(out []int8, v []float32) float32 {
	most := 0.0
	for _, x := range v {
		// An infinite number would make all others zero.
		if a := math.Abs(float64(x)); a > most && !math.IsInf(a, 0) {
			most = a
		}
	}
	if most == 0 {
		clear(out)
		return 0
	}
	for d, x := range v {
		y := math.Round(float64(x) / most * 127)
		// A number that is none is the only one that differs from itself.
		if y != y {
			y = 0
		}
		out[d] = int8(max(-127, min(127, y)))
	}
	return float32(most / 127)
}

// unpack sets out to a packed vector, and reports whether it is one of that length.
func unpack(out []float32, data []byte) bool {
	if len(data) != PackedLen(len(out)) {
		return false
	}
	scale := scaleOf(data)
	if !isScale(scale) {
		return false
	}
	for d, x := range data[4:] {
		out[d] = scale * float32(int8(x))
	}
	return true
}

// scaleOf returns the scale with which a packed vector begins.
func scaleOf(data []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(data)) }

// isScale reports whether a vector may have that scale.
func isScale(x float32) bool { return x >= 0 && x <= math.MaxFloat32/256 }

// chunksOf divides bytes into pieces of the same length.
func chunksOf(data []byte, size int) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for i := 0; (i+1)*size <= len(data); i++ {
			if !yield(i, data[i*size:(i+1)*size]) {
				return
			}
		}
	}
}
