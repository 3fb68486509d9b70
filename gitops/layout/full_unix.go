//go:build linux || darwin

package layout

import "syscall"

// minFree is the free space below which a file system counts as full: less than a run writes in each step.
const minFree = 64 << 10

// Full reports whether no space, or no room for another file, is left on the file system of a path. It is false if that
// is unknown.
func Full(path string) bool {
	var at syscall.Statfs_t
	if path == "" || syscall.Statfs(path, &at) != nil {
		return false
	}
	// Some file systems count neither blocks nor files; zeros of these mean nothing.
	return at.Blocks > 0 && uint64(at.Bavail)*uint64(at.Bsize) < minFree || at.Files > 0 && at.Ffree == 0
}

// RoomForFile reports whether there is room for another file, of whatever size, on the file system of a path; also if that is
// unknown.
func RoomForFile(path string) bool {
	var at syscall.Statfs_t
	return syscall.Statfs(path, &at) != nil || at.Files == 0 || at.Ffree > 0
}
