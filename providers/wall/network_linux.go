package wall

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// network is one that processes have to themselves: the loopback interface, and on it the services.
type network struct {
	services  []Service
	listeners [][]net.Listener // of each service
	entrance  *entrance        // nil if the thread made the network
	serving   sync.WaitGroup
	counters  []*os.File // of the kernel, for the connections of this network
	unreached bool       // see Wall.Unreached; set by close
}

// entrance is the way to a network that only a process in it can furnish. That process is this program, which sends its
// listeners and becomes the command.
type entrance struct {
	ours, theirs *os.File
	path         string // of the command
}

// newNetwork makes a network for a command that the calling thread starts. Root makes it for the thread. Other users may make
// one only together with a process in a user namespace; the command is changed so that such a process starts first.
func newNetwork(cmd *exec.Cmd, of Network) (*network, error) {
	n := &network{services: of.Services}
	// Only root may do this for a thread.
	err := unix.Unshare(unix.CLONE_NEWNET)
	if err == nil {
		n.openCounters("thread-self")
		if n.listeners, err = furnish(n.ports(), of.Down); err != nil {
			err = fmt.Errorf("%w: %w", ErrNoNetwork, err)
		}
		return n, err
	}
	if !errors.Is(err, unix.EPERM) {
		return nil, fmt.Errorf("%w: %w", ErrNoNetwork, err)
	}
	if len(of.Enter) == 0 {
		return nil, fmt.Errorf("%w: the path of chant is unknown", ErrNoNetwork)
	}
	// The path of the command is needed before it starts, so its error is reported now.
	if cmd.Err != nil {
		return nil, cmd.Err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	n.entrance = &entrance{os.NewFile(uintptr(pair[0]), "entrance"), os.NewFile(uintptr(pair[1]), "entrance"), cmd.Path}
	words := make([]string, len(n.services))
	for i, port := range n.ports() {
		words[i] = strconv.Itoa(int(port))
	}
	if of.Down {
		words = []string{isDown}
	}
	there := strconv.Itoa(3 + len(cmd.ExtraFiles))
	// The capped slice keeps the caller's from being changed.
	cmd.ExtraFiles = append(slices.Clip(cmd.ExtraFiles), n.entrance.theirs)
	cmd.Args = slices.Concat(of.Enter, []string{there, strings.Join(words, ","), cmd.Path}, cmd.Args)
	cmd.Path = of.Enter[0]
	cmd.SysProcAttr = inOwnNetwork(cmd.SysProcAttr)
	return n, nil
}

// isDown stands in the place of the ports of a network whose loopback interface is not brought up.
const isDown = "down"

// openCounters opens the counters of the network of a process, by its name in /proc.
func (n *network) openCounters(process string) {
	for _, name := range []string{"snmp", "snmp6"} {
		// A kernel without IPv6 has no second file.
		if f, err := os.Open(filepath.Join("/proc", process, "net", name)); err == nil {
			n.counters = append(n.counters, f)
		}
	}
}

// unreachedCounters count what found no route, no listener, or no answer, as "Ip OutNoRoutes" for a value in a table.
var unreachedCounters = []string{"Ip OutNoRoutes", "Tcp AttemptFails", "Udp NoPorts", "Ip6OutNoRoutes", "Udp6NoPorts"}

// readCounters returns the counters of a network, by name: those of a table as "Ip OutNoRoutes", those of a list, one a line, as
// they are.
func readCounters(text string) map[string]string {
	out, names := map[string]string{}, map[string][]string{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		table, isTable := strings.CutSuffix(fields[0], ":")
		switch {
		case !isTable:
			out[fields[0]] = fields[1]
		case names[table] == nil:
			// The line of the names comes before that of the values.
			names[table] = fields[1:]
		default:
			for i, value := range fields[1:min(len(fields), len(names[table])+1)] {
				out[table+" "+names[table][i]] = value
			}
		}
	}
	return out
}

// closeCounters reads the counters for the last time.
func (n *network) closeCounters() {
	for _, f := range n.counters {
		text, err := io.ReadAll(f)
		f.Close()
		found := readCounters(string(text))
		if err != nil || slices.ContainsFunc(unreachedCounters, func(name string) bool { return found[name] != "" && found[name] != "0" }) {
			n.unreached = true
		}
	}
	n.counters = nil
}

// inOwnNetwork adds to the attributes of a process that it has a network and users of its own, with the right to bring up
// an interface.
func inOwnNetwork(attributes *syscall.SysProcAttr) *syscall.SysProcAttr {
	own := syscall.SysProcAttr{}
	if attributes != nil {
		own = *attributes
	}
	own.Cloneflags |= syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET
	// It needs this to bring up the interface, and gives it up before it becomes the command.
	own.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN}
	return &own
}

