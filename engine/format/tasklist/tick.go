package tasklist

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Tick returns the file with the box of the task with that ID ticked or not. One byte differs, or none if the box is
// as wanted. The case of the ID and white space around it do not matter. The error is a [*NotFoundError] or an
// [*AmbiguousError].
func Tick(src []byte, id string, done bool) ([]byte, error) {
	id = strings.TrimSpace(id)
	l := Parse(src)
	var found []Task
	for _, t := range l.Tasks {
		if t.ID != "" && strings.EqualFold(t.ID, id) {
			found = append(found, t)
		}
	}
	switch len(found) {
	case 0:
		return nil, &NotFoundError{ID: id, Near: l.findSimilar(id)}
	case 1:
		return set(src, found[0], done), nil
	}
	ambiguous := &AmbiguousError{ID: id}
	for _, t := range found {
		ambiguous.Lines = append(ambiguous.Lines, t.Line)
	}
	return nil, ambiguous
}

// TickAt is [Tick] for the task whose box is at an offset, as [Task.Offset] says. The error wraps [ErrNoBox].
func TickAt(src []byte, offset int, done bool) ([]byte, error) {
	for _, t := range Parse(src).Tasks {
		if t.Offset == offset {
			return set(src, t, done), nil
		}
	}
	return nil, fmt.Errorf("%w at offset %d", ErrNoBox, offset)
}

// set returns a copy with one box as wanted.
func set(src []byte, t Task, done bool) []byte {
	out := bytes.Clone(src)
	switch {
	case done && !t.Done:
		out[t.Offset] = 'x'
	case !done && t.Done:
		out[t.Offset] = ' '
	}
	return out
}

// maxNear bounds the similar IDs of an error.
const maxNear = 5

// findSimilar returns the IDs most like one that the list lacks: those with the same number, then those that begin with it or
// that it begins with, then those that differ in one character.
func (l List) findSimilar(id string) []string {
	type candidate struct {
		id   string
		rank int
	}
	var all []candidate
	for _, t := range l.Tasks {
		if rank := similarity(strings.ToUpper(id), strings.ToUpper(t.ID)); rank > 0 && !slices.Contains(all, candidate{t.ID, rank}) {
			all = append(all, candidate{t.ID, rank})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
	var ids []string
	for _, c := range all[:min(len(all), maxNear)] {
		ids = append(ids, c.id)
	}
	return ids
}

// similarity returns how much two IDs differ, 1 for the least, 0 if they are not similar.
func similarity(a, b string) int {
	_, m, ok := splitNumber(a)
	_, n, okToo := splitNumber(b)
	switch {
	case a == "" || b == "":
		return 0
	case ok && okToo && m == n:
		return 1
	case strings.HasPrefix(a, b), strings.HasPrefix(b, a):
		return 2
	case len(a) == len(b) && countDifferences(a, b) == 1:
		return 3
	}
	return 0
}

// countDifferences counts the bytes in which two texts of the same length differ.
func countDifferences(a, b string) int {
	count := 0
	for i := range len(a) {
		if a[i] != b[i] {
			count++
		}
	}
	return count
}

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
