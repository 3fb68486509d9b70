package index

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"
)

// Batch is what a query has read anew and wants to store.
type Batch struct {
	Folder string
	List   *Folder           // of the folder, without names if they are the stored ones; nil if nothing has changed
	Rows   []Row             // new and changed rows, of files that exist
	Gone   []string          // names of rows whose files are gone
	Blobs  map[string][]byte // data of blobs by their ids
	Places map[Place]string  // the ids of the blobs of files of commits
	Seen   map[Place]string  // stored places that were used, with their blobs, so that they stay

	Values  map[Key][]byte // new and changed values; nil removes one
	Cleared []string       // kinds of values of which all are removed before

	Lists map[string]Folder // lists of names that are known by the stamp of one file, by their names

	Segments []Segment // new ones, without ids
	Replaced []int64   // ids of segments that are removed
}

// Place is a file of a commit.
type Place struct{ Commit, Path string }

// Empty reports whether there is nothing to store.
func (b Batch) Empty() bool {
	return b.List == nil && len(b.Rows) == 0 && len(b.Gone) == 0 && len(b.Blobs) == 0 && len(b.Places) == 0 &&
		len(b.Segments) == 0 && len(b.Replaced) == 0 && len(b.Lists) == 0 &&
		len(b.Values) == 0 && len(b.Cleared) == 0
}

// Store stores a batch that was made from a view, unless another writer was faster, and reports whether it did. Failures
// lose nothing but time.
func (v *View) Store(b Batch, day int64) bool {
	if v == nil || b.Empty() || v.ctx.Err() != nil {
		return false
	}
	v.end() // the one connection is needed for writing
	err := v.x.write(v.ctx, writeWait, func(tx *sql.Tx) error {
		u := update{v.ctx, tx}
		done, err := tx.ExecContext(v.ctx, "UPDATE meta SET generation = generation + 1 WHERE generation = ?", v.generation)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			return errFaster
		}
		if err := u.folder(b); err != nil {
			return err
		}
		if err := u.segments(b); err != nil {
			return err
		}
		if err := u.blobs(b, day); err != nil {
			return err
		}
		if err := u.values(b); err != nil {
			return err
		}
		return u.collect(day)
	})
	if err != nil && !isBusy(err) {
		v.note(err)
	}
	return err == nil
}

type update struct {
	ctx context.Context
	tx  *sql.Tx
}

func (u update) exec(statement string, args ...any) error {
	_, err := u.tx.ExecContext(u.ctx, statement, args...)
	return err
}

// folder writes the pages of the changed rows, and the names and lists.
func (u update) folder(b Batch) error {
	if err := u.pages(b); err != nil {
		return err
	}
	for name, list := range b.Lists {
		if err := u.list(name, list); err != nil {
			return err
		}
	}
	if b.List == nil {
		return nil
	}
	return u.list(b.Folder, *b.List)
}

func (u update) list(name string, list Folder) error {
	about := encodePage([]Row{{Stamp: list.Stamp, Data: list.Sum}})
	if list.Names == nil {
		return u.exec("UPDATE folder SET stamp = ? WHERE path = ?", about, name)
	}
	return u.exec("INSERT OR REPLACE INTO folder VALUES (?, ?, ?)", name, about, seal([]byte(strings.Join(list.Names, "\x00"))))
}

// pages changes the pages one after the other: rows are in the order of their names, so each page is written once.
func (u update) pages(b Batch) error {
	changed := map[string]*Row{}
	for i := range b.Rows {
		changed[b.Rows[i].Name] = &b.Rows[i]
	}
	for _, name := range b.Gone {
		changed[name] = nil
	}
	names := slices.Sorted(maps.Keys(changed))
	for len(names) > 0 {
		first, rows, end, err := u.pageFor(b.Folder, names[0])
		if err != nil {
			return err
		}
		here := len(names)
		if end != "" {
			here, _ = slices.BinarySearch(names, end)
		}
		if err := u.rewrite(b.Folder, first, rows, names[:here], changed); err != nil {
			return err
		}
		names = names[here:]
	}
	return nil
}

// pageFor returns the page to which a name belongs, with the first name of the page after it ("" for the last one).
func (u update) pageFor(folder, name string) (first string, rows []Row, end string, err error) {
	var page []byte
	err = u.tx.QueryRowContext(u.ctx, "SELECT first, data FROM page WHERE folder = ? AND first <= ? ORDER BY first DESC LIMIT 1", folder, name).Scan(&first, &page)
	switch {
	case err == sql.ErrNoRows:
		first = ""
	case err != nil:
		return "", nil, "", err
	default:
		if rows, err = decodePage(page, nil); err != nil {
			return "", nil, "", err
		}
	}
	err = u.tx.QueryRowContext(u.ctx, "SELECT first FROM page WHERE folder = ? AND first > ? ORDER BY first LIMIT 1", folder, name).Scan(&end)
	if err == sql.ErrNoRows {
		err = nil
	}
	return first, rows, end, err
}

// rewrite replaces one page by one or several with the changed rows.
func (u update) rewrite(folder, first string, rows []Row, names []string, changed map[string]*Row) error {
	next := make([]Row, 0, len(rows)+len(names))
	for _, r := range rows {
		if _, is := changed[r.Name]; !is {
			next = append(next, r)
			continue
		}
		if r.refs {
			if err := u.exec("DELETE FROM ref WHERE folder = ? AND name = ?", folder, r.Name); err != nil {
				return err
			}
		}
	}
	for _, name := range names {
		r := changed[name]
		if r == nil {
			continue
		}
		r.refs = len(r.Refs) > 0
		for _, target := range r.Refs {
			if err := u.exec("INSERT OR REPLACE INTO ref VALUES (?, ?, ?)", folder, target, name); err != nil {
				return err
			}
		}
		next = append(next, *r)
	}
	slices.SortFunc(next, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
	if len(rows) > 0 {
		if err := u.exec("DELETE FROM page WHERE folder = ? AND first = ?", folder, first); err != nil {
			return err
		}
	}
	size := len(next)
	if size > maxRows {
		size = pageRows
	}
	for part := range slices.Chunk(next, max(size, 1)) {
		if err := u.exec("INSERT INTO page VALUES (?, ?, ?)", folder, part[0].Name, encodePage(part)); err != nil {
			return err
		}
	}
	return nil
}
