package find

import (
	"bytes"

	"chant/engine/store/record"
)

// firstText returns the first text of a block.
func (s *Segment) firstText(n int) ([]byte, error) {
	b, err := s.block(n)
	if err != nil {
		return nil, err
	}
	if len(b.texts) < 2 || len(b.texts) < 2+int(b.texts[1]) {
		return nil, ErrBroken
	}
	return b.texts[2 : 2+int(b.texts[1])], nil
}

// blockOf returns the last block whose first text is not after text; 0 if there is none.
func (s *Segment) blockOf(text string) (int, error) {
	low, high := 0, s.blockCount()
	for low+1 < high {
		middle := (low + high) / 2
		first, err := s.firstText(middle)
		if err != nil {
			return 0, err
		}
		if string(first) <= text {
			low = middle
		} else {
			high = middle
		}
	}
	return low, nil
}

// lookup returns the number of the entry with this text, or -1.
func (s *Segment) lookup(text string) (int, error) {
	if s.entries == 0 {
		return -1, nil
	}
	n, err := s.blockOf(text)
	if err != nil {
		return -1, err
	}
	b, err := s.block(n)
	if err != nil {
		return -1, err
	}
	t := textReader{rest: b.texts}
	for i := range b.size {
		if err := t.next(); err != nil {
			return -1, err
		}
		if string(t.text) == text {
			return n*blockSize + i, nil
		}
		if bytes.Compare(t.text, []byte(text)) > 0 {
			break
		}
	}
	return -1, nil
}

// find returns the entry with this text, with its living documents counted, or one without documents.
func (s *Segment) find(text string) (entry, error) {
	number, err := s.lookup(text)
	if err != nil || number < 0 {
		return entry{stem: -1}, err
	}
	return s.livingEntry(number)
}

// livingEntry returns an entry by its number, with its living documents counted.
func (s *Segment) livingEntry(number int) (entry, error) {
	e, err := s.entry(number)
	if err == nil {
		err = s.countLiving(&e)
	}
	return e, err
}

// entry returns an entry by its number.
func (s *Segment) entry(number int) (entry, error) {
	if number < 0 || number >= s.entries {
		return entry{}, ErrBroken
	}
	b, err := s.block(number / blockSize)
	if err != nil {
		return entry{}, err
	}
	v := s.readValues(b)
	var e entry
	for i := range number%blockSize + 1 {
		if e, err = v.next(number - number%blockSize + i); err != nil {
			return entry{}, err
		}
	}
	return e, nil
}

// text returns the text of an entry.
func (s *Segment) text(number int) (string, error) {
	if number < 0 || number >= s.entries {
		return "", ErrBroken
	}
	b, err := s.block(number / blockSize)
	if err != nil {
		return "", err
	}
	t := textReader{rest: b.texts}
	for range number%blockSize + 1 {
		if err := t.next(); err != nil {
			return "", err
		}
	}
	return string(t.text), nil
}

// valueReader reads the values of a block one after another.
type valueReader struct {
	segment  *Segment
	rest     record.Reader[[]byte]
	postings uint64 // where the next postings start
	uses     uint64 // where the next uses start
}

func (s *Segment) readValues(b block) valueReader {
	return valueReader{segment: s, rest: record.Read(b.values), postings: b.postings, uses: b.uses}
}

func (v *valueReader) next(number int) (entry, error) {
	e := entry{stem: -1}
	value := v.rest.Uvarint()
	if docs := value >> 1; docs > 0 {
		length := v.rest.Uvarint()
		end := v.postings + length
		if docs > uint64(v.segment.docs) || end < length || end > uint64(len(v.segment.postings)) {
			return entry{}, ErrBroken
		}
		e.docs, e.postings = uint32(docs), v.segment.postings[v.postings:end]
		v.postings = end
	}
	if value&1 != 0 {
		stem := int64(number) + v.rest.Varint()
		if stem < 0 || stem >= int64(v.segment.entries) {
			return entry{}, ErrBroken
		}
		length := v.rest.Uvarint()
		end := v.uses + length
		if end < length || end > uint64(len(v.segment.uses)) {
			return entry{}, ErrBroken
		}
		e.stem, e.uses = int(stem), v.segment.uses[v.uses:end]
		v.uses = end
	}
	if v.rest.Failed() {
		return entry{}, ErrBroken
	}
	return e, nil
}
