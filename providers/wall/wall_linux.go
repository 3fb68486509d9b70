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
	"syscall"
	"time"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

const (
	oldestABI   = 3 // truncation can be refused
	networkABI  = 4
	devicesABI  = 5
	scopeABI    = 6
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
	s.Open = append(s.Open, "sockets in the file system")
	return s
})

// Wall is around the processes that were started behind it and all their descendants.
type Wall struct {
	warden  *warden  // nil where the system does not restrict signals
	network *network // nil without a network of their own
}

// Start starts a command behind a new wall, which stands until End. Errors: those of exec.Cmd.Start, and of the system
// if it refuses the wall or a network; the command has not started then.
func Start(cmd *exec.Cmd, p Policy) (*Wall, error) {
	if s := Supported(); !s.Available {
		return nil, errors.New("no wall: " + s.Why)
	}
	type started struct {
		wall   *Wall
		thread int
		err    error
	}
	result := make(chan started, 1)
	// The restrictions of a thread cannot be taken back, so it ends with the start of the command.
	onOwnThread(func() {
		w, err := enter(cmd, p)
		result <- started{w, unix.Gettid(), err}
	})
	r := <-result
	if r.err != nil {
		return nil, r.err
	}
	// The thread is behind the wall, too, where a program could trace it, and with it this whole process, or kill it: the
	// command is stopped before its first instruction until the thread is gone.
	for pause := 10 * time.Microsecond; unix.Tgkill(os.Getpid(), r.thread, 0) == nil; pause = min(pause+pause/4, time.Millisecond) {
		time.Sleep(pause)
	}
	err := cmd.Process.Signal(unix.SIGCONT)
	if err == nil {
		err = r.wall.network.open(cmd)
	}
	if err != nil {
		err = errors.Join(err, cmd.Process.Kill(), r.wall.End())
		// It was killed.
		_ = cmd.Wait()
		return nil, err
	}
	return r.wall, nil
}

// onOwnThread runs a function on a thread that ends with it, and the restrictions of the thread too. The runtime starts no
// other thread from one that is locked.
func onOwnThread(run func()) {
	go func() {
		// It is never unlocked: that is what ends the thread.
		runtime.LockOSThread()
		if unix.Gettid() != os.Getpid() {
			run()
			return
		}
		// The runtime never ends the main thread, so this one is occupied until another has taken its place.
		taken := make(chan struct{})
		go func() {
			runtime.LockOSThread()
			close(taken)
			run()
		}()
		<-taken
		runtime.UnlockOSThread()
	}()
}

// End kills every process behind the wall, those included that have left their session, their environment and their
// parents behind, and waits until they are gone. Their network ends with them. Errors: a process lives on, as one does that
// waits for a broken disk. Where the system does not restrict signals it kills none.
func (w *Wall) End() error {
	if w == nil {
		return nil
	}
	// The services end last, after those that use them.
	defer w.network.close()
	if w.warden == nil {
		return nil
	}
	return w.warden.end()
}

// Unreached reports, after End, whether something behind the wall tried to reach what its network does not have, if that is one
// of its own.
func (w *Wall) Unreached() bool { return w != nil && w.network != nil && w.network.unreached }

// Kills reports whether End kills what is behind the wall.
func (w *Wall) Kills() bool { return w != nil && w.warden != nil }

// Contains reports whether a process is behind the wall, whatever it has cleared or detached from: only such a process can
// be signalled from in front of it. It is false where Kills is.
func (w *Wall) Contains(pid int) bool {
	if !w.Kills() || pid <= 1 || pid == w.warden.cmd.Process.Pid {
		return false
	}
	behind, err := w.warden.signal(0, pid)
	return err == nil && behind
}

// enter puts the calling thread behind the wall and starts the command from it, stopped. The caller gives up the thread,
// also after an error.
func enter(cmd *exec.Cmd, p Policy) (*Wall, error) {
	abi, err := landlock.LandlockGetABIVersion()
	if err != nil {
		return nil, err
	}
	// This comes before any rule, since a rule belongs to what is mounted.
	if p.Private {
		p.own = isolateIPC(!p.keepsInMemory(slices.Concat(p.Hide, p.Write, p.Plain, p.Show)))
	}
	p.Hide = slices.Concat(p.Hide, otherNames(p.Hide, mountsHere()))
	w := &Wall{}
	if p.Network.isOwn() {
		if w.network, err = newNetwork(cmd, *p.Network); err != nil {
			w.network.close()
			return nil, err
		}
		// This program goes in first, so it has to be readable.
		if w.network.entrance != nil {
			p.Show = append(slices.Clip(p.Show), p.Network.Enter[0])
		}
	}
	if err := restrict(abi, w, p); err != nil {
		return nil, errors.Join(fmt.Errorf("wall: %w", err), w.End())
	}
	if err := startStopped(cmd); err != nil {
		return nil, errors.Join(err, w.End())
	}
	return w, nil
}

