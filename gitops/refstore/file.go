package refstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/layout"
	"chant/gitops/rootdir"
)

// looseRefs adds the refs that are files of their own.
func (s *Store) looseRefs(prefix string, found map[string]string) error {
	return s.walk(prefix[:strings.LastIndexByte(prefix, '/')], func(name, _ string, _ fs.DirEntry) error {
		if !strings.HasPrefix(name, prefix) {
			return nil
		}
		hash, err := s.looseRef(name, 0)
		if _, broken := errors.AsType[*BrokenError](err); s.isRunRef(name) && (broken || errors.Is(err, errSymbolic)) {
			// What one agent has left must not keep other runs from their branches.
			found[name] = ""
			return nil
		}
		if errors.Is(err, layout.ErrNotFound) {
			return nil
		}
		found[name] = hash
		return err
	})
}

// walk calls visit for the refs that are files of their own below a folder.
func (s *Store) walk(folder string, visit func(name, path string, entry fs.DirEntry) error) error {
	return filepath.WalkDir(filepath.Join(s.Site.Common, filepath.FromSlash(folder)), func(path string, entry fs.DirEntry, err error) error {
		if layout.Absent(err) || rootdir.TooDeep(err) {
			// It was removed meanwhile, or is not a ref: git opens no such path either.
			return nil
		}
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(s.Site.Common, path)
		// Other names are of lock files beside a ref.
		if name := filepath.ToSlash(rel); err == nil && layout.ValidRef(name) {
			return visit(name, path, entry)
		}
		return err
	})
}

// FileRef reads a ref from its own file or the packed ones; depth counts the symbolic refs that led here.
func (s *Store) FileRef(name string, depth int) (string, error) {
	// A ref with a file of its own hides the packed one of its name.
	hash, err := s.looseRef(name, depth)
	if !errors.Is(err, layout.ErrNotFound) || errors.Is(err, errSymbolic) {
		return hash, err
	}
	packed := ""
	err = s.packedRefs(func(n, h string) bool {
		if n == name {
			packed = h
		}
		return packed == ""
	})
	if err == nil && packed == "" {
		err = fmt.Errorf("ref %q: %w", name, layout.ErrNotFound)
	}
	return packed, err
}

// maxSymbolic is how many symbolic refs git follows, each to the next.
const maxSymbolic = 5

// target returns the ref that a symbolic one names, "" of any other.
func (s *Store) target(name string) string {
	if !layout.ValidRef(name) || !s.IsSymbolic(name) {
		return ""
	}
	file := filepath.Join(s.Site.Common, filepath.FromSlash(name))
	info, err := os.Lstat(file)
	if err != nil {
		return ""
	}
	return leadsTo(file, fs.FileInfoToDirEntry(info))
}

// looseRef reads a ref's own file; a symbolic one is followed.
func (s *Store) looseRef(name string, depth int) (string, error) {
	text, err := layout.ReadName(filepath.Join(s.Site.Common, filepath.FromSlash(name)))
	if err != nil {
		// Missing, or a folder of longer names: the packed refs may still have it.
		if info, statErr := os.Stat(filepath.Join(s.Site.Common, filepath.FromSlash(name))); statErr != nil || info.IsDir() {
			return "", fmt.Errorf("ref %q: %w", name, layout.ErrNotFound)
		}
		return "", err
	}
	value := strings.TrimSpace(string(text))
	if target, symbolic := strings.CutPrefix(value, "ref:"); symbolic {
		// An agent can make such a ref, and git would then move the one that it names.
		if s.isRunRef(name) {
			return "", fmt.Errorf("ref %q: %w: %w", name, errSymbolic, layout.ErrNotFound)
		}
		target = strings.TrimSpace(target)
		// Symbolic refs can lead in a circle.
		if depth >= maxSymbolic || !layout.ValidRef(target) {
			return "", fmt.Errorf("ref %q points nowhere: %w", name, layout.ErrNotFound)
		}
		return s.FileRef(target, depth+1)
	}
	if !layout.IsHash(value) {
		return "", &BrokenError{Ref: name, File: filepath.Join(s.Site.Common, filepath.FromSlash(name)), Value: value}
	}
	return value, nil
}

// packedRefs visits the file of packed refs until visit returns false.
func (s *Store) packedRefs(visit func(name, hash string) bool) error {
	text, err := layout.ReadPlain(filepath.Join(s.Site.Common, "packed-refs"))
	if layout.Absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	eachPacked(string(text), visit)
	return nil
}

// eachPacked visits the refs in the text of that file until visit returns false.
func eachPacked(text string, visit func(name, hash string) bool) {
	for line := range strings.Lines(text) {
		hash, name, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if !ok || !layout.IsHash(hash) {
			// It is a comment, or the object behind the tag above.
			continue
		}
		if !visit(name, hash) {
			return
		}
	}
}

// errSymbolic is the error of a branch of a run that is a symbolic ref. An agent can make one, and git would do to the ref
// that it names what is meant for the branch; so it counts as missing, and no other ref is ever reached by it.
var errSymbolic = errors.New("the branch of a run is another name for a ref")

// isRunRef reports whether agents can write a ref of this name.
func (s *Store) isRunRef(ref string) bool { return s.Runs != "" && strings.HasPrefix(ref, s.Runs) }

// IsSymbolic reports whether a ref is symbolic: it names another one. A branch of a run never is, whatever its file holds.
func (s *Store) IsSymbolic(ref string) bool {
	if s.isRunRef(ref) {
		return false
	}
	file := filepath.Join(s.Site.Common, filepath.FromSlash(ref))
	// Early versions of git made symbolic links.
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return err == nil && !info.IsDir()
	}
	text, err := layout.ReadName(file)
	// A file that cannot be read counts as symbolic: whether it leads elsewhere is then for git to find out.
	return err != nil || strings.HasPrefix(strings.TrimSpace(string(text)), "ref:")
}
