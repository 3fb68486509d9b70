package embed

import "encoding/binary"

// factor multiplies packed vectors by one vector of whole numbers, two of which are in each of its words, because one
// multiplication of words then makes two products and adds them: of a + b<<32 and y + x<<32, the upper half is ax + by,
// and what the lower half, ay, carries into it is known from ay itself.
type factor struct {
	words []uint64 // four for each eight numbers
	rest  []int32  // the numbers after the last eight
	extra int32    // what the product is too large by, since the bytes are multiplied without signs, 128 too large each
}

// newFactor returns the factor for numbers of wholeNumbers: these are so small that neither half exceeds 31 bits.
func newFactor(numbers []int32) factor {
	var f factor
	for ; len(numbers) >= 8; numbers = numbers[8:] {
		for i := range 4 {
			f.words = append(f.words, uint64(int64(numbers[i])<<32+int64(numbers[i+4])))
			f.extra += 128 * (numbers[i] + numbers[i+4])
		}
	}
	f.rest = numbers
	return f
}

// product returns the product of the signed bytes of a row and the numbers.
func (f *factor) product(row []byte) int32 {
	const (
		signs = 0x8080808080808080
		lanes = 0x000000ff000000ff
	)
	var s0, s1, s2, s3 uint64
	words := f.words
	for len(row) >= 8 && len(words) >= 4 {
		x, w := binary.LittleEndian.Uint64(row)^signs, (*[4]uint64)(words)
		s0 += (x & lanes) * w[0]
		s1 += (x >> 8 & lanes) * w[1]
		s2 += (x >> 16 & lanes) * w[2]
		s3 += (x >> 24 & lanes) * w[3]
		row, words = row[8:], words[4:]
	}
	sum := s0 + s1 + s2 + s3
	low := int64(int32(sum))
	total := int32((int64(sum)-low)>>32) - f.extra
	for i := range min(len(row), len(f.rest)) {
		total += int32(int8(row[i])) * f.rest[i]
	}
	return total
}
