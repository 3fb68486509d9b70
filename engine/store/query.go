package store

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"chant/engine/store/index"
	"chant/engine/store/record"
)

// IndexUse is when queries use the index.
type IndexUse string

// The values of index.Variable.
const (
	IndexAuto   IndexUse = ""       // where it is faster than reading the files
	IndexOff    IndexUse = "off"    // never
	IndexAlways IndexUse = "always" // even for few files
)

// Valid reports whether this is one of the values.
func (u IndexUse) Valid() bool { return u == IndexAuto || u == IndexOff || u == IndexAlways }

// fewFiles is up to how many files reading them costs less than the index.
const fewFiles = 100

// factsVersion is raised when the same text of a spec gives other facts: rows of earlier versions must not count then.
const factsVersion = "2"

// query calls a function with a source that uses the index, and stores what the function has read anew.
func (s *Store) query(ctx context.Context, ask func(*rowSource)) {
	if !s.hasIndex() {
		r := newRowSource(s, nil)
		ask(r)
		// A new index is made only after a query that read many files: below that, opening it costs more than it saves.
		if s.Index == IndexOff || max(len(r.read), r.searched) < fewFiles {
			return
		}
		x := openIndex(ctx, s)
		defer x.Close()
		x.View(ctx, func(v *index.View) { v.Store(r.batch) })
		return
	}
	x := openIndex(ctx, s)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		r := newRowSource(s, v)
		ask(r)
		v.Store(r.batch)
	})
}

// hasIndex reports whether a query begins with the index.
func (s *Store) hasIndex() bool {
	// An explicit setting is for tests and for people who measure.
	if s.Index != IndexAuto {
		return s.Index == IndexAlways
	}
	// In a project with an index every query uses it; the file itself is the switch.
	_, err := os.Stat(filepath.Join(s.State(), index.Name))
	return err == nil
}

// openIndex opens the index; nil if it is of no use.
func openIndex(ctx context.Context, s *Store) *index.Index {
	return openIndexIn(ctx, s.State(), filepath.Join(s.home, filepath.FromSlash(SpecsDir)))
}

// OpenIndexBeside opens the index in a common directory, also that of code; nil if it is of no use for files in a folder.
func OpenIndexBeside(ctx context.Context, common, folder string) *index.Index {
	return openIndexIn(ctx, filepath.Join(common, "chant"), folder)
}

// openIndexIn opens the index in a folder of state.
func openIndexIn(ctx context.Context, state, folder string) *index.Index {
	// The file systems of networks neither keep stamps exact nor lock reliably, so what the index knows would not be
	// certain.
	if !index.IsLocal(folder) {
		return nil
	}
	return index.Open(ctx, state, rowFormat())
}

// rowFormat identifies the format of rows. It never changes in a process.
var rowFormat = sync.OnceValue(func() string { return factsVersion + " " + record.Format(storedSpec{}) })

func (s *Store) clock() time.Time {
	if s.Clock == nil {
		return time.Now()
	}
	return s.Clock()
}
