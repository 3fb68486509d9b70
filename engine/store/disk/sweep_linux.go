package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// sweep reads the stamps relative to the opened folder, which spares the kernel the path to it.
func sweep(dir *os.File, names []string, out []Stamp) {
	fd := int(dir.Fd())
	var st unix.Stat_t
	for i, name := range names {
		// A link has no stamp of what it leads to.
		if lookAt(fd, name, &st) == unix.S_IFREG {
			out[i] = statStamp(&st)
		}
	}
}

func belowStamp(dir *os.File, path string) Stamp {
	var st unix.Stat_t
	switch lookAt(int(dir.Fd()), path, &st) {
	case unix.S_IFREG, unix.S_IFDIR:
		return statStamp(&st)
	}
	return Stamp{}
}

// lookAt returns the type of a file, 0 if there is none.
func lookAt(fd int, path string, st *unix.Stat_t) uint32 {
	for {
		switch err := unix.Fstatat(fd, path, st, unix.AT_SYMLINK_NOFOLLOW); err {
		case nil:
			return st.Mode & unix.S_IFMT
		// Signals may interrupt the call on some file systems.
		case unix.EINTR:
		default:
			return 0
		}
	}
}

func statStamp(st *unix.Stat_t) Stamp {
	return Stamp{st.Mtim.Nano(), st.Ctim.Nano(), st.Size, st.Ino}
}
