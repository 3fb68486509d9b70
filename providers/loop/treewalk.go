package loop

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// place is the target of a path: a name in a folder that is kept open.
type place struct {
	dir  *os.Root
	name string      // in dir, "." for the top itself
	path string      // from the top, without links
	info fs.FileInfo // without following a link; nil when nothing is there
}

func (p place) close() error { return p.dir.Close() }

// keep returns nil if what was opened is what was looked at, and closes it otherwise.
func (p place) keep(asked string, opened io.Closer, now fs.FileInfo, err error) error {
	if err == nil && !os.SameFile(now, p.info) {
		err = &deniedError{asked, "it changed while it was opened"}
	}
	if err != nil {
		return errors.Join(err, opened.Close())
	}
	return nil
}

// mostLinks bounds the links on the way of one path, as systems do.
const mostLinks = 40

// at walks to a path. With create, it makes the folders that are missing on the way.
func (t *tree) at(name string, create bool) (place, error) {
	rel, err := t.relative(name)
	for range mostLinks {
		if err == nil {
			err = allowed(name, rel)
		}
		if err != nil {
			return place{}, err
		}
		w := walk{asked: name, create: create}
		if w.dir, err = t.root.OpenRoot("."); err != nil {
			return place{}, err
		}
		p, link, err := w.down(rel)
		if err == nil && link == "" {
			return p, nil
		}
		if err = errors.Join(err, w.dir.Close()); err != nil {
			return place{}, err
		}
		if rel, err = t.follow(name, p.path, link, rel); err != nil {
			return place{}, err
		}
	}
	return place{}, &deniedError{name, "its links form a loop"}
}

// walk goes down one folder at a time, and holds the one it has reached.
type walk struct {
	asked  string
	dir    *os.Root
	create bool
}

// down walks to the end of a path, or to the first link on it, and returns what the link contains.
func (w *walk) down(rel string) (p place, link string, err error) {
	for rest, more := rel, true; ; {
		p.name, rest, more = strings.Cut(rest, "/")
		p.dir, p.path = w.dir, path.Join(p.path, p.name)
		if p.info, err = w.dir.Lstat(p.name); errors.Is(err, fs.ErrNotExist) {
			switch {
			case !more:
				p.info = nil
				return p, "", nil
			case !w.create:
				return p, "", fmt.Errorf("%q does not exist: folder %q is missing; use list_files to list files", w.asked, p.path)
			}
			if err = w.dir.Mkdir(p.name, 0o777); err == nil {
				p.info, err = w.dir.Lstat(p.name)
			}
		}
		if err == nil && p.info.Mode()&fs.ModeSymlink != 0 {
			link, err = w.dir.Readlink(p.name)
			return p, link, err
		}
		if err != nil || !more {
			return p, "", err
		}
		if err = w.into(p); err != nil {
			return p, "", err
		}
	}
}

// into holds the folder that was looked at, and no other that took its place.
func (w *walk) into(p place) error {
	if !p.info.IsDir() {
		return fmt.Errorf("%q does not exist: %q is a file, not a folder", w.asked, p.path)
	}
	next, err := w.dir.OpenRoot(p.name)
	if err != nil {
		return err
	}
	now, err := next.Stat(".")
	if err = p.keep(w.asked, next, now, err); err != nil {
		return err
	}
	before := w.dir
	w.dir = next
	return before.Close()
}