// restrict puts the calling thread behind the wall, with a warden in front of it where the system restricts signals.
func restrict(abi int, w *Wall, p Policy) error {
	rules, err := beginRules(abi, p)
	if err != nil {
		return err
	}
	defer rules.close()
	// Without this, the kernel lets only root restrict a thread.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	// What was open when this process started, such as a file of the shell, is not for those behind the wall. An error is
	// that of an old kernel.
	_ = unix.CloseRange(3, 1<<31-1, unix.CLOSE_RANGE_CLOEXEC)
	if err := filterCalls(!hasACL(slices.Concat(p.Write, p.Plain))); err != nil {
		return err
	}
	// Where there is no service, sockets of other kinds may stay: a test may need them, and it is no limit for an agent.
	if w.network != nil && len(p.Network.Services) > 0 {
		if err := filterSockets(); err != nil {
			return err
		}
	}
	if abi >= scopeABI {
		// First the fence and the warden, then the wall: the warden is in front of the wall and behind the fence, so it can
		// signal those behind the wall and nothing else, and none of them can signal or trace it.
		if w.warden, err = newWarden(); err != nil {
			return err
		}
	}
	// What needs capabilities, mounts and the network, was done before.
	if err := dropCapabilities(); err != nil {
		return err
	}
	// The rules were made by another thread meanwhile.
	set, err := rules.wait()
	if err != nil {
		return err
	}
	return landlock.LandlockRestrictSelf(set, 0)
}

// startStopped starts a command from the calling thread, which has to be locked, and stops it before its first
// instruction. Where processes cannot be traced it is not stopped.
func startStopped(cmd *exec.Cmd) error {
	if !traceable() {
		return cmd.Start()
	}
	own := cmd.SysProcAttr
	defer func() { cmd.SysProcAttr = own }()
	traced := syscall.SysProcAttr{}
	if own != nil {
		traced = *own
	}
	// This is the way to stop a process at its start that the runtime knows.
	traced.Ptrace = true
	cmd.SysProcAttr = &traced
	if err := cmd.Start(); err != nil {
		return err
	}
	var status unix.WaitStatus
	if _, err := wait(cmd.Process.Pid, &status); err != nil || !status.Stopped() {
		return errors.Join(err, cmd.Process.Kill(), cmd.Wait())
	}
	// Detached with this signal, it stays stopped although no process traces it any more.
	if _, _, errno := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_DETACH, uintptr(cmd.Process.Pid), 0, uintptr(unix.SIGSTOP), 0, 0); errno != 0 {
		return errors.Join(errno, cmd.Process.Kill(), cmd.Wait())
	}
	return nil
}

// traceable reports whether this process can trace those that it starts: the system allows it, and no process traces it, as a
// debugger does.
var traceable = sync.OnceValue(func() bool {
	// Most systems have no such file.
	scope, _ := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	status, err := os.ReadFile("/proc/self/status")
	return err == nil && !strings.HasPrefix(string(scope), "3") && strings.Contains(string(status), "\nTracerPid:\t0\n")
})

// wait waits for the next change of a process that the calling thread traces.
func wait(pid int, status *unix.WaitStatus) (int, error) {
	for {
		got, err := unix.Wait4(pid, status, 0, nil)
		if err != unix.EINTR {
			return got, err
		}
	}
}

// scopeThread has signals of the calling thread, and of the processes that it starts, reach only each other. Moving and linking
// files from one folder to another, which any set of rules forbids that does not allow it, is allowed everywhere.
func scopeThread() error {
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
	// Any set of rules forbids moves that it does not allow, and the fence is about signals only.
	moves := landlock.PathBeneathAttr{AllowedAccess: landlock.AccessFSRefer, ParentFd: top}
	if err := landlock.LandlockAddPathBeneathRule(set, &moves, 0); err != nil {
		return err
	}
	return landlock.LandlockRestrictSelf(set, 0)
}

// ruleset is a policy as the kernel wants it. It is made on another thread, while this one starts the warden.
type ruleset struct {
	handled uint64
	top     int // the root of the file system as the thread that asked for the rules has it
	set     int
	made    chan error
}

