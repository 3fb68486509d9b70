package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
)

// This file finds out whether a failure has a simple reason: no space is left on a file system. Where programs do not say
// so, layout.Full asks the system.

// FullIn returns the folder or file on whose file system no space is left, if an error says so, and whether it does. The path
// is "" if the error names none.
func FullIn(err error) (path string, full bool) {
	// A quota that is used up is the same to the user: only removing files helps.
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		return "", false
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return NearestExisting(filepath.Dir(at.Path)), true
	}
	return "", true
}

// NearestExisting returns a path, or the nearest folder above it that is there.
func NearestExisting(path string) string {
	for above := filepath.Dir(path); above != path; path, above = above, filepath.Dir(above) {
		// What was being made may have been removed already.
		if _, err := os.Lstat(path); err == nil {
			break
		}
	}
	return path
}

// SaysFull reports whether a program has said that no space is left.
func SaysFull(output string) bool { return words().MatchString(output) }

var words = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)no space left on device|out of diskspace|disk quota exceeded|not enough space on the disk`)
})
