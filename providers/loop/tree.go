package loop

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chant/text"
)

// tree is the worktree as the file tools see it. os.Root keeps every path inside, whatever is put there meanwhile. It follows
// links, also to what git keeps, which no name shows, so paths are freed of links before they are used.
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
	// The model may name the worktree by either path.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		t.tops = append(t.tops, filepath.ToSlash(real))
	}
	return t, nil
}

func (t *tree) close() error { return t.root.Close() }

// deniedError is a path that the model must not use. It has a type of its own because
// a person may want to know of it.
type deniedError struct{ path, why string }

func (e *deniedError) Error() string {
	return fmt.Sprintf("%q is refused: %s. Use paths relative to the top of the worktree.", text.ClipBytes(e.path, 200), e.why)
}

func isDenied(err error) bool {
	_, denied := errors.AsType[*deniedError](err)
	return denied
}

// Bounds of a path from the top. What is made beyond them, one folder in the other, git
// and others that name it whole cannot read or remove.
const (
	maxPath  = 1000 // bytes
	maxParts = 100
	maxPart  = 255 // bytes, as systems have it
)

// allowed returns nil for a path that every program can name and that is not git's.
func allowed(asked, rel string) error {
	parts := strings.Split(rel, "/")
	if len(rel) > maxPath || len(parts) > maxParts {
		return fmt.Errorf("%q is too long: %d bytes in %d parts. Use a path of at most %d bytes in %d parts",
			text.ClipBytes(asked, 200), len(rel), len(parts), maxPath, maxParts)
	}
	for _, part := range parts {
		switch {
		case len(part) > maxPart:
			return fmt.Errorf("%q is too long for one name: %d bytes. Use names of at most %d", text.ClipBytes(part, 200), len(part), maxPart)
		case isGitName(part):
			return &deniedError{asked, "git's files cannot be edited; run git with run_command"}
		}
	}
	return nil
}

// relativePath is a path as it is walked from the top.
func (t *tree) relativePath(name string) (string, error) {
	slashed := filepath.ToSlash(name)
	switch {
	case strings.TrimSpace(name) == "":
		return "", fmt.Errorf("the path is empty; name a file relative to the top of the worktree")
	case strings.ContainsRune(name, 0):
		return "", &deniedError{name, "it contains a NUL byte"}
	case filepath.VolumeName(name) != "" || path.IsAbs(slashed):
		inside := false
		for _, top := range t.tops {
			if rest, ok := strings.CutPrefix(path.Clean(slashed), top); ok && (rest == "" || rest[0] == '/') {
				slashed, inside = "."+rest, true
				break
			}
		}
		if !inside {
			return "", &deniedError{name, "it is outside the worktree"}
		}
	}
	if clean := path.Clean(slashed); filepath.IsLocal(filepath.FromSlash(clean)) {
		return clean, nil
	}
	return "", &deniedError{name, "it is outside the worktree"}
}

// maxLinks bounds the links on the way of one path, as systems do.
const maxLinks = 40

// resolve returns the path from the top to which a path leads, without links. With create, folders on the way may be missing.
func (t *tree) resolve(name string, create bool) (string, error) {
	rel, err := t.relativePath(name)
	// Links can lead in a circle.
	for range maxLinks {
		if err == nil {
			// Each step is judged again, since a link can lead to git's files.
			err = allowed(name, rel)
		}
		if err != nil {
			return "", err
		}
		link, target, err := t.firstLink(name, rel, create)
		if err != nil || link == "" {
			return rel, err
		}
		if rel, err = t.followLink(name, link, target, rel); err != nil {
			return "", err
		}
	}
	return "", &deniedError{name, "its links form a loop"}
}

