package embed

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"math"

	"chant/engine/store/record"
)

// ErrBroken is the error for bytes that are not a model, or not a whole one.
var ErrBroken = errors.New("broken model")

// A model consists of these parts:
//
//	"embd", version (1 byte)
//	uvarints: dimension, number of words
//	for each word in order: bytes that it shares with the word before, length of the rest (1 byte each), the rest
//	for each word: its scale (float32, little-endian)
//	for each word: its row (a signed byte for each dimension)
//	CRC-32C of all that (uint32, little-endian)
const (
	magic   = "embd"
	version = 1
	maxDim  = 4096
)

// model returns what was learned. Rows are rounded to bytes, so that a model is the same before and after it is stored.
func (t *trainer) model() *Model {
	m := &Model{dim: t.Dim, words: t.words, table: make([]int8, len(t.table)), scales: make([]float32, len(t.words))}
	for w := range t.words {
		m.scales[w] = quantise(m.table[w*t.Dim:][:t.Dim], t.table[w*t.Dim:][:t.Dim])
	}
	// The model gets its name from its bytes, so that the one that is read back has the same name.
	m.finish(m.Bytes())
	return m
}

func (m *Model) finish(data []byte) {
	m.numbers = make(map[string]int32, len(m.words))
	for i, w := range m.words {
		m.numbers[w] = int32(i)
	}
	h := fnv.New64a()
	h.Write(data)
	m.id = "static-" + hex.EncodeToString(h.Sum(nil))
}

// Bytes returns the model for storage.
func (m *Model) Bytes() []byte {
	out := make([]byte, 0, len(m.table)+len(m.words)*14+32)
	out = append(append(out, magic...), version)
	out = binary.AppendUvarint(out, uint64(m.dim))
	out = binary.AppendUvarint(out, uint64(len(m.words)))
	before := ""
	for _, w := range m.words {
		n := shared(before, w)
		out = append(append(out, byte(n), byte(len(w)-n)), w[n:]...)
		before = w
	}
	for _, s := range m.scales {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(s))
	}
	for _, x := range m.table {
		out = append(out, byte(x))
	}
	return binary.LittleEndian.AppendUint32(out, checksum(out))
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Open returns the model in data, which it does not keep.
func Open(data []byte) (*Model, error) {
	if len(data) < len(magic)+1+4 || string(data[:len(magic)]) != magic || data[len(magic)] != version {
		return nil, fmt.Errorf("%w: it does not begin like one of this version", ErrBroken)
	}
	body := data[:len(data)-4]
	// The bytes are checked before anything is allocated for them.
	if checksum(body) != binary.LittleEndian.Uint32(data[len(body):]) {
		return nil, fmt.Errorf("%w: the checksum differs", ErrBroken)
	}
	m, err := read(body[len(magic)+1:])
	if err != nil {
		return nil, err
	}
	m.finish(data)
	return m, nil
}

func read(body []byte) (*Model, error) {
	r := record.Read(body)
	dim, count := r.Uvarint(), r.Uvarint()
	// Each word takes at least six bytes and a row, so a greater number is broken.
	if r.Failed() || dim == 0 || dim > maxDim || count > uint64(len(body))/(6+dim) {
		return nil, fmt.Errorf("%w: its header is wrong", ErrBroken)
	}
	m := &Model{dim: int(dim), words: make([]string, count), scales: make([]float32, count)}
	before := ""
	for i := range m.words {
		n, rest := int(r.Byte()), r.Take(uint64(r.Byte()))
		if n > len(before) {
			return nil, fmt.Errorf("%w: its words are wrong", ErrBroken)
		}
		m.words[i] = before[:n] + string(rest)
		// Words are written in order, each by what it shares with the last one.
		if i > 0 && m.words[i] <= before {
			return nil, fmt.Errorf("%w: its words are not in order", ErrBroken)
		}
		before = m.words[i]
	}
	for i, b := range chunksOf(r.Take(4*count), 4) {
		m.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		// Written so that NaN is refused too, and no product with a byte overflows.
		if s := m.scales[i]; s < 0 || s != s || s > math.MaxFloat32/256 {
			return nil, fmt.Errorf("%w: a scale is wrong", ErrBroken)
		}
	}
	table := r.Take(count * dim)
	if r.Failed() || r.Len() > 0 {
		return nil, fmt.Errorf("%w: its parts have wrong lengths", ErrBroken)
	}
	m.table = make([]int8, len(table))
	for i, x := range table {
		m.table[i] = int8(x)
	}
	return m, nil
}
