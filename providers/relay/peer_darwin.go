package relay

import (
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// asker is a process that has connected.
type asker struct{ pid int }

// isAlive is true, since the system does not say.
func (asker) isAlive() bool { return true }

func (asker) close() error { return nil }

// peer returns the process that has connected, which must be of the same user.
func peer(conn *net.UnixConn) (a asker, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return a, err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		var cred *unix.Xucred
		if cred, failed = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED); failed != nil {
			return
		}
		if int(cred.Uid) != os.Getuid() {
			failed = fmt.Errorf("user %d may not ask", cred.Uid)
			return
		}
		a.pid, failed = unix.GetsockoptInt(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	})
	return a, errors.Join(err, failed)
}
