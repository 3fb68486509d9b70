package criteria

import (
	"io/fs"
	"syscall"
	"time"
)

// stamp is what the kernel records about a file: it changes with every write, even if the writer
// resets the time of modification.
type stamp struct {
	seconds, nanos int64 // of the last change of content or metadata
	inode          uint64
}

func stampOf(info fs.FileInfo) stamp {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return stamp{}
	}
	return stamp{int64(st.Ctimespec.Sec), int64(st.Ctimespec.Nsec), st.Ino} //nolint:unconvert // 32 bits on some machines
}

func (s stamp) known() bool { return s != stamp{} }

func (s stamp) changed() time.Time { return time.Unix(s.seconds, s.nanos) }
