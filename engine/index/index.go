package index

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver
)

// Name is the name of the file, below "chant" in git's common directory.
const Name = "index.db"

// Variable is the variable of the environment that says when callers use the index.
const Variable = "CHANT_INDEX"

// version is that of the tables.
const version = "6"

// Index is the database of one repository. The nil Index has nothing and stores nothing.
type Index struct {
	path   string
	format string
	db     *sql.DB

	keeper *Keeper     // gets it back; nil if none does
	folder string      // as the keeper was asked for it
	file   os.FileInfo // of the open file
}

// Open opens the index in a folder, which is created, for callers whose rows have a format. It returns nil if there can
// be none: the file system is not local or cannot be written.
func Open(ctx context.Context, folder, format string) *Index {
	if os.MkdirAll(folder, 0o755) != nil || !IsLocal(folder) {
		return nil
	}
	x := &Index{path: filepath.Join(folder, Name), format: format}
	for range 2 { // the second time with a new file
		err := x.open(ctx)
		if err == nil {
			return x
		}
		if x.db != nil {
			_ = x.db.Close() // it could not be used
		}
		if !isBroken(err) || x.setAside() != nil {
			return nil
		}
	}
	return nil
}

// Close closes the database, or gives it back to its keeper.
func (x *Index) Close() {
	if x == nil || x.keeper != nil && x.keeper.put(x) {
		return
	}
	_ = x.db.Close() // a cache: nothing can be lost
}

func (x *Index) open(ctx context.Context) error {
	// The driver sorts pragmas by their text: in quotes, that of the page size comes before the file is made.
	query := url.Values{"_pragma": {`"page_size"(32768)`, "busy_timeout(200)", "journal_mode(WAL)", "synchronous(OFF)", "temp_store(MEMORY)"}, "_txlock": {"immediate"}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(x.path), RawQuery: query.Encode()}).String())
	x.db = db
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	var format string
	err = db.QueryRowContext(ctx, "SELECT format FROM meta").Scan(&format)
	if err == nil && format == x.fullFormat() {
		return nil
	}
	if err == nil {
		return errOtherFormat
	}
	var tables int
	if countErr := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); countErr != nil {
		return countErr
	}
	if tables > 0 && isMissingTable(err) {
		return errOtherFormat
	}
	if tables > 0 {
		return err
	}
	return x.create(ctx)
}

// fullFormat is the format of all that the file contains.
func (x *Index) fullFormat() string { return "rows " + version + " " + x.format }

// create makes the tables of an empty database, unless another process was faster.
func (x *Index) create(ctx context.Context) error {
	return x.write(ctx, func(tx *sql.Tx) error {
		for _, statement := range []string{
			"CREATE TABLE IF NOT EXISTS meta (format TEXT NOT NULL, generation INTEGER NOT NULL, collected INTEGER NOT NULL)",
			"CREATE TABLE IF NOT EXISTS folder (path TEXT PRIMARY KEY, stamp BLOB NOT NULL, names BLOB NOT NULL)",
			"CREATE TABLE IF NOT EXISTS page (folder TEXT NOT NULL, first TEXT NOT NULL, data BLOB NOT NULL, UNIQUE (folder, first))",
			"CREATE TABLE IF NOT EXISTS ref (folder TEXT NOT NULL, target TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (folder, target, name)) WITHOUT ROWID",
			"CREATE TABLE IF NOT EXISTS blob (oid TEXT PRIMARY KEY, data BLOB NOT NULL, seen INTEGER NOT NULL)",
			"CREATE TABLE IF NOT EXISTS place (commit_id TEXT NOT NULL, path TEXT NOT NULL, oid TEXT NOT NULL, seen INTEGER NOT NULL, PRIMARY KEY (commit_id, path)) WITHOUT ROWID",
			"CREATE TABLE IF NOT EXISTS value (kind TEXT NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (kind, name))",
			"CREATE TABLE IF NOT EXISTS segment (kind TEXT NOT NULL, id INTEGER PRIMARY KEY AUTOINCREMENT, data BLOB NOT NULL)",
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO meta SELECT ?, 1, 0 WHERE NOT EXISTS (SELECT 1 FROM meta)", x.fullFormat())
		return err
	})
}

// write runs a transaction that may write.
func (x *Index) write(ctx context.Context, act func(*sql.Tx) error) error {
	conn, err := x.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // it goes back to the pool
	if _, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = 20"); err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := act(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// setAside renames a file that cannot be used, so that the next process begins a new one. An earlier one is replaced.
func (x *Index) setAside() error {
	_ = os.Remove(x.path + "-wal") // it belongs to the file
	_ = os.Remove(x.path + "-shm")
	err := os.Rename(x.path, x.path+".set-aside")
	if errors.Is(err, os.ErrNotExist) { // another process was faster
		return nil
	}
	return err
}
