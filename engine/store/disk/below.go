package disk

import "os"

// Below reads the stamps of files by their paths below one folder, for which the kernel does not look up the folder each
// time. Several goroutines may use it at once.
type Below struct{ dir *os.File }

// OpenBelow opens a folder; Close must be called.
func OpenBelow(folder string) (Below, error) {
	dir, err := os.Open(folder)
	return Below{dir}, err
}

// Close closes the folder.
func (b Below) Close() error { return b.dir.Close() }

// Stamp returns the stamp of a regular file or a folder by its path with slashes; zero for anything else, such as a link
// and a path that does not exist.
func (b Below) Stamp(path string) Stamp { return belowStamp(b.dir, path) }