func (n *network) ports() []uint16 {
	ports := make([]uint16, len(n.services))
	for i, s := range n.services {
		ports[i] = s.Port
	}
	return ports
}

// furnish brings up the loopback interface in the network of the calling thread unless it stays down, and listens on ports of
// it.
func furnish(ports []uint16, down bool) ([][]net.Listener, error) {
	if down {
		return nil, nil
	}
	if err := bringUp("lo"); err != nil {
		return nil, fmt.Errorf("loopback interface: %w", err)
	}
	all := make([][]net.Listener, len(ports))
	for i, port := range ports {
		for _, host := range []string{"127.0.0.1", "::1"} {
			l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(int(port))))
			if err != nil && host == "::1" {
				// The kernel has no IPv6.
				continue
			}
			if err != nil {
				return nil, errors.Join(err, closeAll(all))
			}
			all[i] = append(all[i], l)
		}
	}
	return all, nil
}

func bringUp(name string) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, request); err != nil {
		return err
	}
	request.SetUint16(request.Uint16() | unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}

func closeAll(all [][]net.Listener) error {
	var err error
	for _, l := range slices.Concat(all...) {
		err = errors.Join(err, l.Close())
	}
	return err
}

// enterLimit is how long this program may take to become the command: it only starts, but a machine may be busy.
const enterLimit = 30 * time.Second

// open has the services listen in the network of a command that has started. It is called on a thread that is not behind
// the wall. Error: the command could not be started in the network.
func (n *network) open(cmd *exec.Cmd) error {
	if n == nil {
		return nil
	}
	if n.entrance != nil {
		if err := n.admit(cmd); err != nil {
			return err
		}
	}
	for i, s := range n.services {
		for _, l := range n.listeners[i] {
			n.serving.Go(func() { s.Serve(l) })
		}
	}
	return nil
}

// admit gives the process at the entrance the user and the group of this process, takes the listeners, and waits until it
// has become the command.
func (n *network) admit(cmd *exec.Cmd) error {
	// The process has a copy, and only without this one is its end seen here.
	n.entrance.theirs.Close()
	conn, err := net.FileConn(n.entrance.ours)
	n.entrance.ours.Close()
	if err != nil {
		return err
	}
	defer conn.Close()
	// A process that never answers must not hold up the run.
	if err := conn.SetDeadline(time.Now().Add(enterLimit)); err != nil {
		return err
	}
	if err := nameUser(cmd.Process); err != nil {
		return err
	}
	n.openCounters(strconv.Itoa(cmd.Process.Pid))
	// The process waits for this byte, since it has no user before.
	if _, err := conn.Write([]byte{0}); err != nil {
		return err
	}
	for range n.services {
		listeners, problem, err := receive(conn.(*net.UnixConn))
		if err != nil {
			return fmt.Errorf("%w: %w", ErrNoNetwork, err)
		}
		if problem != "" {
			return fmt.Errorf("%w: %s", ErrNoNetwork, problem)
		}
		n.listeners = append(n.listeners, listeners)
	}
	// The kernel closes the other end where the process becomes the command.
	answer := make([]byte, 16)
	count, err := conn.Read(answer)
	if errors.Is(err, io.EOF) || err == nil && count == 0 {
		return nil
	}
	number, bad := strconv.Atoi(string(answer[:count]))
	if err = errors.Join(err, bad); err != nil {
		return err
	}
	return &fs.PathError{Op: "start", Path: n.entrance.path, Err: syscall.Errno(number)}
}

// nameUser gives a process in a new user namespace the user and the group of this process.
func nameUser(p *os.Process) error {
	for _, file := range []struct{ name, content string }{
		// Without this, the kernel accepts no group.
		{"setgroups", "deny"},
		{"uid_map", fmt.Sprintf("%[1]d %[1]d 1", os.Geteuid())},
		{"gid_map", fmt.Sprintf("%[1]d %[1]d 1", os.Getegid())},
	} {
		if err := os.WriteFile(filepath.Join("/proc", strconv.Itoa(p.Pid), file.name), []byte(file.content), 0); err != nil {
			return err
		}
	}
	return nil
}

