//go:build unix

package relay

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
)

// Call has the server at socket run a command with the given streams, waits for its end, and returns its exit code. The
// end of ctx ends the command. environ is that of this process. Errors: the server cannot be reached, or did not run the
// command.
func Call(ctx context.Context, socket string, req Request, environ []string, in, out, errs *os.File) (int, error) {
	for _, entry := range environ {
		// Nothing else of the environment goes out, since the agent can choose it.
		if name, _, _ := strings.Cut(entry, "="); slices.Contains(terminalVariables(), name) {
			req.Terminal = append(req.Terminal, entry)
		}
	}
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	// The server ends the command then, and replies with its end.
	stop := context.AfterFunc(ctx, func() { _ = conn.CloseWrite() })
	defer stop()
	message, err := encode(req)
	if err != nil {
		return 0, err
	}
	streams := syscall.UnixRights(int(in.Fd()), int(out.Fd()), int(errs.Fd()))
	// The descriptors travel with the first byte, and the rest follows.
	if _, _, err := conn.WriteMsgUnix(message[:1], streams, nil); err != nil {
		return 0, err
	}
	if _, err := conn.Write(message[1:]); err != nil {
		return 0, err
	}
	var end reply
	if err := decode(nil, conn, &end); err != nil {
		return 0, fmt.Errorf("the run has ended: %w", err)
	}
	if end.Err != "" {
		return 0, fmt.Errorf("%s", end.Err)
	}
	return end.Exit, nil
}
