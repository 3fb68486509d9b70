package index

import (
	"slices"

	"golang.org/x/sys/unix"
)

// IsLocal reports whether a folder is on a file system of this machine. Unknown file systems do not count.
func IsLocal(folder string) bool {
	var st unix.Statfs_t
	if err := unix.Statfs(folder, &st); err != nil {
		return false
	}
	const zfs, bcachefs, f2fs, exfat = 0x2fc12fc1, 0xca451a4e, 0xf2f52010, 0x2011bab0
	// Only file systems that are known to be local count: a new network file system must not pass by default.
	return slices.Contains([]uint32{
		unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC,
		unix.MSDOS_SUPER_MAGIC, unix.REISERFS_SUPER_MAGIC, unix.RAMFS_MAGIC, zfs, bcachefs, f2fs, exfat,
	}, uint32(st.Type)) //nolint:gosec // a magic number of 32 bits
}
