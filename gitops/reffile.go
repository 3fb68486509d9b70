package gitops

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/layout"
)

// looseRefs adds the refs that are files of their own.
func (r *Repo) looseRefs(prefix string, found map[string]string) error {
	top := filepath.Join(r.site.Common, filepath.FromSlash(prefix[:strings.LastIndexByte(prefix, '/')]))
	return filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if layout.Absent(err) {
			return nil // removed while we looked
		}
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(r.site.Common, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if !strings.HasPrefix(name, prefix) || !layout.ValidRef(name) {
			return nil // another prefix, or a lock file beside a ref
		}
		hash, err := r.looseRef(name, 0)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		found[name] = hash
		return err
	})
}

// fileRef reads a ref from its own file or the packed ones.
func (r *Repo) fileRef(name string, depth int) (string, error) {
	hash, err := r.looseRef(name, depth)
	if !errors.Is(err, ErrNotFound) {
		return hash, err
	}
	packed := ""
	err = r.packedRefs(func(n, h string) bool {
		if n == name {
			packed = h
		}
		return packed == ""
	})
	if err == nil && packed == "" {
		err = fmt.Errorf("ref %q: %w", name, ErrNotFound)
	}
	return packed, err
}

// looseRef reads a ref's own file; a symbolic one is followed.
func (r *Repo) looseRef(name string, depth int) (string, error) {
	text, err := layout.ReadPlain(filepath.Join(r.site.Common, filepath.FromSlash(name)))
	if err != nil {
		// Missing, or a folder of longer names: the packed refs may still have it.
		if info, statErr := os.Stat(filepath.Join(r.site.Common, filepath.FromSlash(name))); statErr != nil || info.IsDir() {
			return "", fmt.Errorf("ref %q: %w", name, ErrNotFound)
		}
		return "", err
	}
	value := strings.TrimSpace(string(text))
	if target, symbolic := strings.CutPrefix(value, "ref:"); symbolic {
		target = strings.TrimSpace(target)
		if depth >= 5 || !layout.ValidRef(target) {
			return "", fmt.Errorf("ref %q points nowhere: %w", name, ErrNotFound)
		}
		return r.fileRef(target, depth+1)
	}
	if !layout.IsHash(value) {
		return "", fmt.Errorf("ref %q is broken: it holds %q", name, value)
	}
	return value, nil
}

// packedRefs visits the file of packed refs until visit returns false.
func (r *Repo) packedRefs(visit func(name, hash string) bool) error {
	text, err := layout.ReadPlain(filepath.Join(r.site.Common, "packed-refs"))
	if layout.Absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		hash, name, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if !ok || !layout.IsHash(hash) {
			continue // a comment, or the object behind the tag above
		}
		if !visit(name, hash) {
			return nil
		}
	}
	return nil
}
