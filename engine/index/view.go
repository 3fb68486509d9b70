package index

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"sync"

	"chant/engine/stamp"
)

// View is one generation of the index.
type View struct {
	ctx        context.Context
	x          *Index
	conn       *sql.Conn
	tx         *sql.Tx // of conn
	generation int64

	mu       sync.Mutex
	prepared map[string]*sql.Stmt // by their texts, until the transaction ends
	page     []Row                // the one in which Row looked last
	folder   string               // of page
}

// Folder is what is known of a folder as a whole, or of another list of names (Batch.Lists).
type Folder struct {
	Stamp stamp.Stamp // when its names were listed, zero if that had not settled
	Names []string    // of its files, in order
	Sum   string      // of what the caller knows of all files together, "" if nothing
}

// View calls a function with the present generation, and with nil if the index is of no use. An error of a query makes
// its rows missing; after it, a broken file is set aside.
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
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		_ = conn.Close() // it goes back to the pool
		read(nil)
		return
	}
	v := &View{ctx: ctx, x: x, conn: conn, tx: tx, prepared: map[string]*sql.Stmt{}}
	defer v.end()
	if err := tx.QueryRowContext(ctx, "SELECT generation FROM meta").Scan(&v.generation); err != nil {
		v.note(err)
		read(nil)
		return
	}
	read(v)
}

// end ends the transaction and gives back the connection.
func (v *View) end() {
	_ = v.tx.Rollback() // it has read only
	_ = v.conn.Close()
}

// note sets a broken file aside. It returns whether there was an error.
func (v *View) note(err error) bool {
	if err != nil && v.ctx.Err() == nil && isBroken(err) {
		_ = v.x.setAside() // otherwise the next query tries again
	}
	return err != nil
}

// Folder returns what is known of a folder or a list.
func (v *View) Folder(path string) (f Folder, ok bool) {
	if v == nil {
		return f, false
	}
	var at, names []byte
	err := v.tx.QueryRowContext(v.ctx, "SELECT stamp, names FROM folder WHERE path = ?", path).Scan(&at, &names)
	if errors.Is(err, sql.ErrNoRows) || v.note(err) {
		return f, false
	}
	rows, err := decodePage(at, nil) // a page of one row
	if v.note(err) || len(rows) != 1 {
		return f, false
	}
	f.Stamp, f.Sum = rows[0].Stamp, rows[0].Data
	if names, err = unseal(names); v.note(err) {
		return f, false
	}
	if len(names) > 0 {
		f.Names = strings.Split(string(names), "\x00")
	}
	return f, true
}

// Rows returns all rows of a folder in the order of their names, false if they cannot be read.
func (v *View) Rows(folder string) ([]Row, bool) {
	return v.rows(nil, "SELECT data FROM page WHERE folder = ? ORDER BY first", folder)
}

// Row returns the row of a file.
func (v *View) Row(folder, name string) (Row, bool) {
	if v == nil {
		return Row{}, false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	n := len(v.page)
	if n == 0 || v.folder != folder || name < v.page[0].Name || name > v.page[n-1].Name {
		page, ok := v.rows(v.page[:0], "SELECT data FROM page WHERE folder = ? AND first <= ? ORDER BY first DESC LIMIT 1", folder, name)
		if !ok {
			v.page = nil
			return Row{}, false
		}
		v.page, v.folder = page, folder
	}
	at, found := slices.BinarySearchFunc(v.page, name, func(r Row, name string) int { return strings.Compare(r.Name, name) })
	if !found {
		return Row{}, false
	}
	return v.page[at], true
}

// Referrers returns the names of the rows with a ref to target, false if they cannot be read.
func (v *View) Referrers(folder, target string) (names []string, ok bool) {
	if v == nil {
		return nil, false
	}
	found, err := v.query("SELECT name FROM ref WHERE folder = ? AND target = ? ORDER BY name", folder, target)
	if v.note(err) {
		return nil, false
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var name string
		if v.note(found.Scan(&name)) {
			return nil, false
		}
		names = append(names, name)
	}
	return names, !v.note(found.Err())
}

// rows appends the rows of the pages that a query returns.
func (v *View) rows(rows []Row, query string, args ...any) ([]Row, bool) {
	if v == nil {
		return nil, false
	}
	found, err := v.query(query, args...)
	if v.note(err) {
		return nil, false
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var page sql.RawBytes // until the next row
		if v.note(found.Scan(&page)) {
			return nil, false
		}
		if rows, err = decodePage(page, rows); v.note(err) {
			return nil, false
		}
	}
	return rows, !v.note(found.Err())
}

// query is the query of the transaction, with statements that are prepared once.
func (v *View) query(text string, args ...any) (*sql.Rows, error) {
	s, ok := v.prepared[text]
	if !ok {
		var err error
		if s, err = v.tx.PrepareContext(v.ctx, text); err != nil { //nolint:sqlclosecheck // the end of the transaction closes it
			return nil, err
		}
		v.prepared[text] = s
	}
	return s.QueryContext(v.ctx, args...)
}