// firstLink returns the first link on the way of a path, and what it contains; "" if there is none.
func (t *tree) firstLink(asked, rel string, create bool) (link, target string, err error) {
	for end, more := 0, true; more; end++ {
		next := strings.IndexByte(rel[end:], '/')
		if more = next >= 0; more {
			end += next
		} else {
			end = len(rel)
		}
		part := rel[:end]
		info, err := t.root.Lstat(part)
		switch {
		case errors.Is(err, fs.ErrNotExist) && (create || !more):
			return "", "", nil
		case errors.Is(err, fs.ErrNotExist):
			return "", "", fmt.Errorf("%q does not exist: folder %q is missing; use list_files to list files", asked, part)
		case err != nil:
			return "", "", err
		case info.Mode()&fs.ModeSymlink != 0:
			target, err = t.root.Readlink(part)
			return part, target, err
		case more && !info.IsDir():
			return "", "", fmt.Errorf("%q does not exist: %q is a file, not a folder", asked, part)
		}
	}
	return "", "", nil
}

// followLink returns the path from the top to which a link leads, with the part of rel behind the link.
func (t *tree) followLink(asked, link, target, rel string) (string, error) {
	// A relative link is seen from the folder that it is in.
	if !filepath.IsAbs(target) {
		target = path.Join(path.Dir(link), filepath.ToSlash(target))
	}
	to, err := t.relativePath(target)
	if isDenied(err) {
		return "", &deniedError{asked, "a link in it leads out of the worktree"}
	}
	return path.Join(to, strings.TrimPrefix(rel, link)), err
}

// use opens the file that a path leads to, to read it or to write it, for do. One that is missing is made when it is to be
// written. It returns the path from the top.
func (t *tree) use(name string, flag int, do func(*os.File) error) (at string, err error) {
	create := flag != os.O_RDONLY
	if at, err = t.resolve(name, create); err != nil {
		return "", err
	}
	switch info, err := t.root.Lstat(at); {
	case errors.Is(err, fs.ErrNotExist) && create:
		if err := t.root.MkdirAll(path.Dir(at), 0o777); err != nil {
			return "", err
		}
		// What is put in the place of a missing file meanwhile, such as a link, is refused.
		flag |= os.O_CREATE | os.O_EXCL
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%q does not exist; use list_files to list files", name)
	case err != nil:
		return "", err
	case info.IsDir():
		return "", fmt.Errorf("%q is a folder; use list_files to list its content", name)
	// Opening a pipe would wait for its other end.
	case !info.Mode().IsRegular():
		return "", &deniedError{name, "it is not a regular file"}
	}
	f, err := t.root.OpenFile(at, flag, 0o666)
	if err != nil {
		return "", err
	}
	return at, errors.Join(do(f), f.Close())
}

// maxFile bounds what is read as one text, in bytes.
const maxFile = 8 << 20

// read returns a file and its path from the top.
func (t *tree) read(name string) (src []byte, at string, err error) {
	at, err = t.use(name, os.O_RDONLY, func(f *os.File) error {
		// The file can grow while it is read.
		src, err = io.ReadAll(io.LimitReader(f, maxFile+1))
		if err == nil && len(src) > maxFile {
			err = fmt.Errorf("%q is larger than 8 MiB; use run_command with head, tail or grep", name)
		}
		return err
	})
	return src, at, err
}

// write makes a file have a content, in place, so that its mode and links to it stay.
func (t *tree) write(name string, content []byte) (at string, err error) {
	return t.use(name, os.O_WRONLY, func(f *os.File) error {
		// In place, so that the mode of the file and links to it stay.
		if err := f.Truncate(0); err != nil {
			return err
		}
		_, err := f.Write(content)
		return err
	})
}

// isGitName reports whether a name is one under which some system finds what git keeps of
// a tree: case does not count everywhere, nor do dots and blanks at the end, streams, the
// short names of old, and marks that are not seen.
func isGitName(name string) bool {
	seen := strings.Map(func(r rune) rune {
		// HFS+ ignores these marks in names.
		if r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff {
			return -1
		}
		return r
	}, strings.ToLower(name))
	// NTFS names streams of a file after a colon.
	seen, _, _ = strings.Cut(seen, ":")
	// Windows ignores dots and blanks at the end.
	seen = strings.TrimRight(seen, ". ")
	// On NTFS, ".git" has the short name GIT~1.
	number, short := strings.CutPrefix(seen, "git~")
	return seen == ".git" || short && strings.Trim(number, "0123456789") == ""
}
