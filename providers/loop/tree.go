package loop

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chant/providers"
)

// tree is the worktree as the file tools see it. Nothing outside can be named: every
// folder on the way is opened in the one above it and held, a link is read and its
// target walked from the top like any other path, and what was opened must be what stood
// there without a link. Someone who swaps a link in between gets a refusal.
type tree struct {
	root *os.Root
	tops []string // absolute paths of the worktree, as given and without links
}

func openTree(dir string) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("worktree: %w", err)
	}
	t := &tree{root: root, tops: []string{filepath.ToSlash(filepath.Clean(dir))}}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		t.tops = append(t.tops, filepath.ToSlash(real))
	}
	return t, nil
}

func (t *tree) close() error { return t.root.Close() }

// deniedError is a path that the model may not have. It is told apart from others, for
// a person may want to know.
type deniedError struct{ path, why string }

func (e *deniedError) Error() string {
	return fmt.Sprintf("%q is refused: %s. Use paths relative to the top of the worktree.", providers.Clip(e.path, 200), e.why)
}

func isDenied(err error) bool {
	var denied *deniedError
	return errors.As(err, &denied)
}

// place is where a path leads: a name in a folder that is held open.
type place struct {
	dir  *os.Root
	name string      // in dir, "." for the top itself
	path string      // from the top, without links
	info fs.FileInfo // without following a link; nil when nothing is there
}

func (p place) close() error { return p.dir.Close() }

// mostLinks bounds the links on the way of one path, as systems do.
const mostLinks = 40

// at walks to a path. With create, folders that are missing on the way are made.
func (t *tree) at(name string, create bool) (place, error) {
	rel, err := t.relative(name)
	for range mostLinks {
		if err != nil {
			return place{}, err
		}
		w := walk{asked: name, rest: strings.Split(rel, "/"), create: create}
		if err = tooLong(name, w.rest); err != nil {
			return place{}, err
		}
		if w.dir, err = t.root.OpenRoot("."); err != nil {
			return place{}, err
		}
		p, link, err := w.on()
		if err == nil && link == "" {
			return p, nil
		}
		if err = errors.Join(err, w.dir.Close()); err != nil {
			return place{}, err
		}
		if rel, err = t.follow(name, path.Dir(p.path), link, w.rest); err != nil {
			return place{}, err
		}
	}
	return place{}, &deniedError{name, "it is a chain of links without an end"}
}

// Bounds of a path from the top. What is made beyond them, one folder in the other, git
// and others that name it whole cannot read or remove.
const (
	longestPath = 1000 // bytes
	mostParts   = 100
	longestPart = 255 // bytes, as systems have it
)

// tooLong is nil for a path that every program can name.
func tooLong(asked string, parts []string) error {
	bytes := len(strings.Join(parts, "/"))
	if bytes > longestPath || len(parts) > mostParts {
		return fmt.Errorf("%q is too long: %d bytes in %d parts. Use a path of at most %d bytes in %d parts",
			providers.Clip(asked, 200), bytes, len(parts), longestPath, mostParts)
	}
	for _, part := range parts {
		if len(part) > longestPart {
			return fmt.Errorf("%q is too long for one name: %d bytes. Use names of at most %d", providers.Clip(part, 200), len(part), longestPart)
		}
	}
	return nil
}

// relative is a path as it is walked from the top.
func (t *tree) relative(name string) (string, error) {
	slashed := filepath.ToSlash(name)
	switch {
	case strings.TrimSpace(name) == "":
		return "", fmt.Errorf("the path is empty; name a file relative to the top of the worktree")
	case strings.ContainsRune(name, 0):
		return "", &deniedError{name, "it has a NUL in it"}
	case filepath.VolumeName(name) != "" || path.IsAbs(slashed):
		inside := false
		for _, top := range t.tops {
			if rest, ok := strings.CutPrefix(path.Clean(slashed), top); ok && (rest == "" || rest[0] == '/') {
				slashed, inside = "."+rest, true
				break
			}
		}
		if !inside {
			return "", &deniedError{name, "it is outside of the worktree"}
		}
	}
	if clean := path.Clean(slashed); filepath.IsLocal(filepath.FromSlash(clean)) {
		return clean, nil
	}
	return "", &deniedError{name, "it is outside of the worktree"}
}

// follow is the path that a link in a folder leads to, with what comes behind it.
func (t *tree) follow(asked, dir, target string, rest []string) (string, error) {
	if !filepath.IsAbs(target) {
		target = path.Join(dir, filepath.ToSlash(target))
	}
	rel, err := t.relative(target)
	if isDenied(err) {
		return "", &deniedError{asked, "a link on its way leads out of the worktree"}
	}
	return path.Join(append([]string{rel}, rest...)...), err
}
