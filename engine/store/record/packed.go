package record

// This file reads numbers and texts that were written one after another: varints and lengths as encoding/binary writes
// them. Data may be cut off or broken; then reading fails, and never panics.
//
// Decisions:
//
// 2026-11-23: one reader for pages of the index, records and segments, which had three. Rejected: encoding/binary
// alone, which works on []byte only, so that each text of a record would be copied.

// Reader reads values from a text or from bytes. What it returns of them is part of them and not copied. After a
// failure it returns zeros, and nothing is left.
type Reader[T string | []byte] struct {
	data   T
	at     int // what was read; a slice of the rest would be slower, because each step would write a pointer
	failed bool
}

// Read returns a reader of data.
func Read[T string | []byte](data T) Reader[T] { return Reader[T]{data: data} }

// Rest returns what was not read.
func (r *Reader[T]) Rest() T { return r.data[r.at:] }

// Len returns how many bytes were not read.
func (r *Reader[T]) Len() int { return len(r.data) - r.at }

// Failed reports whether a value was not there, or Fail was called.
func (r *Reader[T]) Failed() bool { return r.failed }

// Fail makes everything that follows fail too.
func (r *Reader[T]) Fail() { r.at, r.failed = len(r.data), true }

// Uvarint reads an unsigned number.
func (r *Reader[T]) Uvarint() uint64 {
	var v uint64
	for shift := 0; r.at < len(r.data) && shift < 64; shift += 7 {
		c := r.data[r.at]
		r.at++
		// The tenth byte may only have one bit, or the number would exceed 64 of them.
		if c < 0x80 && (shift < 63 || c <= 1) {
			return v | uint64(c)<<shift
		}
		v |= uint64(c&0x7f) << shift
	}
	r.Fail()
	return 0
}

// Varint reads a signed number.
func (r *Reader[T]) Varint() int64 {
	v := r.Uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// Byte reads one byte.
func (r *Reader[T]) Byte() byte {
	if r.at == len(r.data) {
		r.Fail()
		return 0
	}
	r.at++
	return r.data[r.at-1]
}

// Take reads n bytes.
func (r *Reader[T]) Take(n uint64) T {
	// The lengths come from data that may be broken, so each is compared before anything is allocated or cut.
	if n > uint64(len(r.data)-r.at) {
		r.Fail()
		n = 0
	}
	from := r.at
	r.at += int(n)
	return r.data[from:r.at]
}

// Text reads a length and as many bytes.
func (r *Reader[T]) Text() T { return r.Take(r.Uvarint()) }

// Uint64 reads a number of 8 bytes, the lowest first.
func (r *Reader[T]) Uint64() uint64 {
	if len(r.data)-r.at < 8 {
		r.Fail()
		return 0
	}
	var v uint64
	for i := range 8 {
		v |= uint64(r.data[r.at+i]) << (8 * i)
	}
	r.at += 8
	return v
}
