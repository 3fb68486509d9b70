package weakened

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"chant/engine/evidence/criteria"
	"chant/text"
)

// File is a file that a change adds, changes or removes.
type File struct {
	Path   string
	Old    string // the path before the change if it was another one
	Before []byte // nil: it was added
	After  []byte // nil: it was removed

	kept       bool // its text and path are as before
	opaque     bool // only its path counts: it is generated, binary or too long
	unreadable bool // it was a text, and cannot be compared any more
}

// Change is what is looked at: the files that differ, and the commands that criteria run after it. Files that commands name
// may be among the files although nothing of them differs.
type Change struct {
	Files    []File
	Replaced []Replaced
	Commands []string
	Targets  []string // entries of target_files: what the change is for
	Base     []string // the paths of all files before the change
}

// MaxBytes is the length from which on a file is judged by its path alone.
const MaxBytes = 1 << 20

// maxShown limits the texts of a finding, in characters.
const maxShown = 120

// Find returns what the change weakens, by file and line. The error is that of the context.
func Find(ctx context.Context, c Change) ([]criteria.Weakened, error) {
	f := finder{names: namesIn(c.Commands), used: newUsedFiles(c.Commands), targets: c.Targets, old: map[string]*source{}, now: map[string]*source{}}
	f.codeChanged = sync.OnceValue(f.changesCode)
	for _, file := range c.Files {
		file.Old = cmp.Or(file.Old, file.Path)
		if err := f.read(ctx, file); err != nil {
			return nil, err
		}
	}
	f.addUsed()
	f.compareTests()
	for _, file := range f.files {
		f.compareLines(file)
	}
	f.compareGolden()
	f.compareReplaced(c.Replaced)
	for _, file := range f.files {
		f.compareWhole(file)
	}
	f.compareTakeovers(c)
	return f.sorted(), nil
}

// finder compares the two versions of the files of a change.
type finder struct {
	names map[string]bool // words of the commands that criteria run
	used  usedFiles       // the files that these use
	files []File

	targets []string           // entries of target_files
	old     map[string]*source // by the path before
	now     map[string]*source // by the path after
	kept    map[string]bool    // the units that are in their file under the name that they had
	tries   int                // that match has made
	joins   int                // of files of tests that are gone with others
	removed map[string]bool    // what the code no longer declares
	found   []criteria.Weakened

	codeChanged func() bool // whether the change has code that is no test: what tests expect may then follow that code
}

// read reads both versions of a file.
func (f *finder) read(ctx context.Context, file File) error {
	file.kept = file.Before != nil && file.After != nil && file.Old == file.Path && bytes.Equal(file.Before, file.After)
	file.unreadable = isUnreadable(file)
	if file.opaque = isOpaque(file.Before) || isOpaque(file.After) || isGenerated(file); file.opaque {
		// Without its text only the path counts.
		file.Before, file.After = marker(file.Before), marker(file.After)
	}
	f.files = append(f.files, file)
	for _, side := range []struct {
		path string
		text []byte
		into map[string]*source
	}{{file.Old, file.Before, f.old}, {file.Path, file.After, f.now}} {
		if side.text == nil {
			continue
		}
		s, err := readSource(ctx, side.path, side.text)
		if err != nil {
			return err
		}
		side.into[side.path] = s
	}
	return nil
}

// isOpaque reports whether a text is binary or too long to be read.
func isOpaque(text []byte) bool {
	return len(text) >= MaxBytes || bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0
}

// generated matches the mark that generators leave at the beginning of a file.
var generated = pattern{text: `(?m)^\W*(?:Code generated .* DO NOT EDIT|@generated\b)`}

// isGenerated reports whether both versions of a file are generated. A file that only now says so was written by hand.
func isGenerated(file File) bool {
	if file.Before == nil {
		return file.After != nil && generated.get().Match(file.After[:min(len(file.After), 2000)])
	}
	return generated.get().Match(file.Before[:min(len(file.Before), 2000)])
}

// marker is what remains of a file that is not read.
func marker(text []byte) []byte {
	if text == nil {
		return nil
	}
	return []byte{}
}

// add adds a finding at a byte of a file.
func (f *finder) add(kind criteria.WeakenedKind, in *source, at int, before, after string) {
	f.addAt(kind, in.path, 1+strings.Count(in.text[:min(at, len(in.text))], "\n"), before, after)
}

func (f *finder) addAt(kind criteria.WeakenedKind, file string, line int, before, after string) {
	f.found = append(f.found, criteria.Weakened{Kind: kind, File: file, Line: line, Before: shown(before), After: shown(after)})
}

// shown is a text as one line of a finding.
func shown(what string) string { return text.Clip(text.OneLine(text.Printable(what)), maxShown) }

// sorted returns the findings by file and line, each once.
func (f *finder) sorted() []criteria.Weakened {
	slices.SortStableFunc(f.found, func(a, b criteria.Weakened) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind))
	})
	return slices.Compact(f.found)
}

// addUsed notes the files with which the scripts that commands run, and the Makefile, compare results.
func (f *finder) addUsed() {
	inner := newUsedFiles(nil)
	inner.expected = f.used.expected
	for _, file := range f.files {
		if s := f.old[file.Old]; s != nil && (s.lang == "bash" && f.used.run[file.Old] || f.names["make"] && groupOfPath(file.Old) == recipes) {
			text := s.text
			if s.lang != "bash" {
				text = f.recipes(text)
			}
			for _, l := range linesOf(text) {
				// make takes these marks off before a shell runs the rest.
				inner.addCommand(strings.TrimLeft(l.text, "@-+"))
			}
		}
	}
}

// namesIn returns the words of commands, paths without a leading "./".
func namesIn(commands []string) map[string]bool {
	out := map[string]bool{}
	for _, line := range commands {
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t;&|()\"'`", r) }) {
			out[path.Clean(word)] = true
		}
	}
	return out
}

// changesCode reports whether the change has code that is not a test.
func (f *finder) changesCode() bool {
	for _, file := range f.files {
		old, now := f.old[file.Old], f.now[file.Path]
		switch {
		case old != nil && now != nil:
			if normal(old.production()) != normal(now.production()) {
				return true
			}
		case old != nil && old.production() != "", now != nil && now.production() != "":
			return true
		}
	}
	return false
}
