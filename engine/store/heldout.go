package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chant/engine/spec"
	"chant/engine/store/disk"
	"chant/engine/store/local"
	"chant/engine/store/message"
	"chant/gitops"
	"chant/markdown"
)

// Held-out criteria are in a file of their own, which no agent reads. It is encrypted, and committed with its spec, if the
// machine has a key that opens it; otherwise git ignores it like all of its folder.
//
// Decisions:
//
// 2026-11-30: the section is cut where texts are written to home, whatever writes them, and a file that a person has written is
// cut when its spec is next locked. On the branch of a run nothing is cut: there an agent may have written it. Rejected: cutting
// it in each operation, of which one would be forgotten.

// HeldOutPath is the path of the held-out criteria of a spec, relative to the top of a worktree.
func HeldOutPath(id string) string { return Dir + "/" + string(local.HeldOut) + "/" + id + ".md" }

// InHeldOut reports whether a path below home is that of held-out criteria, on whatever file system.
func InHeldOut(file string) bool {
	return strings.HasPrefix(strings.ToLower(path.Clean(filepath.ToSlash(file)))+"/", path.Dir(HeldOutPath(""))+"/")
}

// sealMark begins an encrypted file: that of age in its armored form.
const sealMark = "-----BEGIN AGE ENCRYPTED FILE-----"

// IsSealed reports whether a file of held-out criteria is encrypted.
func IsSealed(text []byte) bool { return bytes.HasPrefix(text, []byte(sealMark)) }

// ReadHeldOut reads the file with the held-out criteria of a spec; fs.ErrNotExist without one.
func (s *Store) ReadHeldOut(id string) ([]byte, error) { return ReadFile(s.home, HeldOutPath(id)) }

// HasHeldOut reports whether a spec has a file with held-out criteria.
func (s *Store) HasHeldOut(id string) bool {
	_, err := os.Lstat(filepath.Join(s.home, filepath.FromSlash(HeldOutPath(id))))
	return err == nil
}

// WriteHeldOut replaces the held-out criteria of a spec; nil removes them. The next commit of the spec has them.
func (s *Store) WriteHeldOut(id string, section []byte) error { return s.putHeldOut(id, nil, section) }

// CommitHeldOut commits the encrypted criteria of a spec whose own file is on the branch of a run; "" if they are not encrypted,
// or committed already.
func (s *Store) CommitHeldOut(ctx context.Context, id string) (string, error) {
	if text, err := s.ReadHeldOut(id); err != nil || !IsSealed(text) {
		return "", nil //nolint:nilerr // there is nothing to commit
	}
	return s.CommitText(ctx, HeldOutPath(id), message.Commit{ID: id, Event: "edit"}.String())
}

// putHeldOut writes what Seal makes of a file and a section to add.
func (s *Store) putHeldOut(id string, have, section []byte) error {
	full, err := s.Local(local.HeldOut, id+".md")
	if err != nil {
		return err
	}
	if section == nil {
		if err := os.Remove(full); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	next, err := s.Seal(have, section)
	if err != nil {
		return err
	}
	// Commands that agents have chant run can read its other temporary files.
	return disk.Write(full, next, disk.Options{Temp: filepath.Dir(full), Mode: 0o600})
}

// hasHeldOut reports whether the text of a spec has a section with held-out criteria.
func hasHeldOut(path string, src []byte) bool {
	doc, err := markdown.Parse(path, src)
	if err != nil {
		return false
	}
	_, section, err := spec.CutHeldOut(doc)
	return err != nil || section != nil
}

// cutHeldOut moves the held-out criteria out of the texts that edits write; undo puts their files back.
func (s *Store) cutHeldOut(edits []fileEdit) (undo func() error, err error) {
	var back []func() error
	undo = func() error {
		var all error
		for _, step := range back {
			all = errors.Join(all, step())
		}
		return all
	}
	for i, e := range edits {
		id, isSpec := SpecOf(e.path)
		if !isSpec || e.next == nil {
			continue
		}
		doc, err := markdown.Parse(e.path, e.next)
		if err != nil {
			// It is repaired before it is worked.
			continue
		}
		rest, section, err := spec.CutHeldOut(doc)
		if err != nil || section == nil {
			return undo, err
		}
		if s.run != "" {
			return undo, &local.FileError{Path: e.path, Msg: "has held-out criteria, which only a person writes, outside of runs"}
		}
		have, err := s.ReadHeldOut(id)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return undo, err
		}
		// Before the spec, so that a crash between loses nothing.
		if err := s.putHeldOut(id, have, section); err != nil {
			return undo, err
		}
		back = append(back, func() error {
			if have == nil {
				return s.putHeldOut(id, nil, nil)
			}
			return os.WriteFile(filepath.Join(s.home, filepath.FromSlash(HeldOutPath(id))), have, 0o600)
		})
		edits[i].next = rest.Bytes()
	}
	return undo, nil
}

// MoveHeldOut moves the held-out criteria that a person has written into home's file of a spec to where no agent reads
// them. It does nothing for an agent, and nothing to a file that cannot be read.
func (s *Store) MoveHeldOut(ctx context.Context, id string) error {
	src, err := s.ReadTree(s.home, SpecPath(id))
	if err != nil || s.run != "" || !bytes.Contains(bytes.ToLower(src), []byte("held-out criteria")) {
		return nil //nolint:nilerr // what reads the file reports it
	}
	return s.withWriteLock(ctx, "write "+SpecPath(id), func() error {
		_, err := s.moveHeldOut(SpecPath(id), src)
		return err
	})
}

// moveHeldOut returns the text of a file at home without held-out criteria, which it moves.
func (s *Store) moveHeldOut(path string, src []byte) ([]byte, error) {
	edits := []fileEdit{{path: path, old: src, next: src}}
	undo, err := s.cutHeldOut(edits)
	if err == nil && !bytes.Equal(edits[0].next, src) {
		err = s.compareAndReplace(s.home, path, src, edits[0].next)
	}
	if err != nil {
		return nil, errors.Join(err, undo())
	}
	return edits[0].next, nil
}

// ReadableHeldOut returns a commit of any ref in which the spec's file has held-out criteria in the clear, "" for none: agents
// can read it, whatever is done to the file since.
func ReadableHeldOut(ctx context.Context, s *Store, id string) (string, error) {
	commits, err := s.repo.Mentioning(ctx, strings.ToLower(spec.HeldOutHeading), SpecPath(id))
	for _, c := range commits {
		// Without the file, the commit removes it.
		if src, err := s.repo.ReadFile(ctx, c.Hash, SpecPath(id)); err == nil && hasHeldOut(SpecPath(id), src) {
			return c.Hash, nil
		}
	}
	return "", err
}

// withSealed adds to the files of a commit in home the encrypted criteria of its specs, or that they were removed.
func (s *Store) withSealed(ctx context.Context, files []gitops.File) ([]gitops.File, error) {
	if _, err := os.Lstat(s.LocalPath(local.HeldOut, "")); err != nil {
		return files, nil //nolint:nilerr // no spec here has any
	}
	out := files
	for _, f := range files {
		id, isSpec := SpecOf(f.Path)
		if !isSpec || f.Content == nil {
			continue
		}
		text, err := s.ReadHeldOut(id)
		switch {
		case err == nil && IsSealed(text):
			out = append(out[:len(out):len(out)], gitops.File{Path: HeldOutPath(id), Content: text})
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		default:
			if _, err := s.repo.Entry(ctx, "HEAD", HeldOutPath(id)); err == nil {
				out = append(out[:len(out):len(out)], gitops.File{Path: HeldOutPath(id)})
			}
		}
	}
	return out, nil
}
