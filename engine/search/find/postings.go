package find

import (
	"encoding/binary"

	"chant/engine/store/record"
)

// The postings of a stem list the documents that contain it, in order. For each there is
//
//	uvarint 2 × distance from the document before (from -1 for the first) + (1 if the stem occurs once, in the last
//	field only)
//	otherwise uvarint 2 × occurrences in the last field + (1 if it occurs in other fields)
//	and if so, a byte with a bit for each of these fields, and for each of them the occurrences (uvarint)

// counts are the occurrences of a stem in the fields of a document.
type counts [maxFields]uint16

// appendPosting appends a posting.
func appendPosting(out []byte, gap uint32, c *counts, fields int) []byte {
	last := fields - 1
	others := byte(0)
	for f := range last {
		if c[f] > 0 {
			others |= 1 << f
		}
	}
	if others == 0 && c[last] == 1 {
		return binary.AppendUvarint(out, uint64(gap)<<1|1)
	}
	out = binary.AppendUvarint(out, uint64(gap)<<1)
	if others == 0 {
		return binary.AppendUvarint(out, uint64(c[last])<<1)
	}
	out = binary.AppendUvarint(out, uint64(c[last])<<1|1)
	out = append(out, others)
	for f := range last {
		if c[f] > 0 {
			out = binary.AppendUvarint(out, uint64(c[f]))
		}
	}
	return out
}

// postingsReader reads postings one after another.
type postingsReader struct {
	rest   record.Reader[[]byte]
	left   uint32 // postings not yet read
	docs   int    // of the segment
	fields int
	doc    int64 // the document read last; -1 at first
	counts counts
}

func (s *Segment) readPostings(e entry) postingsReader {
	return postingsReader{rest: record.Read(e.postings), left: e.docs, docs: s.docs, fields: len(s.fields), doc: -1}
}

// next reads the next posting into p.doc and p.counts. It returns false at the end.
func (p *postingsReader) next() (bool, error) {
	if p.left == 0 {
		return false, nil
	}
	p.left--
	x := p.rest.Uvarint()
	gap := x >> 1
	// A gap of 0 would be the same document twice.
	if gap == 0 || gap > uint64(p.docs) || p.doc+int64(gap) >= int64(p.docs) {
		return false, ErrBroken
	}
	p.doc += int64(gap)
	p.counts = counts{}
	if x&1 != 0 {
		p.counts[p.fields-1] = 1
	} else {
		n, ok := readCounts(p.rest.Rest(), p.fields, &p.counts)
		if p.rest.Take(uint64(n)); !ok {
			p.rest.Fail()
		}
	}
	if p.rest.Failed() {
		return false, ErrBroken
	}
	return true, nil
}

// readCounts reads the counts of a posting whose gap does not contain them, and returns how many bytes they are.
func readCounts(b []byte, fields int, c *counts) (size int, ok bool) {
	last := fields - 1
	// This is the usual case: nothing but a few occurrences in the last field.
	if len(b) > 0 && b[0] < 0x80 && b[0]&1 == 0 {
		c[last] = uint16(b[0] >> 1)
		return 1, true
	}
	r := record.Read(b)
	n := r.Uvarint()
	c[last] = capLength(n >> 1)
	if n&1 != 0 {
		others := r.Byte()
		for f := range last {
			if others&(1<<f) != 0 {
				c[f] = capLength(r.Uvarint())
			}
		}
	}
	return len(b) - r.Len(), !r.Failed()
}
