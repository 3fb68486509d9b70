package wall

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/alecthomas/assert/v2"
	"golang.org/x/sys/unix"
)

// How the test program is started behind a wall: to enter a network, or to try to reach something.
const (
	enterWord = "enter a network"
	reachKey  = "WALL_TEST_REACH"
)

// inside runs what this program was started for behind a wall, and reports whether it was.
func inside() (ended bool, code int) {
	if len(os.Args) > 1 && os.Args[1] == enterWord {
		fmt.Println(Enter(os.Args[2:]))
		return true, 1
	}
	word, address, found := strings.Cut(os.Getenv(reachKey), "|")
	if !found {
		return false, 0
	}
	if err := attempts()[word](address); err != nil {
		fmt.Println(err)
		return true, 1
	}
	return true, 0
}

// attempts are ways to reach an address, by name.
func attempts() map[string]func(address string) error {
	return map[string]func(string) error{
		"tcp":      func(a string) error { return greet("tcp", a) },
		"udp":      func(a string) error { return greet("udp", a) },
		"unix":     func(a string) error { return greet("unix", a) },
		"fastopen": fastOpen,
		"mptcp":    multipath,
		"raw":      func(string) error { return opens(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP) },
		"packet":   func(string) error { return opens(unix.AF_PACKET, unix.SOCK_RAW, 0) },
		"vsock":    func(string) error { return opens(unix.AF_VSOCK, unix.SOCK_STREAM, 0) },
		"tipc":     func(string) error { return opens(unix.AF_TIPC, unix.SOCK_STREAM, 0) },
		"ring": func(string) error {
			_, _, errno := unix.Syscall(ringSetup, 1, 0, 0)
			if errno == unix.EFAULT { // it would have read its parameters
				return nil
			}
			return errno
		},
		"namespace": func(pid string) error {
			file, err := os.Open("/proc/" + pid + "/ns/net")
			if err != nil {
				return err
			}
			return unix.Setns(int(file.Fd()), unix.CLONE_NEWNET)
		},
		"namespace of a new user": func(pid string) error {
			out, err := exec.Command("unshare", "-Ur", "nsenter", "--net=/proc/"+pid+"/ns/net", "true").CombinedOutput()
			return errors.Join(err, errors.New(string(out)))
		},
		"own server": func(string) error {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			go answer(l)
			return greet("tcp", l.Addr().String())
		},
	}
}

// answer greets who connects.
func answer(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, "hello\n")
		conn.Close()
	}
}

// greet sends a line and reads one.
func greet(network, address string) error {
	conn, err := net.Dial(network, address)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "hello\n"); err != nil {
		return err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if line != "hello\n" {
		return fmt.Errorf("%q, %w", line, err)
	}
	return nil
}

func opens(family, kind, protocol int) error {
	fd, err := unix.Socket(family, kind, protocol)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

// fastOpen sends data with the packet that opens a connection.
func fastOpen(address string) error {
	to := netAddress(address)
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	return unix.Sendto(fd, []byte("hello\n"), unix.MSG_FASTOPEN, to)
}

func multipath(address string) error {
	const mptcp = 262
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, mptcp)
	if err != nil {
		return err
	}
	return unix.Connect(fd, netAddress(address))
}

func netAddress(address string) *unix.SockaddrInet4 {
	_, port, _ := net.SplitHostPort(address)
	number, _ := strconv.Atoi(port)
	return &unix.SockaddrInet4{Port: number, Addr: [4]byte{127, 0, 0, 1}}
}

