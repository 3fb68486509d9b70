package wall

import (
	"errors"
	"os"
	"os/exec"
)

// sandboxExec is the program of macOS that applies a profile and then executes another program.
const sandboxExec = "/usr/bin/sandbox-exec"

// Supported describes the wall of this system.
func Supported() State {
	if _, err := os.Stat(sandboxExec); err != nil {
		return State{Why: sandboxExec + " is missing"}
	}
	return State{Available: true, Name: "sandbox-exec", Open: []string{"sockets in the file system"}}
}

// Wall is around the processes that were started behind it.
type Wall struct{}

// End does nothing: the system cannot kill all processes behind a wall.
func (*Wall) End() error { return nil }

// Unreached reports whether something behind the wall tried to reach what its own network does not have: none has one here.
func (*Wall) Unreached() bool { return false }

// Kills is false.
func (*Wall) Kills() bool { return false }

// Contains returns false.
func (*Wall) Contains(int) bool { return false }

// Start starts a command behind the wall.
func Start(cmd *exec.Cmd, p Policy) (*Wall, error) {
	if cmd.Err != nil {
		return nil, cmd.Err
	}
	if s := Supported(); !s.Available {
		return nil, errors.New("no wall: " + s.Why)
	}
	if p.Network.isOwn() {
		return nil, OwnNetwork()
	}
	cmd.Args = append([]string{sandboxExec, "-p", p.profile(), cmd.Path}, cmd.Args[1:]...)
	cmd.Path = sandboxExec
	return &Wall{}, cmd.Start()
}
