//go:build linux || darwin

package relay

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
)

// TestMain is also the client: its streams are what the command gets.
func TestMain(m *testing.M) {
	if socket := os.Getenv("RELAY_TEST_SOCKET"); socket != "" {
		dir, _ := os.Getwd()
		exit, err := Call(context.Background(), socket, Request{Args: os.Args[1:], Dir: dir}, os.Environ(), os.Stdin, os.Stdout, os.Stderr)
		if err != nil {
			_, _ = os.Stderr.WriteString(err.Error())
			exit = 99
		}
		os.Exit(exit)
	}
	if socket := os.Getenv("RELAY_TEST_LEAVE"); socket != "" {
		if err := leave(socket); err != nil {
			_, _ = os.Stderr.WriteString(err.Error())
			os.Exit(99)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// serving starts a server that runs the arguments with sh, but refuses "forbidden".
func serving(t *testing.T) string {
	t.Helper()
	return servingWithin(t, 0)
}

// servingWithin is serving with a limit of time for each command.
func servingWithin(t *testing.T, limit time.Duration) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "r") // the path of a socket is short
	assert.NoError(t, err)
	s := &Server{Limit: func(Request) time.Duration { return limit }, Launch: func(pid int, req Request) (providers.Launch, error) {
		if pid <= 0 || !filepath.IsAbs(req.Dir) {
			return providers.Launch{}, errors.New("no process or no folder")
		}
		if req.Args[0] == "forbidden" {
			return providers.Launch{}, errors.New("not allowed")
		}
		return providers.Launch{Path: "/bin/sh", Args: append([]string{"-c"}, req.Args...), Dir: req.Dir, Env: append([]string{"PATH=" + os.Getenv("PATH")}, req.Terminal...)}, nil
	}}
	socket := filepath.Join(dir, "s")
	assert.NoError(t, s.Listen(t.Context(), socket))
	t.Cleanup(func() { assert.NoError(t, errors.Join(s.Close(), os.RemoveAll(dir))) })
	return socket
}

// client is a process that asks the server for a command.
func client(t *testing.T, socket string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	assert.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "RELAY_TEST_SOCKET="+socket, "SECRET=of the client", "TERM=of-the-client")
	return cmd
}

// TestCall: streams, folder and exit code are those of the command, and of the environment only the terminal.
func TestCall(t *testing.T) {
	t.Parallel()
	socket := serving(t)
	cmd := client(t, socket, `cat; pwd; echo "$TERM $SECRET."; echo to stderr >&2; exit 7`)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	assert.NoError(t, err)
	var errs strings.Builder
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, strings.NewReader("from stdin\n"), &errs
	out, err := cmd.Output()
	assert.Equal(t, "from stdin\n"+dir+"\nof-the-client .\n", string(out), "%v", err)
	assert.Equal(t, "to stderr\n", errs.String(), "%v", err)
	assert.Equal(t, 7, cmd.ProcessState.ExitCode(), "%v", err)
}

// TestCall_refused: what the server refuses is an error with its reason.
func TestCall_refused(t *testing.T) {
	t.Parallel()
	out, err := client(t, serving(t), "forbidden").CombinedOutput()
	assert.Error(t, err)
	assert.Equal(t, "not allowed", string(out))
	out, err = client(t, filepath.Join(t.TempDir(), "none"), "true").CombinedOutput()
	assert.Error(t, err, "%q", out)
	assert.Contains(t, string(out), "connect")
}

// TestCall_killed: a command ends with its client.
func TestCall_killed(t *testing.T) {
	t.Parallel()
	cmd := client(t, serving(t), "trap 'echo ended; exit' TERM; echo begun; while :; do sleep 0.01; done")
	read, write, err := os.Pipe()
	assert.NoError(t, err)
	defer read.Close()
	cmd.Stdout = write
	assert.NoError(t, cmd.Start())
	write.Close()
	begun := make([]byte, 6)
	_, err = io.ReadFull(read, begun)
	assert.NoError(t, err)
	assert.Equal(t, "begun\n", string(begun))
	assert.NoError(t, errors.Join(cmd.Process.Kill(), func() error { _, err := cmd.Process.Wait(); return err }()))
	rest, err := io.ReadAll(read) // its end is that of the command and of all its descendants
	assert.NoError(t, err, "%q", rest)
	assert.Contains(t, string(rest), "ended")
}

