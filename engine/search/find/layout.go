package find

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// A segment consists of these parts, with numbers in little-endian order and as varints where "uvarint" is said:
//
//	"find", version (1 byte)
//	number of fields (1 byte), and for each its name (1 byte of length, text) and its sum of lengths (uvarint)
//	uvarints: documents, entries of the dictionary, bytes of keys, of the dictionary's blocks, of postings, of uses
//	for each document, the end of its key (uint32)
//	keys
//	for each field, the lengths of all documents in words (uint16, at most 65535)
//	for each block of the dictionary, its start (uint32)
//	blocks, see dictionary.go
//	postings, see postings.go
//	uses, see uses.go
//	CRC-32C of all that (uint32)
const (
	magic     = "find"
	version   = 2 // also raised when texts are read differently, so that old segments are not searched by new rules
	maxFields = 8
	blockSize = 16 // entries of a block of the dictionary
)

// parts is a segment before its parts are joined.
type parts struct {
	fields   []string
	totals   []uint64
	keyEnds  []uint32
	keys     []byte
	lengths  [][]uint16 // of each field
	entries  int
	starts   []uint32
	blocks   []byte
	postings []byte
	uses     []byte
}

// join returns the bytes of a segment. It fails if a part is too large for its offsets.
func (p *parts) join() ([]byte, error) {
	for _, n := range []int{len(p.keys), len(p.blocks), len(p.postings), len(p.uses), len(p.keyEnds), p.entries} {
		if n > math.MaxInt32 {
			return nil, ErrTooLarge
		}
	}
	size := len(magic) + 64 + maxFields*(256+binary.MaxVarintLen64) + 4*len(p.keyEnds) + len(p.keys) +
		2*len(p.fields)*len(p.keyEnds) + 4*len(p.starts) + len(p.blocks) + len(p.postings) + len(p.uses)
	out := make([]byte, 0, size)
	out = append(out, magic...)
	out = append(out, version, byte(len(p.fields)))
	for f, name := range p.fields {
		out = append(out, byte(len(name)))
		out = append(out, name...)
		out = binary.AppendUvarint(out, p.totals[f])
	}
	for _, n := range []int{len(p.keyEnds), p.entries, len(p.keys), len(p.blocks), len(p.postings), len(p.uses)} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	for _, end := range p.keyEnds {
		out = binary.LittleEndian.AppendUint32(out, end)
	}
	out = append(out, p.keys...)
	for _, lengths := range p.lengths {
		for _, n := range lengths {
			out = binary.LittleEndian.AppendUint16(out, n)
		}
	}
	for _, start := range p.starts {
		out = binary.LittleEndian.AppendUint32(out, start)
	}
	out = append(out, p.blocks...)
	out = append(out, p.postings...)
	out = append(out, p.uses...)
	return binary.LittleEndian.AppendUint32(out, checksum(out)), nil
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

func capLength(n uint64) uint16 { return uint16(min(n, math.MaxUint16)) }