// receive takes the listeners of one service.
func receive(conn *net.UnixConn) (listeners []net.Listener, problem string, err error) {
	text, control := make([]byte, 512), make([]byte, unix.CmsgSpace(2*4))
	count, attached, _, _, err := conn.ReadMsgUnix(text, control)
	if err != nil {
		return nil, "", err
	}
	if attached == 0 {
		return nil, string(text[:count]), nil
	}
	messages, err := unix.ParseSocketControlMessage(control[:attached])
	if err != nil {
		return nil, "", err
	}
	for _, m := range messages {
		numbers, err := unix.ParseUnixRights(&m)
		if err != nil {
			return nil, "", err
		}
		for _, fd := range numbers {
			file := os.NewFile(uintptr(fd), "listener")
			l, err := net.FileListener(file)
			file.Close()
			if err != nil {
				return nil, "", errors.Join(err, closeAll([][]net.Listener{listeners}))
			}
			listeners = append(listeners, l)
		}
	}
	return listeners, "", nil
}

// close ends the services, and what is open to them.
func (n *network) close() {
	if n == nil {
		return
	}
	// They are of this process, and nothing depends on the answer.
	_ = closeAll(n.listeners)
	if n.entrance != nil {
		n.entrance.ours.Close()
		n.entrance.theirs.Close()
	}
	n.serving.Wait()
	n.closeCounters()
}

// Enter is the work of the process that the command Network.Enter starts, which gets the arguments that were added to it: it
// furnishes the network in which it is, sends its listeners to the process that builds the wall, and becomes the command.
// It returns only if that fails; the other process knows the error then.
func Enter(args []string) error {
	if len(args) < 4 {
		return errors.New("only chant itself enters a network")
	}
	fd, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	var ports []uint16
	down := args[1] == isDown
	for _, word := range strings.FieldsFunc(strings.TrimPrefix(args[1], isDown), func(r rune) bool { return r == ',' }) {
		port, err := strconv.ParseUint(word, 10, 16)
		if err != nil {
			return err
		}
		ports = append(ports, uint16(port))
	}
	// The end of this descriptor is how the other process learns that the command has begun.
	unix.CloseOnExec(fd)
	// Capabilities are those of a thread.
	runtime.LockOSThread()
	if _, err := unix.Read(fd, make([]byte, 1)); err != nil {
		return err
	}
	all, err := furnish(ports, down)
	if err != nil {
		return errors.Join(err, unix.Send(fd, []byte(err.Error()), 0))
	}
	for _, listeners := range all {
		if err := send(fd, listeners); err != nil {
			return err
		}
	}
	// The command must not have the right to change interfaces.
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	err = syscall.Exec(args[2], args[3:], os.Environ())
	number, is := err.(syscall.Errno)
	if !is {
		number = syscall.EINVAL
	}
	return errors.Join(err, unix.Send(fd, []byte(strconv.Itoa(int(number))), 0))
}

// send passes on the listeners of a service.
func send(fd int, listeners []net.Listener) error {
	var numbers []int
	for _, l := range listeners {
		file, err := l.(*net.TCPListener).File()
		if err != nil {
			return err
		}
		defer file.Close()
		numbers = append(numbers, int(file.Fd()))
	}
	return unix.Sendmsg(fd, []byte{0}, unix.UnixRights(numbers...), nil, 0)
}

// OwnNetwork returns why processes can have no network to themselves here, nil if they can. The answer is the same as long
// as this process lives.
var OwnNetwork = sync.OnceValue(func() error {
	// Another thread tries it, since this one would lose its network.
	made := make(chan error, 1)
	onOwnThread(func() { made <- unix.Unshare(unix.CLONE_NEWNET) })
	err := <-made
	if err == nil || !errors.Is(err, unix.EPERM) {
		return err
	}
	// For other users, only a process that starts so can show it.
	cmd := exec.Command("/bin/sh", "-c", "read x")
	cmd.Dir, cmd.Env, cmd.SysProcAttr = "/", []string{}, inOwnNetwork(nil)
	wait, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		// Behind a wall it may not be written.
		err = nameUser(cmd.Process)
		// It ends with its input, and read fails then.
		_ = wait.Close()
		_ = cmd.Wait()
	}
	if err != nil {
		return errors.New("only root may make one, or a user who may make user namespaces, which this system or container forbids")
	}
	return nil
})
