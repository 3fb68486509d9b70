package find

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"

	"chant/engine/search/words"
)

const maxCached = 1 << 16 // chains whose stems a builder remembers

// Builder makes a segment of documents. Its memory grows with them, by about 2 KB for a document of 1.5 KB, and Size
// returns it: a caller with many documents starts another segment when that is too much, and merges them later.
type Builder struct {
	fields  []string
	stems   map[string]uint32
	list    []stemStats
	words   map[string]uint32 // words as written that have another stem
	uses    []wordStats       // of these words
	used    []byte            // for each use of a word, its number and its place (uvarints)
	cached  *words.Cache[[]form]
	log     []byte // documents: number of postings, and for each the stem and a posting without its gap
	keyEnds []uint32
	keys    []byte
	lengths [][]uint16
	totals  []uint64

	tokens []words.Token
	found  []uint32 // stems of the document that is being added
	wrote  []uint32 // words as written of it
	text   int      // bytes of stems and words
}

// stemStats are the statistics of a stem in a builder.
type stemStats struct {
	text   string
	docs   uint32
	last   int32  // the last document that contains it
	size   uint32 // bytes of its postings
	slot   int32  // its place in found while a document is being added, from 1
	isOwn  bool   // whether it is the stem of itself as a word
	counts counts
}

// form is a word of a text.
type form struct {
	stem uint32
	word int32 // as written, if it has another stem; -1 if not
}

// wordStats are the statistics of a word as written in a builder.
type wordStats struct {
	stem uint32
	docs uint32 // that contain it
	last int32  // the last one of them
}

// NewBuilder returns a builder for documents with these fields. The last field should be the one with the longest
// texts, because it takes the least space. It panics if there are no fields, more than 8, or names of over 255 bytes.
func NewBuilder(fields Fields) *Builder {
	if len(fields) == 0 || len(fields) > maxFields {
		panic(fmt.Sprintf("find: %d fields (use 1 to %d)", len(fields), maxFields))
	}
	b := &Builder{
		stems: map[string]uint32{}, words: map[string]uint32{}, cached: words.NewCache[[]form](maxCached),
		lengths: make([][]uint16, len(fields)), totals: make([]uint64, len(fields)),
	}
	for _, f := range fields {
		if len(f.Name) > 255 {
			panic("find: the name of a field is too long")
		}
		b.fields = append(b.fields, f.Name)
	}
	return b
}

// maxKept limits the stems and words that a builder keeps for its next segment.
const maxKept = 1 << 18

// Reset begins another segment. What the builder has learned about words is kept, so that many segments are made faster
// by one builder than by several.
func (b *Builder) Reset() {
	// What was learned about words is kept for the next segment, unless it has become too much.
	if len(b.list)+len(b.words) > maxKept {
		clear(b.stems)
		clear(b.words)
		b.cached.Clear()
		b.list, b.uses, b.text = nil, nil, 0
	}
	for i := range b.list {
		s := &b.list[i]
		s.docs, s.last, s.size, s.slot = 0, -1, 0, 0
	}
	for i := range b.uses {
		b.uses[i].docs, b.uses[i].last = 0, -1
	}
	b.used, b.log, b.keyEnds, b.keys = b.used[:0], b.log[:0], b.keyEnds[:0], b.keys[:0]
	for f := range b.lengths {
		b.lengths[f] = b.lengths[f][:0]
	}
	clear(b.totals)
}

// Len returns how many documents were added. It is the number of the next one.
func (b *Builder) Len() int { return len(b.keyEnds) }

// Size returns roughly how many bytes of memory the builder uses.
func (b *Builder) Size() int {
	const perStem, perWord, perChain = 140, 80, 140
	return len(b.list)*perStem + len(b.words)*perWord + b.cached.Len()*perChain + b.text +
		cap(b.log) + cap(b.used) + cap(b.keys) + b.Len()*(4+2*len(b.fields))
}

