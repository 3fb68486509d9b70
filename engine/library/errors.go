package library

import "chant/engine/command"

// NotFoundError is about a command that an agent does not have.
type NotFoundError struct {
	Agent string
	command.Name
}

// Error names the command as climpt does, with its agent.
func (e *NotFoundError) Error() string {
	return "no command " + e.Agent + "-" + e.Name.String()
}

// RegistryError is about the commands of an agent that cannot be read.
type RegistryError struct {
	Path    string // of the registry, relative to the top of the project where it is below it
	Details string
}

// Error is the path with what is wrong.
func (e *RegistryError) Error() string { return e.Path + ": " + e.Details }

// ExecutionError is about a command that cannot be rendered.
type ExecutionError struct {
	Command string // as a command line of climpt, such as "climpt-git group-commit unstaged-changes"
	Stderr  string // what is wrong
}

// Error is what is wrong, with the command.
func (e *ExecutionError) Error() string { return e.Command + ": " + e.Stderr }

// Refuse makes an *ExecutionError of what is wrong with the options of a command.
func (l *Library) Refuse(name command.Name, err error) error {
	return &ExecutionError{l.line(name), err.Error()}
}