// TestStart_ownNetwork: behind a wall with services, nothing of this machine and of others can be reached but these, and what
// the processes themselves listen on.
func TestStart_ownNetwork(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if err := OwnNetwork(); err != nil {
		t.Skip(err)
	}
	outside := map[string]string{"pid": strconv.Itoa(os.Getpid())}
	for name, at := range map[string][2]string{"tcp": {"tcp", "127.0.0.1:0"}, "tcp6": {"tcp", "[::1]:0"}, "any": {"tcp", ":0"}, "abstract": {"unix", "@chant-wall-" + rand.Text()}} {
		l, err := net.Listen(at[0], at[1])
		assert.NoError(t, err)
		defer l.Close()
		go answer(l)
		outside[name] = l.Addr().String()
	}
	echo, err := net.ListenPacket("udp", "127.0.0.1:0")
	assert.NoError(t, err)
	defer echo.Close()
	go func() {
		for {
			text := make([]byte, 100)
			count, from, err := echo.ReadFrom(text)
			if err != nil {
				return
			}
			_, _ = echo.WriteTo(text[:count], from)
		}
	}()
	outside["udp"] = echo.LocalAddr().String()
	_, port, _ := net.SplitHostPort(outside["any"])
	addresses, err := net.InterfaceAddrs()
	assert.NoError(t, err)
	for _, a := range addresses {
		if ip, is := a.(*net.IPNet); is && ip.IP.IsGlobalUnicast() {
			outside["interface"] = net.JoinHostPort(ip.IP.String(), port)
		}
	}
	const service = 20001
	for name, c := range map[string]struct {
		attempt string
		outside bool // whether it works without a network of one's own; false where nothing answers anyway
		inside  bool
	}{
		"the service":                     {"tcp|127.0.0.1:20001", false, true},
		"the service, IPv6":               {"tcp|[::1]:20001", false, true},
		"what it listens on":              {"own server|", true, true},
		"another port of this machine":    {"tcp|" + outside["tcp"], true, false},
		"the same by IPv6":                {"tcp|" + outside["tcp6"], true, false},
		"another address of this machine": {"tcp|" + outside["interface"], outside["interface"] != "", false},
		"UDP":                             {"udp|" + outside["udp"], true, false},
		"the service's port elsewhere":    {"tcp|192.0.2.1:20001", false, false},
		"a name server":                   {"udp|192.0.2.1:53", false, false},
		"an abstract socket":              {"unix|" + outside["abstract"], !abstractIsRefused(), false},
		"data with the first packet":      {"fastopen|" + outside["tcp"], true, false},
		"several paths":                   {"mptcp|" + outside["tcp"], opens(unix.AF_INET, unix.SOCK_STREAM, 262) == nil, false},
		"raw packets":                     {"raw|", false, false},
		"packets of an interface":         {"packet|", false, false},
		"the host of a virtual machine":   {"vsock|", opens(unix.AF_VSOCK, unix.SOCK_STREAM, 0) == nil, false},
		"a family of sockets":             {"tipc|", opens(unix.AF_TIPC, unix.SOCK_STREAM, 0) == nil, false},
		"a ring of requests":              {"ring|", ringWorks(), false},
		"the network of this program":     {"namespace|" + outside["pid"], false, false},
		"the same as another user":        {"namespace|of a new user " + outside["pid"], false, false},
	} {
		p := s.policy()
		assert.Equal(t, c.outside, s.reach(p, c.attempt) == nil, "%s, without a network of its own", name)
		p.Network = &Network{Enter: []string{program(t), enterWord}, Services: []Service{{service, answer}}}
		assert.Equal(t, c.inside, s.reach(p, c.attempt) == nil, "%s", name)
	}
}

func abstractIsRefused() bool { return len(Supported().Open) == 1 }

func ringWorks() bool {
	_, _, errno := unix.Syscall(ringSetup, 1, 0, 0)
	return errno == unix.EFAULT
}

func program(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	assert.NoError(t, err)
	return path
}

