package wall

import (
	"errors"
	"io/fs"
	"net"
	"path/filepath"
	"slices"
	"strings"
)

// Policy says what processes behind a wall may do. Paths are absolute and without links.
type Policy struct {
	Write []string // files and folders with everything below; reading is included
	Plain []string // as Write, but nothing can be made there except files and folders, nor moved there from another folder
	Hide  []string // files and folders that cannot be read, unless Write or Show has them or what is below
	Show  []string // exceptions from Hide that may be read
	// Read is all that may be read beside Write and Show; nil = everything.
	Read []string
	// Network limits connections; nil = none is refused.
	Network *Network
	// Private lets processes share memory and, where the system can give them terminals of their own, have those: where it
	// can, the memory is theirs alone, too.
	Private bool
	// Terminals, with Private, lets them have all terminals of this user where the system cannot give them their own.
	Terminals bool

	own bool // the system has given them their own
}

// Network says what processes may connect to: TCP ports, with other protocols not limited, or what is in a network that they
// have to themselves.
type Network struct {
	Ports []uint16
	// Services, if there are any, are all that can be reached, in a network that the processes have to themselves: nothing
	// is in it but these and what the processes listen on. Ports does not count then.
	Services []Service
	// Empty gives processes a network to themselves without services. With Down they cannot even connect to each other.
	Empty, Down bool
	// Enter is a command of this program, to which arguments are added, that calls Enter. It is needed for users who may
	// make a network only together with a process in it.
	Enter []string
}

// ErrNoNetwork says that processes could not be given a network to themselves, although the system can make one: it may have too
// many.
var ErrNoNetwork = errors.New("a network of their own")

// isOwn reports whether processes have a network to themselves.
func (n *Network) isOwn() bool { return n != nil && (len(n.Services) > 0 || n.Empty) }

// isPorts reports whether they may connect only to certain ports.
func (n *Network) isPorts() bool { return n != nil && !n.isOwn() }

// Service is what listens on a TCP port of the loopback interface in a network of processes. Serve accepts connections, in
// this process, until accepting fails since the wall has ended, and returns when all of them have ended.
type Service struct {
	Port  uint16
	Serve func(net.Listener)
}

// State says whether the system can make a wall.
type State struct {
	Available bool
	Why       string   // why it is not available, "" if it is
	Name      string   // of what makes the wall: "Landlock ABI 7"
	Open      []string // what this system does not restrict, although a newer one would
}

// rule allows access to a file, or to a folder and everything below it.
type rule struct {
	path   string
	access access
}

// access is a set of rights.
type access int

const (
	mayRead access = 1 << iota
	mayWrite
	onlyPlain // mayWrite does not include making links, pipes and sockets
)

// devices are the files of the system that programs expect. All others are hidden: a disk, or a terminal in which a
// person types, can be opened by its owner.
func devices() []string {
	return []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
}

// Where devices are, and among them terminals, what makes one, and a folder in the memory of the machine.
const (
	deviceDir    = "/dev"
	terminalDir  = "/dev/pts"
	newTerminal  = "/dev/ptmx"
	ownTerminal  = "/dev/tty"
	sharedMemory = "/dev/shm"
)

// Writable lists the files and folders that may be written.
func (p Policy) Writable() []string { return slices.Concat(p.writablePaths(), p.Plain) }

// writablePaths lists where anything may be written and made: the paths of the policy and the devices.
func (p Policy) writablePaths() []string {
	out := append(devices(), p.Write...)
	if p.Private && (p.own || p.Terminals) {
		out = append(out, terminalDir, newTerminal, ownTerminal)
	}
	if p.Private && !p.keepsInMemory(p.Hide) {
		out = append(out, sharedMemory)
	}
	return out
}

// keepsInMemory reports whether one of the paths is in shared memory, as when a whole project lies there.
func (p Policy) keepsInMemory(paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool { return isWithin(sharedMemory, path) })
}

// lister returns the entries of a folder; nothing if it cannot be read.
type lister func(dir string) []fs.DirEntry

// rules lists what a policy allows: first what may be written, then what may be read.
func (p Policy) rules(list lister) []rule {
	var out []rule
	for _, path := range p.writablePaths() {
		out = append(out, rule{path, mayRead | mayWrite})
	}
	for _, path := range p.Plain {
		out = append(out, rule{path, mayRead | mayWrite | onlyPlain})
	}
	for _, path := range p.Show {
		out = append(out, rule{path, mayRead})
	}
	if p.Read == nil {
		around := p
		// Devices have rules of their own; shared memory is among them and is readable like other folders.
		around.Hide = append(slices.Clip(p.Hide), deviceDir)
		return p.appendReadable(around.appendReadable(out, string(filepath.Separator), list), sharedMemory, list)
	}
	for _, top := range p.Read {
		out = p.appendReadable(out, top, list)
	}
	return out
}

// appendReadable appends rules with which everything below a path can be read but what is hidden. Links get no rule:
// what they lead to has its own.
func (p Policy) appendReadable(out []rule, path string, list lister) []rule {
	switch {
	case slices.ContainsFunc(p.Hide, func(hidden string) bool { return isWithin(hidden, path) }):
		return out
	case !slices.ContainsFunc(p.Hide, func(hidden string) bool { return isWithin(path, hidden) }):
		return append(out, rule{path, mayRead})
	}
	for _, entry := range list(path) {
		// A link needs no rule: what it leads to has its own.
		if entry.Type()&fs.ModeSymlink == 0 {
			out = p.appendReadable(out, filepath.Join(path, entry.Name()), list)
		}
	}
	return out
}

// MayWrite reports whether the policy allows writing to a path.
func (p Policy) MayWrite(path string) bool {
	return slices.ContainsFunc(p.Writable(), func(top string) bool { return isWithin(top, path) })
}

// MayRead reports whether the policy allows reading a path.
func (p Policy) MayRead(path string) bool {
	is := func(top string) bool { return isWithin(top, path) }
	switch {
	case p.MayWrite(path) || slices.ContainsFunc(p.Show, is):
		return true
	case slices.ContainsFunc(p.Hide, is), isWithin(deviceDir, path) && !isWithin(sharedMemory, path):
		return false
	}
	return p.Read == nil || slices.ContainsFunc(p.Read, is)
}

// isWithin reports whether a path is a folder or below it.
func isWithin(folder, path string) bool {
	if path == folder {
		return true
	}
	if !strings.HasSuffix(folder, string(filepath.Separator)) {
		folder += string(filepath.Separator)
	}
	return strings.HasPrefix(path, folder)
}
