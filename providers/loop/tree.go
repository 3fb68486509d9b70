package loop

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chant/providers/text"
)

// tree is the worktree as the file tools see it. os.Root keeps every path inside. It follows
// links, also to what git keeps, which no name shows; so each folder on the way is opened in
// the one above it and held, the target of a link is walked from the top like any other path,
// and what was opened must be what was there without a link. A swap in between is refused.
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
	longestPath = 1000 // bytes
	mostParts   = 100
	longestPart = 255 // bytes, as systems have it
)

// allowed returns nil for a path that every program can name and that is not git's.
func allowed(asked, rel string) error {
	parts := strings.Split(rel, "/")
	if len(rel) > longestPath || len(parts) > mostParts {
		return fmt.Errorf("%q is too long: %d bytes in %d parts. Use a path of at most %d bytes in %d parts",
			text.ClipBytes(asked, 200), len(rel), len(parts), longestPath, mostParts)
	}
	for _, part := range parts {
		switch {
		case len(part) > longestPart:
			return fmt.Errorf("%q is too long for one name: %d bytes. Use names of at most %d", text.ClipBytes(part, 200), len(part), longestPart)
		case ofGit(part):
			return &deniedError{asked, "git's files cannot be edited; run git with run_command"}
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

// follow returns the path from the top to which a link leads, with the part of rel behind the link.
func (t *tree) follow(asked, link, target, rel string) (string, error) {
	if !filepath.IsAbs(target) {
		target = path.Join(path.Dir(link), filepath.ToSlash(target))
	}
	to, err := t.relative(target)
	if isDenied(err) {
		return "", &deniedError{asked, "a link in it leads out of the worktree"}
	}
	return path.Join(to, strings.TrimPrefix(rel, link)), err
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
