package rootdir

import "io/fs"

// Nonblock is nothing here: no pipe has a place in a folder.
const Nonblock = 0

// Linked reports whether a file has more than one name, which is not known here.
func Linked(fs.FileInfo) bool { return false }

// TooDeep reports whether a path is longer than the system takes.
func TooDeep(error) bool { return false }
