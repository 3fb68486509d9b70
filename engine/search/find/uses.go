package find

import (
	"encoding/binary"
	"math/bits"
)

// The uses of a word as written list the documents that contain it, as places among the documents with its stem: the
// first document in the postings of the stem has the place 0. They are
//
//	empty, if the word is in all of these documents
//	otherwise, for each use, the distance from the place before (uvarint, from -1 for the first); or if that is not
//	shorter, a bit for each place, which is recognised by its length

// appendUses appends the uses of a word that is at some places of so many documents.
func appendUses(out []byte, places []uint32, docs uint32) []byte {
	if len(places) == int(docs) {
		return out
	}
	start, last := len(out), int64(-1)
	for _, place := range places {
		out = binary.AppendUvarint(out, uint64(int64(place)-last))
		last = int64(place)
	}
	size := bytesOfBits(docs)
	// The length says which of the two forms it is, so the distances must be shorter than the bits.
	if len(out)-start < size {
		return out
	}
	out = append(out[:start], make([]byte, size)...)
	for _, place := range places {
		out[start+int(place/8)] |= 1 << (place % 8)
	}
	return out
}

func bytesOfBits(n uint32) int { return (int(n) + 7) / 8 }

// usesReader reads the uses of a word.
type usesReader struct {
	rest   []byte
	docs   uint32 // documents with the stem
	place  int64  // read last; -1 at first
	isAll  bool
	isBits bool
}

func readUses(uses []byte, docs uint32) usesReader {
	return usesReader{
		rest: uses, docs: docs, place: -1, isAll: len(uses) == 0, isBits: len(uses) == bytesOfBits(docs),
	}
}

// next reads the next place into u.place. It returns false at the end.
func (u *usesReader) next() (bool, error) {
	switch {
	case u.isAll:
		u.place++
		return u.place < int64(u.docs), nil
	case u.isBits:
		u.place++
		for u.place < int64(u.docs) {
			if more := u.rest[u.place/8] >> (u.place % 8); more != 0 {
				u.place += int64(bits.TrailingZeros8(more))
				return u.place < int64(u.docs), nil
			}
			// The rest of the byte has no bit, so reading resumes at the next one.
			u.place = (u.place/8 + 1) * 8
		}
		return false, nil
	case len(u.rest) == 0:
		return false, nil
	}
	gap, n := binary.Uvarint(u.rest)
	if n <= 0 || gap == 0 || gap > uint64(u.docs) || u.place+int64(gap) >= int64(u.docs) {
		return false, ErrBroken
	}
	u.rest, u.place = u.rest[n:], u.place+int64(gap)
	return true, nil
}
