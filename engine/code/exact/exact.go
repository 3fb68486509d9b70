package exact

import (
	"slices"
	"strings"

	"chant/engine/code/chunk"
)

// Facts are what is certain about the Go files of a worktree.
type Facts struct {
	Files      []File // those that were checked, sorted by path
	Targets    []Target
	Implements []Pair // a type, and an interface that it or a pointer to it implements
	Runs       []Run
	Beside     []Beside // files that were read but are not listed in the worktree's manifest
	Notices    []string // what could not be checked, in whole sentences
	Until      int64    // Unix seconds after which the facts are to be found anew, because packages were missing; 0 for never
}

// File is what is known about one file.
type File struct {
	Path    string // relative to the top of the worktree, with slashes
	Whole   bool   // its package has no errors, so all about its types is known
	Uses    []Use  // sorted by At
	Unknown []Unknown
}

// Use is a place that uses a target.
type Use struct {
	Kind chunk.EdgeKind
	At   int // the byte of the name
	To   int // the number of the target
	// Through is the number of the interface that a value has whose method is called; -1 if it is none. A method belongs to
	// the interface that declares it, which may be another one.
	Through int
}

// Run says what a call of a method of an interface may run, by the numbers of targets.
type Run struct{ Through, Method, Runs int }

// Unknown is a name that could not be resolved.
type Unknown struct {
	Name string
	At   int
}

// Target is something that is declared at a place, or outside of the worktree.
type Target struct {
	Path    string     // "" if it is outside of the worktree
	At      int        // the byte of its name
	Name    string     // "Close"; outside of the worktree with its type: "File.Close"
	Package string     // the import path; only outside of the worktree
	Of      string     // the name of the package; only outside of the worktree
	Kind    chunk.Kind // only outside of the worktree
}

// Pair is two targets, by their numbers.
type Pair struct{ From, To int }

// Beside is a file by its absolute path, with what its stamp was: 0 for a file that did not exist.
type Beside struct {
	Path           string
	Size, Modified int64
}

// Find returns what is known about a file.
func (f *Facts) Find(name string) (File, bool) {
	if f == nil {
		return File{}, false
	}
	i, ok := slices.BinarySearchFunc(f.Files, name, func(one File, name string) int { return strings.Compare(one.Path, name) })
	if !ok {
		return File{}, false
	}
	return f.Files[i], true
}
