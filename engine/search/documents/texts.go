package documents

import (
	"bytes"
	"encoding/binary"

	"chant/engine/search/find"
)

// texts are the texts of the documents of a segment in lower case, of specs alone: names, a NUL, title and body. A search
// takes from them which specs contain its query.
type texts struct {
	ends []byte // of each text, as uint32
	all  []byte
}

// add adds the text of the next document.
func (t *texts) add(text []byte) {
	t.all = append(t.all, text...)
	t.ends = binary.LittleEndian.AppendUint32(t.ends, uint32(len(t.all)))
}

// text returns the text of a document.
func (t *texts) text(doc uint32) []byte {
	from, to := uint32(0), binary.LittleEndian.Uint32(t.ends[4*doc:])
	if doc > 0 {
		from = binary.LittleEndian.Uint32(t.ends[4*(doc-1):])
	}
	// The ends are read from a file that another program may have changed.
	if from > to || uint64(to) > uint64(len(t.all)) {
		return nil
	}
	return t.all[from:to]
}

// body returns the text of a document without its names.
func (t *texts) body(doc uint32) []byte {
	_, body, _ := bytes.Cut(t.text(doc), []byte{0})
	return body
}

// pack returns a segment and the texts of its documents as one, and the length of the segment at the end.
func pack(segment []byte, t texts) []byte {
	data := make([]byte, 0, len(segment)+len(t.ends)+len(t.all)+4)
	data = append(append(append(data, segment...), t.ends...), t.all...)
	return binary.LittleEndian.AppendUint32(data, uint32(len(segment)))
}

// unpack opens what pack has returned. The texts share its bytes.
func unpack(data []byte) (*find.Segment, texts, error) {
	rest := len(data) - 4
	if rest < 0 {
		return nil, texts{}, find.ErrBroken
	}
	size := uint64(binary.LittleEndian.Uint32(data[rest:]))
	if size > uint64(rest) {
		return nil, texts{}, find.ErrBroken
	}
	segment, err := find.Open(data[:size])
	if err != nil {
		return nil, texts{}, err
	}
	after, ends := data[size:rest], 4*segment.Len()
	if len(after) < ends {
		return nil, texts{}, find.ErrBroken
	}
	return segment, texts{after[:ends], after[ends:]}, nil
}
