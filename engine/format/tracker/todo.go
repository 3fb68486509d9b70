package tracker

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"chant/text"

	"github.com/bmatcuk/doublestar/v4"
)

// Todo is a comment that asks for work.
type Todo struct {
	Path string
	Line int    // from 1
	Text string // from its word on, such as "TODO(ann): drop this"
}

// Todos is what the comments of files ask for.
type Todos struct {
	Found []Todo   // in the order of paths and lines
	Files int      // that were read
	Left  []string // what was not read, in words
}

// The bounds of what is read: more than a plan can be about.
const (
	maxTodos     = 500
	maxTodoFiles = 20_000
	maxTodoBytes = 1 << 20 // of a file
	maxTodoText  = 300
)

// todoPatterns find the word at the beginning of a comment, or with a colon behind it anywhere in one, and what ends a
// comment. A mark of a comment is the first thing on the line, or has white space or a bracket before it.
var todoPatterns = sync.OnceValue(func() (p struct{ begins, within, end *regexp.Regexp }) {
	const mark = `(?:^|[\s;(){}])(?://+!?|#+|/?\*+|--+|;+|<!--+|%+|\{[#-]|\(\*|"""|'''|(?i:rem)\s)`
	p.begins = regexp.MustCompile(mark + `\s*[@*:-]?\s*((?:TODO|FIXME|HACK|XXX)\b.*)`)
	p.within = regexp.MustCompile(mark + `.*?\b((?:TODO|FIXME|HACK|XXX)(?:\([^)]*\))?:.*)`)
	p.end = regexp.MustCompile(`\s*(?:\*+/\}*|--+>|[#-]\}|\*\)|"""|''')\s*$`)
	return p
})

// FindTodos finds the comments with TODO, FIXME, HACK or XXX in the files that match a glob, but for those of chant. The
// error wraps doublestar.ErrBadPattern for a glob that is not valid, or not below the top.
func FindTodos(fsys fs.FS, glob string) (Todos, error) {
	var all Todos
	if glob = strings.TrimPrefix(glob, "./"); !doublestar.ValidatePattern(glob) || !fs.ValidPath(glob) {
		return all, fmt.Errorf("%q: %w", glob, doublestar.ErrBadPattern)
	}
	enough := errors.New("enough")
	skipped := 0
	err := doublestar.GlobWalk(fsys, glob, func(name string, d fs.DirEntry) error {
		switch {
		case d.IsDir() && name == ".chant":
			return doublestar.SkipDir
		case !d.Type().IsRegular():
			return nil
		case all.Files == maxTodoFiles || len(all.Found) == maxTodos:
			all.Left = append(all.Left, fmt.Sprintf("what follows after %s in %s, from %s on", text.Plural(len(all.Found), "comment"), text.Plural(all.Files, "file"), name))
			return enough
		}
		info, err := d.Info()
		var src []byte
		if err == nil && info.Size() <= maxTodoBytes {
			src, err = fs.ReadFile(fsys, name)
		}
		if err != nil {
			return err
		}
		// Git, too, takes a file for binary by its beginning.
		if info.Size() > maxTodoBytes || bytes.IndexByte(src[:min(len(src), 8000)], 0) >= 0 {
			skipped++
			return nil
		}
		all.Files++
		all.add(name, src)
		return nil
	}, doublestar.WithFailOnIOErrors(), doublestar.WithNoFollow())
	if skipped > 0 {
		all.Left = append(all.Left, fmt.Sprintf("%s, binary or of more than %d MB", text.Plural(skipped, "file"), maxTodoBytes>>20))
	}
	if errors.Is(err, enough) {
		err = nil
	}
	return all, err
}

// add adds the comments of a file, as many as still may come.
func (t *Todos) add(name string, src []byte) {
	number := 0
	for line := range bytes.Lines(src) {
		number++
		m := todoPatterns().begins.FindSubmatch(line)
		if m == nil {
			m = todoPatterns().within.FindSubmatch(line)
		}
		if m == nil {
			continue
		}
		if len(t.Found) == maxTodos {
			t.Left = append(t.Left, fmt.Sprintf("comments of %s from line %d on", name, number))
			return
		}
		said := todoPatterns().end.ReplaceAllString(text.OneLine(text.Printable(string(m[1]))), "")
		t.Found = append(t.Found, Todo{Path: name, Line: number, Text: text.Clip(said, maxTodoText)})
	}
}

// String lists the comments, one a line, and then what was not read.
func (t Todos) String() string {
	var out strings.Builder
	for _, one := range t.Found {
		fmt.Fprintf(&out, "%s:%d: %s\n", text.Quote(one.Path), one.Line, one.Text)
	}
	for _, left := range t.Left {
		fmt.Fprintf(&out, "Left out: %s\n", text.Printable(left))
	}
	return out.String()
}
