//go:build unix

package criteria

import (
	"os"
	"path"
	"time"

	"golang.org/x/sys/unix"
)

// setLinkTime gives a symbolic link itself a time of change. os has no function for that.
func setLinkTime(root *os.Root, name string, changed time.Time) error {
	folder, err := root.Open(path.Dir(name))
	if err != nil {
		return err
	}
	defer folder.Close()
	at, err := unix.TimeToTimespec(changed)
	if err != nil {
		return err
	}
	return unix.UtimesNanoAt(int(folder.Fd()), path.Base(name), []unix.Timespec{at, at}, unix.AT_SYMLINK_NOFOLLOW)
}
