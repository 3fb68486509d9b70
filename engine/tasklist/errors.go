package tasklist

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNoBox is wrapped by the error of [TickAt]: no task has its box at that offset.
var ErrNoBox = errors.New("no task box")

// ErrUndivided is wrapped by the errors of [Divide] that say why a list is not divided: it has no tasks, or they would
// all be in one part.
var ErrUndivided = errors.New("cannot be divided")

// NotFoundError says that no task has an ID.
type NotFoundError struct {
	ID   string
	Near []string // similar IDs of the list, the nearest first
}

func (e *NotFoundError) Error() string {
	if len(e.Near) == 0 {
		return fmt.Sprintf("no task %q", e.ID)
	}
	return fmt.Sprintf("no task %q (similar: %s)", e.ID, strings.Join(e.Near, ", "))
}

// AmbiguousError says that several tasks have the same ID.
type AmbiguousError struct {
	ID    string
	Lines []int // from 1
}

func (e *AmbiguousError) Error() string {
	lines := make([]string, len(e.Lines))
	for i, line := range e.Lines {
		lines[i] = fmt.Sprint(line)
	}
	return fmt.Sprintf("task %q is on several lines: %s", e.ID, strings.Join(lines, ", "))
}

// CycleError says that tasks, or the parts of a divided list, wait for each other.
type CycleError struct {
	Names []string // keys of tasks or titles of parts: each waits for the next, and the last for the first
	Parts bool     // whether they are parts
}

func (e *CycleError) Error() string {
	what := "tasks"
	if e.Parts {
		what = "parts"
	}
	return fmt.Sprintf("%s wait for each other: %s -> %s", what, strings.Join(e.Names, " -> "), e.Names[0])
}
