package providers

import (
	"errors"
	"fmt"
)

// ErrStillAlive is returned by Stop when a process outlived SIGKILL, which
// happens only to one that hangs in the kernel or belongs to another user.
var ErrStillAlive = errors.New("process is still alive")

// ConfigError says that a provider's definition or a spec asks for something
// that cannot be run.
type ConfigError struct {
	Provider string
	Msg      string
	Settings bool // it is the project's settings that ask for it, not a definition or a spec
}

// Error names the setting and what is wrong with it.
func (e *ConfigError) Error() string {
	return fmt.Sprintf("provider %q: %s", e.Provider, e.Msg)
}

// MissingError says that a binary is not there: not on the PATH of the run, or
// not at the path the provider names, or not executable.
type MissingError struct {
	Provider string // "" when no provider asked, as for the shell of a Command
	Binary   string
}

// Error names the program that is missing.
func (e *MissingError) Error() string {
	if e.Provider == "" {
		return fmt.Sprintf("program %q not found", e.Binary)
	}
	return fmt.Sprintf("provider %q: program %q not found", e.Provider, e.Binary)
}

// FormatError says that the system cannot start a file as a program.
type FormatError struct{ Binary string }

// Error names the file and what is usually wrong with it.
func (e *FormatError) Error() string {
	return fmt.Sprintf("program %q cannot be started: exec format error (it is built for another system, or a script without a first line such as #!/bin/sh)", e.Binary)
}
