package find

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"chant/engine/store/record"
)

// Bytes returns the segment. The builder can be used further.
func (b *Builder) Bytes() ([]byte, error) {
	order := b.sortedEntries()
	numbers := make([]int, len(b.list)) // of the entries of stems
	for i, e := range order {
		if e.isStem {
			numbers[e.id] = i
		}
	}
	w := dictWriter{}
	places, uses := b.places(), []byte(nil)
	starts := make([]uint32, len(b.list))
	for _, e := range order {
		docs, size, stem, before := uint32(0), 0, -1, len(uses)
		if e.isStem {
			s := &b.list[e.id]
			starts[e.id] = uint32(w.postings)
			docs, size = s.docs, int(s.size)
		}
		if e.isWord {
			word := &b.uses[e.word]
			stem = numbers[word.stem]
			uses = appendUses(uses, places[e.word], b.list[word.stem].docs)
		}
		w.add(e.text, docs, size, stem, len(uses)-before)
	}
	w.flush()
	// Offsets of postings are 32 bits in the format.
	if w.postings > math.MaxInt32 {
		return nil, ErrTooLarge
	}
	p := &parts{
		fields: b.fields, totals: b.totals, keyEnds: b.keyEnds, keys: b.keys, lengths: b.lengths,
		entries: w.entries, starts: w.starts, blocks: w.blocks, postings: b.scatter(starts, w.postings),
		uses: uses,
	}
	return p.join()
}

// builtEntry is an entry of the dictionary to be written.
type builtEntry struct {
	text   string
	isStem bool
	id     uint32 // if it is a stem
	isWord bool   // with another stem
	word   uint32 // its number if it is
}

// sortedEntries returns the stems and words in the order of the dictionary, with those that are both joined.
func (b *Builder) sortedEntries() []builtEntry {
	list := make([]builtEntry, 0, len(b.list)+len(b.words))
	for i := range b.list {
		// Stems without documents belong to earlier segments of this builder.
		if b.list[i].docs > 0 {
			list = append(list, builtEntry{text: b.list[i].text, isStem: true, id: uint32(i)})
		}
	}
	for word, n := range b.words {
		if b.uses[n].docs > 0 {
			list = append(list, builtEntry{text: word, isWord: true, word: n})
		}
	}
	slices.SortFunc(list, func(x, y builtEntry) int { return strings.Compare(x.text, y.text) })
	joined := list[:0]
	for _, e := range list {
		// A word can be the stem of others and have another stem itself.
		if n := len(joined) - 1; n >= 0 && joined[n].text == e.text {
			if e.isStem {
				joined[n].isStem, joined[n].id = true, e.id
			} else {
				joined[n].isWord, joined[n].word = true, e.word
			}
			continue
		}
		joined = append(joined, e)
	}
	return joined
}

// places returns at which places among the documents with its stem each word as written is.
func (b *Builder) places() [][]uint32 {
	places := make([][]uint32, len(b.uses))
	for i, w := range b.uses {
		places[i] = make([]uint32, 0, w.docs)
	}
	for r := record.Read(b.used); r.Len() > 0; {
		word, place := r.Uvarint(), r.Uvarint()
		places[word] = append(places[word], uint32(place))
	}
	return places
}

// scatter writes the postings of the log to where those of each stem start.
func (b *Builder) scatter(starts []uint32, size uint64) []byte {
	out := make([]byte, size)
	last := make([]int32, len(b.list))
	for i := range last {
		last[i] = -1
	}
	r := record.Read(b.log)
	for doc := range int32(b.Len()) {
		for range r.Uvarint() {
			id := r.Uvarint()
			at := starts[id]
			gap := uint64(doc-last[id]) << 1
			last[id] = doc
			rest := r.Rest()
			plain := r.Byte() // the gap, which the log does not have, and whether more follows
			at += uint32(binary.PutUvarint(out[at:], gap|uint64(plain)))
			if plain == 0 {
				// A bit for each further field says how many counts follow.
				if n := r.Uvarint(); n&1 != 0 {
					for others := r.Byte(); others != 0; others &= others - 1 {
						r.Uvarint()
					}
				}
				at += uint32(copy(out[at:], rest[1:len(rest)-r.Len()]))
			}
			starts[id] = at
		}
	}
	return out
}
