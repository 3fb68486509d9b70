package index

import (
	"encoding/binary"
	"hash/crc32"

	"chant/engine/stamp"
)

// Row is what is known of one file of a folder.
type Row struct {
	Name  string
	Stamp stamp.Stamp // when the file was read; rows of files whose stamp had not settled are not stored
	Data  string      // in the format of the caller
	Refs  []string    // other names by which Referrers finds the row; not filled in when a row is read
	refs  bool        // the stored row has some
}

// Pages are split when they have more than maxRows rows, into pages of pageRows.
const (
	pageRows = 64
	maxRows  = 160
)

// encodePage writes rows in the order of their names: each its name, its stamp, a flag for refs and its data, all with
// their lengths; the checksum comes first.
func encodePage(rows []Row) []byte {
	var out []byte
	for _, r := range rows {
		out = binary.AppendUvarint(out, uint64(len(r.Name)))
		out = append(out, r.Name...)
		out = binary.LittleEndian.AppendUint64(out, uint64(r.Stamp.Modified))
		out = binary.LittleEndian.AppendUint64(out, uint64(r.Stamp.Changed))
		out = binary.AppendUvarint(out, uint64(r.Stamp.Size))
		out = binary.AppendUvarint(out, r.Stamp.Inode)
		flag := byte(0)
		if r.refs {
			flag = 1
		}
		out = append(out, flag)
		out = binary.AppendUvarint(out, uint64(len(r.Data)))
		out = append(out, r.Data...)
	}
	return seal(out)
}

// seal returns data with a checksum in front.
func seal(data []byte) []byte {
	sum := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
	return append(binary.LittleEndian.AppendUint32(make([]byte, 0, len(data)+4), sum), data...)
}

// unseal returns the data without its checksum. Error: errChecksum.
func unseal(sealed []byte) ([]byte, error) {
	if len(sealed) < 4 || crc32.Checksum(sealed[4:], crc32.MakeTable(crc32.Castagnoli)) != binary.LittleEndian.Uint32(sealed) {
		return nil, errChecksum
	}
	return sealed[4:], nil
}

// decodePage reads what encodePage wrote and appends it to rows. It keeps nothing of the page itself.
func decodePage(page []byte, rows []Row) ([]Row, error) {
	body, err := unseal(page)
	if err != nil {
		return nil, err
	}
	text := string(body) // names and data are parts of it
	in := reader{rest: body}
	for len(in.rest) > 0 && !in.broken {
		var r Row
		n := in.length()
		at := len(body) - len(in.rest)
		in.bytes(n)
		r.Name = text[at : at+n]
		r.Stamp.Modified, r.Stamp.Changed = in.int64(), in.int64()
		r.Stamp.Size, r.Stamp.Inode = int64(in.uvarint()), in.uvarint()
		r.refs = len(in.rest) > 0 && in.rest[0] == 1
		in.bytes(1)
		n = in.length()
		at = len(body) - len(in.rest)
		in.bytes(n)
		r.Data = text[at : at+n]
		rows = append(rows, r)
	}
	if in.broken {
		return nil, errChecksum
	}
	return rows, nil
}

// reader reads values from bytes; broken is set where they do not suffice.
type reader struct {
	rest   []byte
	broken bool
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.rest, r.broken = nil, true
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// length reads a length that the rest suffices for.
func (r *reader) length() int {
	n := r.uvarint()
	if n > uint64(len(r.rest)) {
		r.rest, r.broken = nil, true
		return 0
	}
	return int(n)
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.broken = nil, true
		return nil
	}
	out := r.rest[:n:n]
	r.rest = r.rest[n:]
	return out
}

func (r *reader) int64() int64 {
	b := r.bytes(8)
	if b == nil {
		return 0
	}
	return int64(binary.LittleEndian.Uint64(b))
}