// beginRules begins to make the rules of a policy. The caller closes them.
func beginRules(abi int, p Policy) (*ruleset, error) {
	attr := handledRights(abi, p)
	top, err := unix.Open("/", unix.O_PATH|unix.O_CLOEXEC|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	set, err := landlock.LandlockCreateRuleset(&attr, 0)
	if err != nil {
		return nil, errors.Join(err, unix.Close(top))
	}
	r := &ruleset{handled: attr.HandledAccessFS, top: top, set: set, made: make(chan error, 1)}
	// This thread may have mounts of its own, which the other sees only below top.
	go func() {
		defer close(r.made)
		r.made <- r.add(p)
	}()
	return r, nil
}

// wait returns the rules for the kernel when they are made.
func (r *ruleset) wait() (int, error) { return r.set, <-r.made }

// close waits until the rules are made, and frees them.
func (r *ruleset) close() {
	// The channel is closed, so a second wait returns at once.
	<-r.made
	_ = unix.Close(r.set)
	_ = unix.Close(r.top)
}

// add adds the rules of a policy.
func (r *ruleset) add(p Policy) error {
	rules := p.rules(entries)
	// Rules of one folder follow each other, so that it is opened once.
	slices.SortStableFunc(rules, func(a, b rule) int { return strings.Compare(filepath.Dir(a.path), filepath.Dir(b.path)) })
	from := folder{top: r.top, fd: -1}
	defer from.close()
	for _, allowed := range rules {
		if err := r.allow(allowed, &from); err != nil {
			return fmt.Errorf("%q: %w", allowed.path, err)
		}
	}
	if p.Network.isPorts() {
		for _, port := range p.Network.Ports {
			rule := landlock.NetPortAttr{AllowedAccess: landlock.AccessNetConnectTCP, Port: uint64(port)}
			if err := landlock.LandlockAddNetPortRule(r.set, &rule, 0); err != nil {
				return fmt.Errorf("port %d: %w", port, err)
			}
		}
	}
	return nil
}

// handledRights is what the wall refuses unless a rule allows it. Listing of folders is not among it: names are not secret, and
// tools list folders on their way.
func handledRights(abi int, p Policy) landlock.RulesetAttr {
	attr := landlock.RulesetAttr{HandledAccessFS: writeAccess | readAccess}
	if abi >= devicesABI {
		attr.HandledAccessFS |= landlock.AccessFSIoctlDev
	}
	if abi >= scopeABI {
		attr.Scoped = landlock.ScopeSignal | landlock.ScopeAbstractUnixSocket
	}
	if p.Network.isPorts() && abi >= networkABI {
		attr.HandledAccessNet = landlock.AccessNetConnectTCP
	}
	return attr
}

// folder is one that was opened to find what is in it: a policy names hundreds of folders of git beside each other.
type folder struct {
	top  int // the root of the file system
	path string
	fd   int // -1 if none was
}

// open opens a path without following a last link, to name it in a rule.
func (f *folder) open(path string) (int, error) {
	if dir := filepath.Dir(path); dir != f.path {
		f.close()
		fd, err := unix.Openat(f.top, "."+dir, unix.O_PATH|unix.O_CLOEXEC|unix.O_DIRECTORY, 0)
		if err != nil {
			return -1, err
		}
		f.path, f.fd = dir, fd
	}
	// A link put in the place of the path must not carry the rule elsewhere.
	return unix.Openat(f.fd, filepath.Base(path), unix.O_PATH|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
}

func (f *folder) close() {
	if f.fd >= 0 {
		_ = unix.Close(f.fd)
	}
	f.path, f.fd = "", -1
}

// allow adds a rule. A path that does not exist is not allowed anything.
func (r *ruleset) allow(allowed rule, from *folder) error {
	fd, err := from.open(allowed.path)
	// A path that does not exist cannot have a rule, and gets none if it is created later.
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
	if allowed.access&mayWrite != 0 {
		rights |= writeAccess&^madeNowhere | landlock.AccessFSIoctlDev
	}
	if allowed.access&onlyPlain != 0 {
		rights &^= madeElsewhere
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFLNK:
		// What it leads to needs a rule of its own.
		return nil
	case unix.S_IFDIR:
	default:
		// The kernel refuses rights of folders for a file.
		rights &= fileAccess
	}
	return landlock.LandlockAddPathBeneathRule(r.set, &landlock.PathBeneathAttr{AllowedAccess: rights & r.handled, ParentFd: fd}, 0)
}

// entries lists a folder; one that cannot be read has none to allow.
func entries(dir string) []fs.DirEntry {
	found, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	return found
}
