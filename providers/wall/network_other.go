//go:build !linux

package wall

import (
	"errors"
	"runtime"
)

// OwnNetwork returns why processes can have no network to themselves on this system.
func OwnNetwork() error { return errors.New("chant has none on " + runtime.GOOS) }

// Enter refuses: no process has a network to itself on this system.
func Enter([]string) error { return OwnNetwork() }