// TestStart_emptyNetwork: in a network without services there is only what processes listen on, if it is not down, and the wall
// knows whether they tried to reach something else.
func TestStart_emptyNetwork(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if err := OwnNetwork(); err != nil {
		t.Skip(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	defer l.Close()
	go answer(l)
	for name, c := range map[string]struct {
		attempt                  string
		down, reached, unreached bool
	}{
		"what it listens on":           {"own server|", false, true, false},
		"the same without loopback":    {"own server|", true, false, true},
		"a port of this machine":       {"tcp|" + l.Addr().String(), false, false, true},
		"the same by IPv6":             {"tcp|[::1]:9", false, false, true},
		"another machine":              {"tcp|192.0.2.1:80", false, false, true},
		"another machine by IPv6":      {"tcp|[2001:db8::1]:80", false, false, true},
		"a name server":                {"udp|192.0.2.1:53", false, false, true},
		"a name server here":           {"udp|127.0.0.53:53", false, false, true},
		"a name server without a link": {"udp|127.0.0.53:53", true, false, true},
	} {
		p := s.policy()
		p.Network = &Network{Enter: []string{program(t), enterWord}, Empty: true, Down: c.down}
		around, err := s.tryToReach(p, c.attempt)
		assert.Equal(t, c.reached, err == nil, "%s: %v", name, err)
		assert.Equal(t, c.unreached, around.Unreached(), "%s: %v", name, err)
	}
}

// reach runs an attempt behind a wall.
func (s scene) reach(p Policy, attempt string) error {
	_, err := s.tryToReach(p, attempt)
	return err
}

// tryToReach is reach, and returns the wall, which has ended.
func (s scene) tryToReach(p Policy, attempt string) (*Wall, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	cmd := exec.Command(path)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.tree, append(os.Environ(), reachKey+"="+attempt), &out, &out
	around, err := Start(cmd, p)
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	err = cmd.Wait()
	if end := around.End(); end != nil {
		return around, end
	}
	if err != nil {
		return around, fmt.Errorf("%w: %s", err, out.String())
	}
	return around, nil
}

// TestStart_ownNetworkEnds: services end with the wall, and a command that cannot start says so.
func TestStart_ownNetworkEnds(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if err := OwnNetwork(); err != nil {
		t.Skip(err)
	}
	p := s.policy()
	ended := make(chan bool, 2)
	p.Network = &Network{Enter: []string{program(t), enterWord}, Services: []Service{{20001, func(l net.Listener) {
		answer(l)
		ended <- true
	}}}}
	cmd := exec.Command("/bin/sh", "-c", "echo \"$#:$1\"; id -u; exit 3", "name", "-x --")
	var out strings.Builder
	cmd.Stdout = &out
	around, err := Start(cmd, p)
	assert.NoError(t, err)
	err = cmd.Wait()
	assert.Equal(t, 3, cmd.ProcessState.ExitCode(), "%v", err)
	assert.Equal(t, fmt.Sprintf("1:-x --\n%d\n", os.Getuid()), out.String(), "%v", err)
	assert.NoError(t, around.End())
	assert.NotEqual(t, 0, len(ended))
	_, err = Start(&exec.Cmd{Path: filepath.Join(s.tree, "missing"), Args: []string{"missing"}}, p)
	assert.IsError(t, err, syscall.ENOENT, "a command that is not there")
}

// TestStart_ownNetworkOfUser runs the tests of networks again as a user who may make one only in a user namespace.
func TestStart_ownNetworkOfUser(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("the other tests have run as a user already")
	}
	nobody := &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	dir, err := os.MkdirTemp("/tmp", "wall-")
	assert.NoError(t, err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "wall.test")
	out, err := exec.Command("cp", program(t), path).CombinedOutput()
	assert.NoError(t, err, "%s", out)
	assert.NoError(t, errors.Join(os.Chmod(dir, 0o777), os.Chmod(path, 0o755)))
	cmd := exec.Command(path, "-test.run=^TestStart_ownNetwork(Ends)?$", "-test.v")
	cmd.Dir, cmd.SysProcAttr = dir, nobody
	cmd.Env = append(slices.Clone(os.Environ()), "TMPDIR="+dir, "HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	} else if strings.Contains(string(out), "SKIP") {
		t.Skipf("%s", out)
	}
}
