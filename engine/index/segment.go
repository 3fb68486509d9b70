package index

import (
	"database/sql/driver"
	"strings"
)

// Segment is one of the immutable parts of a kind of search index, in the format of the caller.
type Segment struct {
	ID   int64  // given by the index; 0 for a new one
	Kind string // a name and, after a space, the version of the format
	Data []byte
}

// Segments returns the segments of a kind in the order in which they were stored, false if they cannot be read.
func (v *View) Segments(kind string) (list []Segment, ok bool) {
	if v == nil {
		return nil, false
	}
	err := v.each("SELECT id, data FROM segment WHERE kind = ? ORDER BY id", []any{kind}, func(row []driver.Value) error {
		id, _ := row[0].(int64)
		data, err := dataOf(row[1])
		list = append(list, Segment{ID: id, Kind: kind, Data: data})
		return err
	})
	if v.note(err) {
		return nil, false
	}
	return list, true
}

// SegmentIDs returns the ids of the segments of a kind in the order in which they were stored, false if they cannot be
// read.
func (v *View) SegmentIDs(kind string) (ids []int64, ok bool) {
	if v == nil {
		return nil, false
	}
	found, err := v.query("SELECT id FROM segment WHERE kind = ? ORDER BY id", kind)
	if v.note(err) {
		return nil, false
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var id int64
		if v.note(found.Scan(&id)) {
			return nil, false
		}
		ids = append(ids, id)
	}
	return ids, !v.note(found.Err())
}

// Segment returns the data of a segment, false if it is gone.
func (v *View) Segment(id int64) ([]byte, bool) {
	if v == nil {
		return nil, false
	}
	var data []byte
	found := false
	err := v.each("SELECT data FROM segment WHERE id = ?", []any{id}, func(row []driver.Value) (err error) {
		data, err = dataOf(row[0])
		found = true
		return err
	})
	if v.note(err) {
		return nil, false
	}
	return data, found
}

// ReportBroken sets the index aside because a caller cannot read the data of a row or a segment although its checksum
// is right.
func (v *View) ReportBroken() {
	if v != nil {
		v.note(errChecksum)
	}
}

// segments writes the new segments of a batch and removes those that they replace, and those with other versions of
// their kind.
func (u update) segments(b Batch) error {
	for _, id := range b.Replaced {
		if err := u.exec("DELETE FROM segment WHERE id = ?", id); err != nil {
			return err
		}
	}
	for _, s := range b.Segments {
		name, _, _ := strings.Cut(s.Kind, " ")
		if err := u.exec("DELETE FROM segment WHERE kind <> ? AND instr(kind, ?) = 1", s.Kind, name+" "); err != nil {
			return err
		}
		if err := u.exec("INSERT INTO segment (kind, data) VALUES (?, ?)", s.Kind, seal(s.Data)); err != nil {
			return err
		}
	}
	return nil
}
