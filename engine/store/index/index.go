package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver

	"chant/gitops/layout"
)

// Name is the name of the file, below "chant" in git's common directory.
const Name = "index.db"

// Variable is the variable of the environment that says when callers use the index.
const Variable = "CHANT_INDEX"

const (
	openWait  = time.Second           // for processes that make the file, repair it after a crash or close it
	writeWait = 20 * time.Millisecond // for other writers
)

// version is that of the tables.
const version = "7"

// Index is the database of one repository. The nil Index has nothing and stores nothing.
type Index struct {
	path   string
	format string
	db     *sql.DB
	file   os.FileInfo // of the open file, nil if there was none before
}

// Open opens the index in a folder, which is created, for callers whose rows have a format. It returns nil if there can
// be none: the file system is not local or cannot be written.
func Open(ctx context.Context, folder, format string) *Index {
	// SQLite's shared memory does not work across a network, and servers may count time in their own way.
	if layout.MkdirAll(folder) != nil || !IsLocal(folder) {
		return nil
	}
	x := &Index{path: filepath.Join(folder, Name), format: format}
	replaced := false
	for end := time.Now().Add(openWait); ; {
		err := x.open(ctx)
		if err == nil {
			// The file is a cache, which another user may do without.
			_ = layout.Share(x.path)
			return x
		}
		if x.db != nil {
			_ = x.db.Close() // it could not be used
		}
		// A locked file is waited for and never set aside: processes that open a new one together would take it away from
		// each other.
		switch {
		// SQLite itself does not wait for all locks.
		case isBusy(err) && time.Now().Before(end):
			time.Sleep(openWait / 100)
		case isBroken(err) && !replaced && x.setAside() == nil:
			replaced = true
		default:
			return nil
		}
	}
}

// Close closes the database.
func (x *Index) Close() {
	if x == nil {
		return
	}
	// The index is a cache, so nothing can be lost here.
	_ = x.db.Close()
}

func (x *Index) open(ctx context.Context) error {
	// The driver sorts pragmas by their text: in quotes, that of the page size comes before the file is made.
	query := url.Values{"_pragma": {`"page_size"(32768)`, pragmaWait(openWait), "journal_mode(WAL)", "synchronous(OFF)", "temp_store(MEMORY)"}, "_txlock": {"immediate"}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(x.path), RawQuery: query.Encode()}).String())
	x.db = db
	if err != nil {
		return err
	}
	// One connection is enough for one query, and pragmas count for a connection only.
	db.SetMaxOpenConns(1)
	// The first statement makes the file, so its identity is known only after it.
	err = x.checkFormat(ctx)
	if x.file, _ = os.Stat(x.path); !isMissingTable(err) {
		return err
	}
	var tables int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if tables == 0 {
		return x.create(ctx)
	}
	// Another process may have made the tables between the two statements, so only a second miss means a foreign file.
	if err = x.checkFormat(ctx); isMissingTable(err) {
		return errOtherFormat
	}
	return err
}

// checkFormat returns errOtherFormat if the rows have another format.
func (x *Index) checkFormat(ctx context.Context) error {
	var format string
	err := x.db.QueryRowContext(ctx, "SELECT format FROM meta").Scan(&format)
	if err == nil && format != x.fullFormat() {
		return errOtherFormat
	}
	return err
}

// fullFormat is the format of all that the file contains.
func (x *Index) fullFormat() string { return "rows " + version + " " + x.format }

// create makes the tables of an empty database, unless another process was faster.
func (x *Index) create(ctx context.Context) error {
	return x.write(ctx, openWait, func(tx *sql.Tx) error {
		// Each statement allows for a faster process: the second one to get the lock finds everything made.
		for _, statement := range []string{
			"CREATE TABLE IF NOT EXISTS meta (format TEXT NOT NULL, generation INTEGER NOT NULL)",
			"CREATE TABLE IF NOT EXISTS value (kind TEXT NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (kind, name))",
			"CREATE TABLE IF NOT EXISTS ref (name TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (name, target)) WITHOUT ROWID",
			"CREATE INDEX IF NOT EXISTS referrer ON ref (target, name)",
			// Ids are never used twice, so that a reader never takes a new segment for the one it knows.
			"CREATE TABLE IF NOT EXISTS segment (kind TEXT NOT NULL, id INTEGER PRIMARY KEY AUTOINCREMENT, data BLOB NOT NULL)",
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO meta SELECT ?, 1 WHERE NOT EXISTS (SELECT 1 FROM meta)", x.fullFormat())
		return err
	})
}

// pragmaWait is the pragma that makes SQLite wait for locks.
func pragmaWait(wait time.Duration) string {
	return fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds())
}

// write runs a transaction that may write, after waiting for other writers.
func (x *Index) write(ctx context.Context, wait time.Duration, act func(*sql.Tx) error) error {
	conn, err := x.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // it goes back to the pool
	// The wait is set for each transaction, since writers of queries must not wait as long as those that make the file.
	if _, err := conn.ExecContext(ctx, "PRAGMA "+pragmaWait(wait)); err != nil {
		return err
	}
	// The transaction takes the write lock at its beginning (_txlock), so that it never fails in the middle for another
	// writer.
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := act(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// isCurrent reports whether the open file is still the one at its path.
func (x *Index) isCurrent() bool {
	now, err := os.Stat(x.path)
	return err == nil && x.file != nil && os.SameFile(now, x.file)
}

// setAside renames a file that cannot be used, so that the next process begins a new one. An earlier one is replaced. It
// does nothing if another process has set that file aside, since the present one is new.
func (x *Index) setAside() error {
	// Another process has set the broken file aside: the present one is new and may be in use.
	if !x.isCurrent() {
		return nil
	}
	// The log belongs to this file: SQLite would apply it to the next one of this name.
	_ = os.Remove(x.path + "-wal")
	_ = os.Remove(x.path + "-shm")
	err := os.Rename(x.path, x.path+".set-aside")
	// Another process was faster.
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
