//go:build !linux && !darwin

package wall

import (
	"errors"
	"os/exec"
	"runtime"
)

// Supported describes the wall of this system, which has none.
func Supported() State {
	return State{Why: "chant has no sandbox on " + runtime.GOOS}
}

// Start refuses: there is no wall on this system.
func Start(*exec.Cmd, Policy) (*Wall, error) { return nil, errors.New("no wall: " + Supported().Why) }

// Wall is around the processes that were started behind it.
type Wall struct{}

// End does nothing.
func (*Wall) End() error { return nil }

// Unreached reports whether something behind the wall tried to reach what its own network does not have: none has one here.
func (*Wall) Unreached() bool { return false }

// Kills is false.
func (*Wall) Kills() bool { return false }

// Contains returns false.
func (*Wall) Contains(int) bool { return false }
