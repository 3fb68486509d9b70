package relay

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// asker is a process that has connected. Its number may be that of another process once it has ended.
type asker struct {
	pid  int
	held *os.File // what the system keeps of the process itself
}

// isAlive reports whether the process has not ended.
func (a asker) isAlive() bool { return unix.PidfdSendSignal(int(a.held.Fd()), 0, nil, 0) == nil }

func (a asker) close() error { return a.held.Close() }

// peer returns the process that has connected, which must be of the same user.
func peer(conn *net.UnixConn) (asker, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return asker{}, err
	}
	var cred *unix.Ucred
	var failed error
	held := -1
	err = raw.Control(func(fd uintptr) {
		if cred, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); failed != nil {
			return
		}
		// The number that is known for the peer may be used again by now; this handle is that of the process which has
		// connected.
		if held, failed = unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_PEERPIDFD); errors.Is(failed, unix.ENOPROTOOPT) {
			// Before Linux 6.5, the number has to do.
			held, failed = unix.PidfdOpen(int(cred.Pid), 0)
		}
	})
	if err = cmp.Or(err, failed); err != nil {
		return asker{}, fmt.Errorf("who asks: %w", err)
	}
	a := asker{int(cred.Pid), os.NewFile(uintptr(held), "process that asks")}
	// The socket's mode keeps other users away, except for root.
	if int(cred.Uid) != os.Getuid() {
		return asker{}, errors.Join(fmt.Errorf("user %d may not ask", cred.Uid), a.close())
	}
	return a, nil
}
