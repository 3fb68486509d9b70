package index

import (
	"encoding/binary"
	"hash/crc32"

	"chant/engine/packed"
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
	in := packed.Read(string(body)) // names and data are parts of the text
	for in.Len() > 0 {
		var r Row
		r.Name = in.Text()
		r.Stamp.Modified, r.Stamp.Changed = int64(in.Uint64()), int64(in.Uint64())
		r.Stamp.Size, r.Stamp.Inode = int64(in.Uvarint()), in.Uvarint()
		r.refs = in.Byte() == 1
		r.Data = in.Text()
		rows = append(rows, r)
	}
	if in.Failed() {
		return nil, errChecksum
	}
	return rows, nil
}
