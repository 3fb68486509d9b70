// Package index is the database that remembers what was read, so that queries need not read it again: one SQLite file
// in git's common directory. It has named values, which names refer to which, and segments of search indexes; what their
// bytes mean is known to the callers only.
//
// # Rules
//
//   - It is a cache: deleting the file costs time and nothing else, and nothing is stored only here.
//   - It is never the reason for an error. A file that is broken, foreign or of another format is set aside and replaced;
//     if it can be neither read nor written, or stays locked, callers work without it. The nil Index is such an index.
//   - A value that was derived from a file is used only if the stamp of the file is still the same (disk.Stamp).
//     Callers compare.
//   - Readers see one generation. A writer writes one batch in one transaction, and only if no other writer was faster:
//     otherwise it leaves the work to the next query. No process waits for a writer.
//   - It is used on local file systems only. SQLite's shared memory does not work across a network, and servers may
//     count time in their own way.
//   - A file that is too large is set aside.
//
// # Decisions
//
// 2026-11-29: rows of specs, blobs and lists are values like those of every caller, one SQL row each, and this package does
// not know what they mean. This reverses pages of 64 rows in a BLOB of their own with code that splits and merges them, and
// tables of blobs and places that counted days: with rows read from the driver itself, 10,000 specs take as much
// processor time as before (old and new in turn, least of 9: list 113 and 119 ms, ready 84 and 87, show 34 and 36, search
// 59 and 59, add 42 and 47). Values that nothing needs any longer stay until the file is too large; a version of a spec
// takes some 300 bytes.
//
// 2026-11-26: large values are read from the driver itself. Rejected: database/sql, which copies each value once more (34 MB
// for a search in Go's library, which then had 120 MiB instead of 87); and many small rows, which must be put together.
//
// 2026-11-24: a locked file is waited for, for a second, and left alone after that. Rejected: setting it aside, as before.
// Processes that opened a new file at the same time, or while the last one closed it, took it away from each other,
// and what they had indexed was lost with it.
//
// 2026-11-24: tables with large BLOBs have row ids, and pages are 32 KiB. Rejected: tables without row ids, in which SQLite
// reads all of a large row to compare its key (the unchanged code of Go's library took 132 ms to check, 95 now); and pages
// of 4 KiB, one read of the system for each (70 ms with the larger ones).
//
// 2026-11-23: what is derived of many commits is kept as named values, one SQL row each, of which one statement reads
// as many as are needed. Rejected: pages as of rows, since of the histories of specs a query needs a few from anywhere.
//
// 2026-11-23: the database is opened for each query and closed after it. Rejected: keeping it open, because a deleted or
// replaced file would go unnoticed. From 2026-11-23 to 2026-11-29 servers kept it open and compared the identity of its file
// before each query; without that, a page of 50 of 10,000 specs and one spec take a server as long as with it (least of 60,
// in turn on a busy machine: 26.5 and 26.4 ms, 0.67 and 0.71 ms).
//
// 2026-11-23: nothing is flushed to the disk (synchronous = OFF). A loss of power may break the file, which checksums
// and SQLite's own checks detect. Rejected: flushing, which costs more than reading the specs again.
package index
