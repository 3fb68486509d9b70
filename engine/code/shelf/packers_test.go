package shelf

import (
	"bytes"
	"reflect"
	"testing"

	"chant/engine/code/chunk"
	"chant/engine/code/outline"

	"chant/engine/search/find"
)

// FuzzUnpack reads bytes as each of what the index stores: nothing panics, and what is read is read back from its bytes.
func FuzzUnpack(f *testing.F) {
	o := outline.Outline{Language: "go", Chunks: []chunk.Chunk{{Kind: chunk.Function, Symbols: []string{"a"}, Start: 1, End: 9, StartLine: 1, EndLine: 2}}}
	packed, err := new(packer).pack(o)
	if err != nil {
		f.Fatal(err)
	}
	if back, ok := new(unpacker).unpack(packed); !ok || !reflect.DeepEqual(back, o) {
		f.Fatalf("unpacked %+v", back)
	}
	f.Add(packed)
	f.Add(trainedModel{docs: 7}.bytes())
	b := find.NewBuilder(Fields())
	b.Add(Doc{Chunk: 3, Docs: true}.key(), make([]string, len(Fields()))...)
	segment, err := b.Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(segment)
	f.Fuzz(func(t *testing.T, data []byte) {
		if o, ok := new(unpacker).unpack(data); ok {
			again, err := new(packer).pack(o)
			if back, ok := new(unpacker).unpack(again); err != nil || !ok || !reflect.DeepEqual(back, o) {
				t.Errorf("%+v is read back as %+v: %v", o, back, err)
			}
		}
		if l := openTrained(data); l.docs < 0 || !bytes.Equal(openTrained(l.bytes()).bytes(), l.bytes()) {
			t.Errorf("%d documents", l.docs)
		}
		if p, ok := openPart(1, data); ok && len(p.Docs) != p.Segment.Len() {
			t.Errorf("%d documents of %d", len(p.Docs), p.Segment.Len())
		}
	})
}
