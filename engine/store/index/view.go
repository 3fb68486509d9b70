package index

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// View is one generation of the index. The nil View has nothing.
type View struct {
	ctx        context.Context
	x          *Index
	generation int64

	mu   sync.Mutex // one connection answers one query at a time
	conn *sql.Conn
	tx   *sql.Tx // of conn
}

// View calls a function with the present generation, and with nil if the index is of no use. An error of a query makes
// its values missing; after it, a broken file is set aside.
func (x *Index) View(ctx context.Context, read func(*View)) {
	if x == nil {
		read(nil)
		return
	}
	conn, err := x.db.Conn(ctx)
	if err != nil {
		read(nil)
		return
	}
	// Within one transaction all reads see one generation, whatever is written meanwhile.
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		// The connection goes back to the pool.
		_ = conn.Close()
		read(nil)
		return
	}
	v := &View{ctx: ctx, x: x, conn: conn, tx: tx}
	defer v.close()
	if err := tx.QueryRowContext(ctx, "SELECT generation FROM meta").Scan(&v.generation); err != nil {
		v.handleError(err)
		read(nil)
		return
	}
	read(v)
}

// close ends the transaction and gives back the connection.
func (v *View) close() {
	// The transaction has only read, so there is nothing to keep of it.
	_ = v.tx.Rollback()
	_ = v.conn.Close()
}

// handleError sets a broken file aside. It returns whether there was an error.
func (v *View) handleError(err error) bool {
	// A canceled query also fails, and then the file is not to blame.
	if err != nil && v.ctx.Err() == nil && isBroken(err) {
		// If setting aside fails, the next query tries again.
		_ = v.x.setAside()
	}
	return err != nil
}

// ReportBroken sets the index aside because a caller cannot read the data of a value or a segment although its checksum
// is right.
func (v *View) ReportBroken() {
	if v != nil {
		v.handleError(errChecksum)
	}
}

// Value is a named value.
type Value struct {
	Name string
	Data []byte
}

// All returns all values of a kind in the order of their names, false if they cannot be read.
func (v *View) All(kind string) (values []Value, ok bool) {
	ok = v.each("SELECT name, data FROM value WHERE kind = ? ORDER BY name", []any{kind}, func(row []driver.Value) error {
		data, err := dataOf(row[1])
		values = append(values, Value{textOf(row[0]), data})
		return err
	})
	return values, ok
}

// maxPerStatement limits the values that one statement reads.
const maxPerStatement = 1000

// Values returns the stored values of a kind with these names. A value that is not stored is missing; ok is false if
// nothing can be read.
func (v *View) Values(kind string, names ...string) (values map[string][]byte, ok bool) {
	if v == nil {
		return nil, false
	}
	values = make(map[string][]byte, len(names))
	// The list is one JSON parameter, because SQLite limits how many parameters a statement may have.
	for part := range slices.Chunk(names, maxPerStatement) {
		list, err := json.Marshal(part)
		if err != nil || !v.each("SELECT name, data FROM value WHERE kind = ? AND name IN (SELECT value FROM json_each(?))", []any{kind, string(list)}, func(row []driver.Value) error {
			data, err := dataOf(row[1])
			values[textOf(row[0])] = data
			return err
		}) {
			return nil, false
		}
	}
	return values, true
}

// Value returns one value, false if it is not stored.
func (v *View) Value(kind, name string) (data []byte, ok bool) {
	readable := v.each("SELECT data FROM value WHERE kind = ? AND name = ?", []any{kind, name}, func(row []driver.Value) (err error) {
		data, err = dataOf(row[0])
		ok = true
		return err
	})
	return data, ok && readable
}

// ValueNames returns the names of all values of a kind, false if they cannot be read.
func (v *View) ValueNames(kind string) (names []string, ok bool) {
	return v.texts("SELECT name FROM value WHERE kind = ? ORDER BY name", kind)
}

// Referrers returns the names with a ref to target (Batch.Refs), false if they cannot be read.
func (v *View) Referrers(target string) (names []string, ok bool) {
	return v.texts("SELECT name FROM ref WHERE target = ? ORDER BY name", target)
}

// Segment is one of the immutable parts of a kind of search index, in the format of the caller.
type Segment struct {
	ID   int64  // given by the index; 0 for a new one
	Kind string // a name and, after a space, the version of the format
	Data []byte
}

// Segments returns the segments of a kind in the order in which they were stored, false if they cannot be read.
func (v *View) Segments(kind string) (list []Segment, ok bool) {
	ok = v.each("SELECT id, data FROM segment WHERE kind = ? ORDER BY id", []any{kind}, func(row []driver.Value) error {
		id, _ := row[0].(int64)
		data, err := dataOf(row[1])
		list = append(list, Segment{ID: id, Kind: kind, Data: data})
		return err
	})
	return list, ok
}

// SegmentIDs returns the ids of the segments of a kind in the order in which they were stored, false if they cannot be
// read.
func (v *View) SegmentIDs(kind string) (ids []int64, ok bool) {
	ok = v.each("SELECT id FROM segment WHERE kind = ? ORDER BY id", []any{kind}, func(row []driver.Value) error {
		id, _ := row[0].(int64)
		ids = append(ids, id)
		return nil
	})
	return ids, ok
}

// Segment returns the data of a segment, false if it is gone.
func (v *View) Segment(id int64) (data []byte, found bool) {
	ok := v.each("SELECT data FROM segment WHERE id = ?", []any{id}, func(row []driver.Value) (err error) {
		data, err = dataOf(row[0])
		found = true
		return err
	})
	return data, ok && found
}

// texts returns the only column of a query.
func (v *View) texts(query, arg string) (list []string, ok bool) {
	ok = v.each(query, []any{arg}, func(row []driver.Value) error {
		list = append(list, textOf(row[0]))
		return nil
	})
	return list, ok
}

// each calls a function for the rows of a query, and returns false if they cannot be read. The bytes of a row belong to the
// function.
func (v *View) each(query string, args []any, row func([]driver.Value) error) bool {
	if v == nil {
		return false
	}
	// One connection answers one query at a time.
	v.mu.Lock()
	defer v.mu.Unlock()
	named := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
	}
	// The driver is asked past database/sql, which copies each value once more: segments and vectors of code are megabytes.
	// It does not write again to bytes that it has returned.
	return !v.handleError(v.conn.Raw(func(conn any) error {
		queryer, ok := conn.(driver.QueryerContext)
		if !ok {
			return fmt.Errorf("a connection of type %T answers no query", conn)
		}
		rows, err := queryer.QueryContext(v.ctx, query, named)
		if err != nil {
			return err
		}
		return errors.Join(eachOf(rows, row), rows.Close())
	}))
}

func eachOf(rows driver.Rows, row func([]driver.Value) error) error {
	values := make([]driver.Value, len(rows.Columns()))
	for {
		if err := rows.Next(values); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := row(values); err != nil {
			return err
		}
	}
}

// textOf returns the text of a column.
func textOf(column driver.Value) string {
	text, _ := column.(string)
	return text
}

// dataOf returns what was sealed in a column.
func dataOf(column driver.Value) ([]byte, error) {
	sealed, _ := column.([]byte) // anything else was not sealed
	return unseal(sealed)
}
