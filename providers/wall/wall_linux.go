package wall

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"sync"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

const (
	oldestABI   = 3 // truncation can be refused
	networkABI  = 4
	devicesABI  = 5
	scopeABI    = 6
	socketsABI  = 9
	writeAccess = landlock.AccessFSWriteFile | landlock.AccessFSRemoveDir | landlock.AccessFSRemoveFile | landlock.AccessFSMakeChar |
		landlock.AccessFSMakeDir | landlock.AccessFSMakeReg | landlock.AccessFSMakeSock | landlock.AccessFSMakeFifo |
		landlock.AccessFSMakeBlock | landlock.AccessFSMakeSym | landlock.AccessFSRefer | landlock.AccessFSTruncate
	readAccess = landlock.AccessFSReadFile | landlock.AccessFSExecute
	fileAccess = readAccess | landlock.AccessFSWriteFile | landlock.AccessFSTruncate | landlock.AccessFSIoctlDev
)

// Supported describes the wall of this system. The answer is the same as long as the process lives.
var Supported = sync.OnceValue(func() State {
	abi, err := landlock.LandlockGetABIVersion()
	switch {
	case errors.Is(err, unix.ENOSYS):
		return State{Why: "this kernel was built without Landlock"}
	case errors.Is(err, unix.EOPNOTSUPP):
		return State{Why: "Landlock is disabled; add it to the lsm= parameter of the kernel"}
	case err != nil:
		return State{Why: "Landlock: " + err.Error()}
	case abi < oldestABI:
		return State{Why: fmt.Sprintf("this kernel has ABI %d of Landlock; chant needs 3 (Linux 6.2)", abi)}
	}
	s := State{Available: true, Name: fmt.Sprintf("Landlock ABI %d", abi)}
	if abi < networkABI {
		s.Open = append(s.Open, "TCP ports (Linux 6.7)")
	}
	if abi < scopeABI {
		s.Open = append(s.Open, "signals and abstract sockets (Linux 6.12)")
	}
	if abi < socketsABI {
		s.Open = append(s.Open, "sockets in the file system")
	}
	return s
})

// Wall is around the processes that were started behind it and all their descendants.
type Wall struct {
	end   chan struct{}
	ended chan struct{}
}

// Start starts a command behind a new wall, which stands until End. Errors: those of exec.Cmd.Start, and of the system
// if it refuses the wall; the command has not started then.
func Start(cmd *exec.Cmd, p Policy) (*Wall, error) { return build(p, cmd.Start) }

// Around calls a function that starts a process, which is then behind a wall. Nothing ends what the process leaves.
func Around(p Policy, start func() error) error {
	w, err := build(p, start)
	if err == nil {
		close(w.end)
	}
	return err
}

// End kills every process behind the wall, those included that have left their session, their environment and their
// parents behind. Where the system does not restrict signals it kills none.
func (w *Wall) End() {
	if w != nil {
		w.end <- struct{}{}
		<-w.ended
	}
}

// build starts a process on a thread of its own, which is behind the wall too and waits for End.
func build(p Policy, start func() error) (*Wall, error) {
	if s := Supported(); !s.Available {
		return nil, errors.New("no wall: " + s.Why)
	}
	w := &Wall{end: make(chan struct{}), ended: make(chan struct{})}
	started := make(chan error)
	go func() {
		defer close(w.ended)
		// The thread is never unlocked, so it ends with this goroutine, and its restrictions with it. The runtime starts
		// no other thread from a locked one.
		runtime.LockOSThread()
		scoped, err := restrict(p)
		if err == nil {
			err = start()
		}
		started <- err
		if err != nil {
			return
		}
		if _, kill := <-w.end; kill && scoped {
			killAll()
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return w, nil
}

// killAll kills every process that the calling thread may signal, which its wall limits to those behind it. The kernel
// lets no process escape by a fork meanwhile; the second time is for one that was not yet behind the wall.
func killAll() {
	for range 2 {
		_ = unix.Kill(-1, unix.SIGKILL) // an error says that there is none
	}
}

// restrict builds the wall around the calling thread. scoped reports whether signals end at it.
func restrict(p Policy) (scoped bool, err error) {
	abi, err := landlock.LandlockGetABIVersion()
	if err != nil {
		return false, err
	}
	attr := handled(abi, p)
	set, err := landlock.LandlockCreateRuleset(&attr, 0)
	if err != nil {
		return false, fmt.Errorf("create the rules of the wall: %w", err)
	}
	defer unix.Close(set)
	for _, r := range p.rules(entries) {
		if err := allow(set, attr.HandledAccessFS, r); err != nil {
			return false, fmt.Errorf("wall: %q: %w", r.path, err)
		}
	}
	if p.Network != nil {
		for _, port := range p.Network.Ports {
			rule := landlock.NetPortAttr{AllowedAccess: landlock.AccessNetConnectTCP, Port: uint64(port)}
			if err := landlock.LandlockAddNetPortRule(set, &rule, 0); err != nil {
				return false, fmt.Errorf("wall: port %d: %w", port, err)
			}
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return false, fmt.Errorf("wall: no new privileges: %w", err)
	}
	if err := filterCalls(); err != nil {
		return false, fmt.Errorf("wall: %w", err)
	}
	if err := landlock.LandlockRestrictSelf(set, 0); err != nil {
		return false, fmt.Errorf("wall: %w", err)
	}
	return attr.Scoped&landlock.ScopeSignal != 0, nil
}

// handled is what the wall refuses unless a rule allows it. Listing of folders is not among it: names are not secret, and
// tools list folders on their way.
func handled(abi int, p Policy) landlock.RulesetAttr {
	attr := landlock.RulesetAttr{HandledAccessFS: writeAccess | readAccess}
	if abi >= devicesABI {
		attr.HandledAccessFS |= landlock.AccessFSIoctlDev
	}
	if abi >= scopeABI {
		attr.Scoped = landlock.ScopeSignal | landlock.ScopeAbstractUnixSocket
	}
	if p.Network != nil && abi >= networkABI {
		attr.HandledAccessNet = landlock.AccessNetConnectTCP
	}
	return attr
}

// allow adds a rule. A path that does not exist is not allowed anything.
func allow(set int, handled uint64, r rule) error {
	fd, err := unix.Open(r.path, unix.O_PATH|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.EACCES) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	rights := uint64(readAccess)
	if r.access&mayWrite != 0 {
		rights |= writeAccess | landlock.AccessFSIoctlDev
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFLNK:
		return nil // what it leads to needs a rule of its own
	case unix.S_IFDIR:
	default:
		rights &= fileAccess
	}
	return landlock.LandlockAddPathBeneathRule(set, &landlock.PathBeneathAttr{AllowedAccess: rights & handled, ParentFd: fd}, 0)
}

// entries lists a folder; one that cannot be read has none to allow.
func entries(dir string) []fs.DirEntry {
	found, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	return found
}