// TestOnlyTerminal: a client cannot send a variable that a program would obey.
func TestOnlyTerminal(t *testing.T) {
	t.Parallel()
	got := terminalOnly([]string{"TERM=xterm", "LD_PRELOAD=/x.so", "PATH=/x", "HOME=", "GIT_DIR=x", "TERM=/x", "COLUMNS=80", "LANG=" + strings.Repeat("x", 300), "NO_COLOR", "LINES=1\x002"})
	assert.Equal(t, []string{"TERM=xterm", "COLUMNS=80"}, got)
}

// TestServer_limit: a command that takes too long is stopped, and its client gets the reason.
func TestServer_limit(t *testing.T) {
	t.Parallel()
	socket := servingWithin(t, time.Millisecond)
	out, err := client(t, socket, "trap '' TERM; while :; do sleep 0.01; done").CombinedOutput()
	assert.Error(t, err, "%q", out)
	assert.Contains(t, string(out), "longer than a command inside a run may")
}

// TestServer_gone: a request counts only while the process lives that has connected: its number could be that of another.
func TestServer_gone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("this system does not say whether it lives")
	}
	socket := serving(t)
	self, err := os.Executable()
	assert.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "RELAY_TEST_LEAVE="+socket)
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	assert.NoError(t, err)
	own := os.NewFile(uintptr(pair[0]), "own")
	defer own.Close()
	cmd.Stdin = os.NewFile(uintptr(pair[1]), "its")
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, "%s", out)
	carried, err := net.FileConn(own)
	assert.NoError(t, err)
	defer carried.Close()
	one, space := make([]byte, 1), make([]byte, syscall.CmsgSpace(4))
	_, n, _, _, err := carried.(*net.UnixConn).ReadMsgUnix(one, space)
	assert.NoError(t, err)
	messages, err := syscall.ParseSocketControlMessage(space[:n])
	assert.NoError(t, err, "%v", messages)
	assert.Equal(t, 1, len(messages), "%v", messages)
	fds, err := syscall.ParseUnixRights(&messages[0])
	assert.NoError(t, err)
	inherited := os.NewFile(uintptr(fds[0]), "connection")
	defer inherited.Close()
	conn, err := net.FileConn(inherited)
	assert.NoError(t, err)
	defer conn.Close()
	message, err := encode(Request{Args: []string{"echo made"}, Dir: "/"})
	assert.NoError(t, err)
	_, _, err = conn.(*net.UnixConn).WriteMsgUnix(message, syscall.UnixRights(0, 1, 2), nil)
	assert.NoError(t, err)
	var end reply
	assert.NoError(t, decode(nil, conn, &end))
	assert.Equal(t, "the process that has asked is gone", end.Err)
}

// leave connects and gives the connection away through its standard input.
func leave(socket string) error {
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return err
	}
	file, err := conn.File()
	if err != nil {
		return err
	}
	return syscall.Sendmsg(0, []byte{0}, syscall.UnixRights(int(file.Fd())), nil, 0)
}

// TestServer_garbage: a message that is not a request ends only its own connection.
func TestServer_garbage(t *testing.T) {
	t.Parallel()
	socket := serving(t)
	for _, garbage := range []string{"", "\x00", "\xff\xff\xff\xff", "\x00\x00\x00\x02{}", "GET / HTTP/1.1\r\n\r\n", strings.Repeat("\x00", 4096)} {
		conn, err := net.Dial("unix", socket)
		assert.NoError(t, err)
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		_, err = io.WriteString(conn, garbage)
		assert.NoError(t, err)
		_ = conn.(*net.UnixConn).CloseWrite()
		answer, err := io.ReadAll(conn)
		assert.False(t, err != nil && !errors.Is(err, io.EOF) && !strings.Contains(err.Error(), "reset"), "%q: %q, %v", garbage, answer, err)
		assert.False(t, strings.Contains(string(answer), `"exit":0}`) && !strings.Contains(string(answer), "error"), "%q: %q, %v", garbage, answer, err)
		conn.Close()
	}
	out, err := client(t, socket, "echo fine").CombinedOutput()
	assert.NoError(t, err)
	assert.Equal(t, "fine\n", string(out))
}
