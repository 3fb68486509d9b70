package index

import (
	"errors"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// errOtherFormat means that the file is not ours, or of another version.
var errOtherFormat = errors.New("the index has another format")

// errChecksum means that a value does not have the bytes that were written.
var errChecksum = errors.New("a value of the index is broken")

// errTooLarge means that the file has outgrown maxSize.
var errTooLarge = errors.New("the index is too large")

// errFaster means that another writer has written since the reader read.
var errFaster = errors.New("another process wrote the index")

// isBroken reports whether a new file would help: the present one is broken or foreign. A locked one is neither.
func isBroken(err error) bool {
	if errors.Is(err, errOtherFormat) || errors.Is(err, errChecksum) || errors.Is(err, errTooLarge) {
		return true
	}
	// Any other error is of the machine, such as a full disk: a new file would fail in the same way.
	fault, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	// The low byte is the primary code of SQLite; the rest is a detail of it.
	switch fault.Code() & 0xff {
	// An SQL error counts as broken: our statements fit our tables, so the tables must be foreign.
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_SCHEMA,
		sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH:
		return true
	}
	return false
}

// isMissingTable reports whether a query failed because the database has no such table.
func isMissingTable(err error) bool {
	fault, ok := errors.AsType[*sqlite.Error](err)
	// SQLite has no code of its own for this.
	return ok && fault.Code()&0xff == sqlite3.SQLITE_ERROR && strings.Contains(fault.Error(), "no such table")
}

// isBusy reports whether another process writes, or makes, repairs or closes the file, at the moment.
func isBusy(err error) bool {
	if errors.Is(err, errFaster) {
		return true
	}
	fault, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch fault.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return true
	}
	return false
}
