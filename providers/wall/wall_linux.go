package wall

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"chant/providers/wall/door"

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
	// Device files are made nowhere: root could write to a disk through one of its own.
	madeNowhere = landlock.AccessFSMakeChar | landlock.AccessFSMakeBlock
	// Where only files and folders may be made, a folder that contains something else cannot be moved in either.
	madeElsewhere = landlock.AccessFSMakeSym | landlock.AccessFSMakeFifo | landlock.AccessFSMakeSock | landlock.AccessFSRefer
	readAccess    = landlock.AccessFSReadFile | landlock.AccessFSExecute
	fileAccess    = readAccess | landlock.AccessFSWriteFile | landlock.AccessFSTruncate | landlock.AccessFSIoctlDev
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
	end    chan struct{}
	ended  chan struct{}
	fenced bool // End kills
}

// Start starts a command behind a new wall, which stands until End. Errors: those of exec.Cmd.Start, and of the system
// if it refuses the wall; the command has not started then.
func Start(cmd *exec.Cmd, p Policy) (*Wall, error) { return build(p, cmd) }

// Around starts a command behind a new wall. Nothing ends what the command leaves.
func Around(cmd *exec.Cmd, p Policy) error {
	w, err := build(p, cmd)
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

// Kills reports whether End kills what is behind the wall.
func (w *Wall) Kills() bool { return w != nil && w.fenced }

// build starts a process from a thread of its own, which then waits for End. The thread is in front of the wall, whose
// processes can neither signal nor trace it, and behind a fence, which lets it signal none but them.
func build(p Policy, cmd *exec.Cmd) (*Wall, error) {
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
		var err error
		w.fenced, err = enter(p, cmd)
		started <- err
		if err != nil {
			return
		}
		if _, kill := <-w.end; kill && w.fenced {
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

// enter starts a command behind the wall, and the calling thread, which gives up new privileges, behind the fence. fenced
// reports whether there is one: without it, a signal to all would be one to all.
func enter(p Policy, cmd *exec.Cmd) (fenced bool, err error) {
	abi, err := landlock.LandlockGetABIVersion()
	if err != nil {
		return false, err
	}
	rules, err := ruleset(abi, p)
	if err != nil {
		return false, fmt.Errorf("wall: %w", err)
	}
	defer rules.Close()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return false, fmt.Errorf("wall: no new privileges: %w", err)
	}
	// What was open when this process started, such as a file of the shell, is not for those behind the wall. An error is
	// that of an old kernel.
	_ = unix.CloseRange(3, 1<<31-1, unix.CLOSE_RANGE_CLOEXEC)
	if err := filterCalls(); err != nil {
		return false, fmt.Errorf("wall: %w", err)
	}
	if fenced = abi >= scopeABI; fenced {
		if err := fence(); err != nil {
			return false, fmt.Errorf("wall: %w", err)
		}
	}
	return fenced, door.Enter(cmd, rules)
}

// fence has signals of the calling thread, and of the processes that it starts, reach only each other. Moving and linking
// files from one folder to another, which any set of rules forbids that does not allow it, is allowed everywhere.
func fence() error {
	attr := landlock.RulesetAttr{Scoped: landlock.ScopeSignal, HandledAccessFS: landlock.AccessFSRefer}
	set, err := landlock.LandlockCreateRuleset(&attr, 0)
	if err != nil {
		return err
	}
	defer unix.Close(set)
	top, err := unix.Open("/", unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(top)
	moves := landlock.PathBeneathAttr{AllowedAccess: landlock.AccessFSRefer, ParentFd: top}
	if err := landlock.LandlockAddPathBeneathRule(set, &moves, 0); err != nil {
		return err
	}
	return landlock.LandlockRestrictSelf(set, 0)
}

// ruleset is a policy as the kernel wants it.
func ruleset(abi int, p Policy) (*os.File, error) {
	attr := handled(abi, p)
	fd, err := landlock.LandlockCreateRuleset(&attr, 0)
	if err != nil {
		return nil, err
	}
	set := os.NewFile(uintptr(fd), "rules of the wall")
	rules := p.rules(entries)
	slices.SortStableFunc(rules, func(a, b rule) int { return strings.Compare(filepath.Dir(a.path), filepath.Dir(b.path)) })
	from := folder{fd: -1}
	defer from.close()
	for _, r := range rules {
		if err := allow(fd, attr.HandledAccessFS, r, &from); err != nil {
			return nil, errors.Join(fmt.Errorf("%q: %w", r.path, err), set.Close())
		}
	}
	if p.Network != nil {
		for _, port := range p.Network.Ports {
			rule := landlock.NetPortAttr{AllowedAccess: landlock.AccessNetConnectTCP, Port: uint64(port)}
			if err := landlock.LandlockAddNetPortRule(fd, &rule, 0); err != nil {
				return nil, errors.Join(fmt.Errorf("port %d: %w", port, err), set.Close())
			}
		}
	}
	return set, nil
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

// folder is one that was opened to find what is in it: a policy names hundreds of folders of git beside each other.
type folder struct {
	path string
	fd   int // -1 if none was
}

// open opens a path without following a last link, to name it in a rule.
func (f *folder) open(path string) (int, error) {
	if dir := filepath.Dir(path); dir != f.path {
		f.close()
		fd, err := unix.Open(dir, unix.O_PATH|unix.O_CLOEXEC|unix.O_DIRECTORY, 0)
		if err != nil {
			return -1, err
		}
		f.path, f.fd = dir, fd
	}
	return unix.Openat(f.fd, filepath.Base(path), unix.O_PATH|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
}

func (f *folder) close() {
	if f.fd >= 0 {
		_ = unix.Close(f.fd)
	}
	f.path, f.fd = "", -1
}

// allow adds a rule. A path that does not exist is not allowed anything.
func allow(set int, handled uint64, r rule, from *folder) error {
	fd, err := from.open(r.path)
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
		rights |= writeAccess&^madeNowhere | landlock.AccessFSIoctlDev
	}
	if r.access&onlyPlain != 0 {
		rights &^= madeElsewhere
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
