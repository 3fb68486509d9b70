package find

import (
	"encoding/binary"

	"chant/engine/search/words"
	"chant/engine/store/record"
)

// The dictionary lists, in the order of their bytes, the stems that documents contain and the words as written that
// have these stems. Each block of 16 entries consists of
//
//	uvarints: where the postings of its first stem start, where the uses of its first word start, and the length of
//	the texts
//	texts: for each entry, how many bytes it shares with the one before, how many follow (1 byte each), and these
//	values: for each entry, uvarint 2 × number of documents + (1 if it is a word with another stem); if there are
//	documents, the length of their postings (uvarint); and if the word has another stem, how many entries that is
//	away (varint) and the length of its uses (uvarint)
//
// An entry can be both: a stem, and a word with another stem.

// entry is an entry of the dictionary.
type entry struct {
	docs     uint32 // that contain this stem; 0 if it is not one
	living   uint32 // of these, documents that are not gone, once countLiving has counted them
	postings []byte
	stem     int    // the entry with the stem of this word, or -1
	uses     []byte // of this word
}

// dictWriter writes entries, which it gets in order.
type dictWriter struct {
	entries       int
	starts        []uint32
	blocks        []byte
	texts, values []byte
	first         uint64 // where the postings of the block start
	postings      uint64 // length of all postings so far
	firstUse      uint64 // where the uses of the block start
	uses          uint64 // length of all uses so far
	last          []byte
}

// add writes an entry: how many documents have it as a stem, with postings of this length; and the number of the entry
// with its stem, or -1, and the length of its uses.
func (w *dictWriter) add(text string, docs uint32, postings, stem, uses int) {
	at := w.entries % blockSize
	// The first entry of a block shares nothing, so that a block can be read alone.
	if at == 0 {
		w.flush()
		w.first, w.firstUse = w.postings, w.uses
		w.last = w.last[:0]
	}
	shared := 0
	for shared < len(text) && shared < len(w.last) && text[shared] == w.last[shared] {
		shared++
	}
	w.texts = append(w.texts, byte(shared), byte(len(text)-shared))
	w.texts = append(w.texts, text[shared:]...)
	w.last = append(w.last[:shared], text[shared:]...)
	value := uint64(docs) << 1
	if stem >= 0 {
		value |= 1
	}
	w.values = binary.AppendUvarint(w.values, value)
	if docs > 0 {
		w.values = binary.AppendUvarint(w.values, uint64(postings))
		w.postings += uint64(postings)
	}
	if stem >= 0 {
		w.values = binary.AppendVarint(w.values, int64(stem-w.entries))
		w.values = binary.AppendUvarint(w.values, uint64(uses))
		w.uses += uint64(uses)
	}
	w.entries++
}

// flush completes the block that is being written.
func (w *dictWriter) flush() {
	if len(w.texts) == 0 {
		return
	}
	w.starts = append(w.starts, uint32(len(w.blocks)))
	w.blocks = binary.AppendUvarint(w.blocks, w.first)
	w.blocks = binary.AppendUvarint(w.blocks, w.firstUse)
	w.blocks = binary.AppendUvarint(w.blocks, uint64(len(w.texts)))
	w.blocks = append(w.blocks, w.texts...)
	w.blocks = append(w.blocks, w.values...)
	w.texts, w.values = w.texts[:0], w.values[:0]
}

// block is a block of the dictionary.
type block struct {
	size     int // entries
	postings uint64
	uses     uint64
	texts    []byte
	values   []byte
}

func (s *Segment) blockCount() int { return len(s.starts) / 4 }

func (s *Segment) block(n int) (block, error) {
	start, end := uint64(binary.LittleEndian.Uint32(s.starts[4*n:])), uint64(len(s.blocks))
	if n+1 < s.blockCount() {
		end = uint64(binary.LittleEndian.Uint32(s.starts[4*(n+1):]))
	}
	// Offsets come from the file and are checked although the checksum is right.
	if start > end || end > uint64(len(s.blocks)) {
		return block{}, ErrBroken
	}
	r := record.Read(s.blocks[start:end])
	b := block{size: min(blockSize, s.entries-n*blockSize), postings: r.Uvarint(), uses: r.Uvarint()}
	b.texts = r.Text()
	b.values = r.Rest()
	if r.Failed() {
		return block{}, ErrBroken
	}
	return b, nil
}

// textReader reads the texts of a block one after another.
type textReader struct {
	rest   []byte
	shared int // bytes that the last text shares with the one before
	text   []byte
}

// next reads the next text into t.text, which changes with the next call.
func (t *textReader) next() error {
	if len(t.rest) < 2 {
		return ErrBroken
	}
	shared, more := int(t.rest[0]), int(t.rest[1])
	if shared > len(t.text) || len(t.rest) < 2+more || shared+more > words.MaxBytes {
		return ErrBroken
	}
	t.shared = shared
	t.text = append(t.text[:shared], t.rest[2:2+more]...)
	t.rest = t.rest[2+more:]
	return nil
}
