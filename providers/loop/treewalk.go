package loop

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// walk goes down one folder at a time.
type walk struct {
	asked  string
	dir    *os.Root // where it stands
	done   []string
	rest   []string
	create bool
}

// on walks until the end, or until a link, whose target it returns with its place.
func (w *walk) on() (p place, link string, err error) {
	for {
		name := w.rest[0]
		w.rest = w.rest[1:]
		w.done = append(w.done, name)
		p = place{dir: w.dir, name: name, path: path.Join(w.done...)}
		if ofGit(name) {
			return p, "", &deniedError{w.asked, "what git keeps is not for editing; run git with run_command"}
		}
		p.info, err = w.dir.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && len(w.rest) == 0:
			p.info = nil
			return p, "", nil
		case errors.Is(err, fs.ErrNotExist) && w.create:
			if err = w.dir.Mkdir(name, 0o777); err == nil {
				p.info, err = w.dir.Lstat(name)
			}
		case errors.Is(err, fs.ErrNotExist):
			return p, "", fmt.Errorf("%q is not there: there is no folder %q; use list_files to see what there is", w.asked, p.path)
		}
		if err != nil {
			return p, "", err
		}
		if p.info.Mode()&fs.ModeSymlink != 0 {
			link, err = w.dir.Readlink(name)
			return p, link, err
		}
		if len(w.rest) == 0 {
			return p, "", nil
		}
		if err := w.into(p); err != nil {
			return p, "", err
		}
	}
}

// into holds the folder that was looked at, and no other that took its place.
func (w *walk) into(p place) error {
	if !p.info.IsDir() {
		return fmt.Errorf("%q is not there: %q is a file, not a folder", w.asked, p.path)
	}
	next, err := w.dir.OpenRoot(p.name)
	if err != nil {
		return err
	}
	now, err := next.Stat(".")
	if err == nil && !os.SameFile(now, p.info) {
		err = &deniedError{w.asked, "it changed while it was opened"}
	}
	if err != nil {
		return errors.Join(err, next.Close())
	}
	before := w.dir
	w.dir = next
	return before.Close()
}

// ofGit reports whether a name is one under which some system finds what git keeps of
// a tree: case does not count everywhere, nor do dots and blanks at the end, streams, the
// short names of old, and marks that are not seen.
func ofGit(name string) bool {
	seen := strings.Map(func(r rune) rune {
		if r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff {
			return -1
		}
		return r
	}, strings.ToLower(name))
	seen, _, _ = strings.Cut(seen, ":")
	seen = strings.TrimRight(seen, ". ")
	number, short := strings.CutPrefix(seen, "git~")
	return seen == ".git" || short && strings.Trim(number, "0123456789") == ""
}
