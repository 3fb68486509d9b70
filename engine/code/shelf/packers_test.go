package shelf

import (
	"bytes"
	"testing"

	"chant/engine/code/chunk"
	"chant/engine/code/outline"

	"chant/engine/search/find"

	"github.com/alecthomas/assert/v2"
)

// FuzzUnpack reads bytes as each of what the index stores: nothing panics, and what is read is read back from its bytes.
func FuzzUnpack(f *testing.F) {
	o := outline.Outline{Language: "go", Chunks: []chunk.Chunk{{Kind: chunk.Function, Symbols: []string{"a"}, Start: 1, End: 9, StartLine: 1, EndLine: 2}}}
	packed, err := new(packer).pack(o)
	assert.NoError(f, err)
	back, ok := new(unpacker).unpack(packed)
	assert.True(f, ok, "unpacked %+v", back)
	assert.Equal(f, o, back)
	f.Add(packed)
	f.Add(trainedModel{docs: 7}.bytes())
	b := find.NewBuilder(Fields())
	b.Add(Doc{Chunk: 3, Docs: true}.key(), make([]string, len(Fields()))...)
	segment, err := b.Bytes()
	assert.NoError(f, err)
	f.Add(segment)
	f.Fuzz(func(t *testing.T, data []byte) {
		if o, ok := new(unpacker).unpack(data); ok {
			again, err := new(packer).pack(o)
			back, ok := new(unpacker).unpack(again)
			assert.NoError(t, err)
			assert.True(t, ok, "%+v is read back as %+v: %v", o, back, err)
			assert.Equal(t, o, back)
		}
		if l := openTrained(data); l.docs < 0 || !bytes.Equal(openTrained(l.bytes()).bytes(), l.bytes()) {
			t.Errorf("%d documents", l.docs)
		}
		if p, ok := openPart(1, data); ok && len(p.Docs) != p.Segment.Len() {
			t.Errorf("%d documents of %d", len(p.Docs), p.Segment.Len())
		}
	})
}
