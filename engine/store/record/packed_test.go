package record

import (
	"encoding/binary"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// FuzzReader: numbers are read as encoding/binary reads them, a text and bytes in the same way, and no data panics.
func FuzzReader(f *testing.F) {
	f.Add([]byte{})
	f.Add(binary.AppendVarint(binary.AppendUvarint(nil, 1<<63), -1<<63))
	f.Add(append([]byte{3}, "text and 8 bytes"...))
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		want, n := binary.Uvarint(data)
		r := Read(data)
		if got := r.Uvarint(); r.Failed() != (n <= 0) || n > 0 && (got != want || r.Len() != len(data)-n) {
			t.Errorf("%d, failed %v, %d left; want %d of %d bytes", got, r.Failed(), r.Len(), want, n)
		}
		signed, n := binary.Varint(data)
		r = Read(data)
		if got := r.Varint(); r.Failed() != (n <= 0) || n > 0 && got != signed {
			t.Errorf("%d, failed %v; want %d of %d bytes", got, r.Failed(), signed, n)
		}
		a, b := Read(data), Read(string(data))
		for !a.Failed() && a.Len() > 0 {
			x, y := string(a.Text()), b.Text()
			assert.Equal(t, y, x)
			if x, y := a.Byte(), b.Byte(); x != y {
				t.Errorf("%d of bytes, %d of a text", x, y)
			}
			rest := a.Rest()
			assert.False(t, len(rest) >= 8 && binary.LittleEndian.Uint64(rest) != b.Uint64(), "a fixed number of a text differs")
			assert.False(t, len(rest) < 8 && b.Uint64() != 0, "a fixed number of a text differs")
			a.Uint64()
		}
		if a.Failed() != b.Failed() || a.Len() != b.Len() {
			t.Errorf("%d bytes left, %v, and %d of a text, %v", a.Len(), a.Failed(), b.Len(), b.Failed())
		}
	})
}

// TestReader_afterFailure: nothing more is read.
func TestReader_afterFailure(t *testing.T) {
	t.Parallel()
	r := Read("\x05text")
	got := r.Text()
	assert.Equal(t, "", got)
	assert.True(t, r.Failed(), "%v", got)
	assert.Equal(t, 0, r.Len())
	assert.Equal(t, 0, r.Byte())
	assert.Equal(t, 0, r.Uvarint())
	assert.Equal(t, "", r.Take(0))
}
