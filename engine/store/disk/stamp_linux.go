package disk

import (
	"io/fs"
	"syscall"
)

func infoStamp(info fs.FileInfo) Stamp {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Stamp{}
	}
	return Stamp{st.Mtim.Nano(), st.Ctim.Nano(), st.Size, st.Ino}
}