// Add adds a document: its key, which the caller chooses and search returns, and the text of each field in the order of
// the fields. Missing texts are empty. It panics if there are more texts than fields.
func (b *Builder) Add(key string, texts ...string) {
	if len(texts) > len(b.fields) {
		panic(fmt.Sprintf("find: %d texts for %d fields", len(texts), len(b.fields)))
	}
	doc := int32(b.Len())
	b.keys = append(b.keys, key...)
	b.keyEnds = append(b.keyEnds, uint32(len(b.keys)))
	b.found, b.wrote = b.found[:0], b.wrote[:0]
	for f := range b.fields {
		length := uint64(0)
		if f < len(texts) {
			length = b.addText(f, texts[f])
		}
		b.lengths[f] = append(b.lengths[f], capLength(length))
		// The sum is that of the stored lengths, so that a merge computes the same average.
		b.totals[f] += uint64(capLength(length))
	}
	// Uses refer to the place of the document among those of the stem, so they are logged before its postings.
	for _, word := range b.wrote {
		b.logUse(word)
	}
	b.log = binary.AppendUvarint(b.log, uint64(len(b.found)))
	for _, id := range b.found {
		b.logPosting(doc, id)
	}
}

// addText counts the stems of a text and returns how many words it has.
func (b *Builder) addText(field int, text string) uint64 {
	length := uint64(0)
	for from := 0; ; {
		start, end, ok := words.NextChain(text, from)
		if !ok {
			return length
		}
		for _, form := range b.formsOf(text[start:end]) {
			// A word as written is logged once for a document, however often it occurs.
			if form.word >= 0 && b.uses[form.word].last != int32(b.Len()) {
				b.uses[form.word].last = int32(b.Len())
				b.wrote = append(b.wrote, uint32(form.word))
			}
			s := &b.list[form.stem]
			if s.slot == 0 {
				b.found = append(b.found, form.stem)
				s.slot = int32(len(b.found))
				s.counts = counts{}
			}
			// Counts are stored in 16 bits, and more occurrences would not change the rank.
			if s.counts[field] < ^uint16(0) {
				s.counts[field]++
			}
			length++
		}
		from = end
	}
}

// formsOf returns the words of a chain.
func (b *Builder) formsOf(chain string) []form {
	if forms, ok := b.cached.Get(chain); ok {
		return forms
	}
	b.tokens = words.AppendTokens(b.tokens[:0], chain)
	forms := make([]form, 0, len(b.tokens))
	for _, t := range b.tokens {
		forms = append(forms, b.formOf(t.Word))
	}
	b.cached.Put(chain, forms)
	return forms
}

// formOf returns the numbers of a word and its stem.
func (b *Builder) formOf(word string) form {
	// Most words are their own stem or were seen before, and computing a stem is expensive.
	if id, ok := b.stems[word]; ok && b.list[id].isOwn {
		return form{id, -1}
	}
	if n, ok := b.words[word]; ok {
		return form{b.uses[n].stem, int32(n)}
	}
	text := words.Stem(word)
	id, ok := b.stems[text]
	if !ok {
		id = uint32(len(b.list))
		// The text may be a part of the document, which would stay in memory with it.
		text = strings.Clone(text)
		b.stems[text] = id
		b.list = append(b.list, stemStats{text: text, last: -1})
		b.text += len(text)
	}
	if word == text {
		b.list[id].isOwn = true
		return form{id, -1}
	}
	n := len(b.uses)
	b.words[strings.Clone(word)] = uint32(n)
	b.uses = append(b.uses, wordStats{stem: id, last: -1})
	b.text += len(word)
	return form{id, int32(n)}
}

// logUse notes that the document that is being added contains a word as written. Its stem is logged after it.
func (b *Builder) logUse(word uint32) {
	w := &b.uses[word]
	b.used = binary.AppendUvarint(b.used, uint64(word))
	b.used = binary.AppendUvarint(b.used, uint64(b.list[w.stem].docs))
	w.docs++
}

func (b *Builder) logPosting(doc int32, id uint32) {
	s := &b.list[id]
	b.log = binary.AppendUvarint(b.log, uint64(id))
	before := len(b.log)
	b.log = appendPosting(b.log, 0, &s.counts, len(b.fields))
	// The log has no gap, so the size is corrected by that of the gap: a varint has 7 bits in a byte.
	gap := uint64(doc - s.last)
	s.size += uint32(len(b.log) - before - 1 + (bits.Len64(gap<<1)+6)/7)
	s.docs++
	s.last = doc
	s.slot = 0
}
