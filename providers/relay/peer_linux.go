package relay

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// peer returns the process at the other end, which must be of the same user.
func peer(conn *net.UnixConn) (int, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) { cred, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err != nil || failed != nil {
		return 0, fmt.Errorf("who asks: %w", firstOf(err, failed))
	}
	if int(cred.Uid) != os.Getuid() {
		return 0, fmt.Errorf("user %d may not ask", cred.Uid)
	}
	return int(cred.Pid), nil
}

func firstOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}
