// Package disk replaces files as a whole: a reader sees the old bytes or the new ones,
// and a crash leaves one of them.
//
// It never follows a link at the path, creates no folder and takes no lock.
//
// # Decisions
//
// 2026-11-23: one function for specs, hooks and files that a command is asked to write.
// Rejected: a function of engine/store, which the entry points may not import; and one of
// gitops, which does not write files that people name.
package disk

import "io/fs"

// Options say how Write writes a file.
type Options struct {
	// Temp is the folder of the temporary file. If it is empty or on another file system,
	// the temporary file is beside the one to write.
	Temp string
	// Mode is the mode of the file. With 0 an existing file keeps its mode, and a new one gets 0644 as
	// far as the umask allows.
	Mode fs.FileMode
}
