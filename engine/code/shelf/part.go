package shelf

import (
	"encoding/binary"

	"chant/engine/code/corpus"
	"chant/engine/search/find"
)

// Part is a segment with what belongs to its documents.
type Part struct {
	ID      int64
	Segment *find.Segment
	Docs    []Doc  // of the segment, by their numbers
	Model   string // which model has made the vectors; "" if there are none
	Vectors []byte // of the documents, in the format of the model
	size    int
}

// Doc names the chunk that a document is.
type Doc struct {
	Unit  corpus.Unit
	Chunk int  // its number in the outline
	Docs  bool // it belongs to a file of documentation
	Empty bool // it stands for a file without chunks
}

// Flags of a document, below the number of the chunk.
const (
	isDocs  = 1
	isEmpty = 2
)

// key returns the key of a document.
func (d Doc) key() string {
	n := uint64(d.Chunk) << 2
	if d.Docs {
		n |= isDocs
	}
	if d.Empty {
		n |= isEmpty
	}
	return string(binary.AppendUvarint(append([]byte(nil), d.Unit[:]...), n))
}

// openPart reads a part; false if the data is not one.
func openPart(id int64, data []byte) (*Part, bool) {
	segment, err := find.Open(data)
	if err != nil {
		return nil, false
	}
	p := &Part{ID: id, Segment: segment, size: len(data), Docs: make([]Doc, segment.Len())}
	var key []byte
	for i := range p.Docs {
		key = segment.AppendKey(key[:0], uint32(i))
		if len(key) <= len(p.Docs[i].Unit) {
			return nil, false
		}
		n := copy(p.Docs[i].Unit[:], key)
		number, read := binary.Uvarint(key[n:])
		if read <= 0 || number > 1<<32 {
			return nil, false
		}
		p.Docs[i].Chunk, p.Docs[i].Docs, p.Docs[i].Empty = int(number>>2), number&isDocs != 0, number&isEmpty != 0
	}
	return p, true
}
