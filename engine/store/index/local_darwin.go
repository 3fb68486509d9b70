package index

import "golang.org/x/sys/unix"

// IsLocal reports whether a folder is on a file system of this machine.
func IsLocal(folder string) bool {
	var st unix.Statfs_t
	return unix.Statfs(folder, &st) == nil && st.Flags&unix.MNT_LOCAL != 0
}
