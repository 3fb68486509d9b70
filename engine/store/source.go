package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine/format/adopted"
	"chant/engine/spec"
	"chant/gitops"
)

// AdoptHome gives a spec what is in the folder of its key `source` in home. It does nothing without that key.
func AdoptHome(s *Store, f *spec.File) { AdoptFrom(s, s.home, f) }

// AdoptFrom is AdoptHome for another worktree.
func AdoptFrom(s *Store, tree string, f *spec.File) {
	if f != nil {
		adoptFrom(s, tree, &f.Spec)
	}
}

func adoptFrom(s *Store, tree string, f *spec.Spec) {
	if f.Fields.Source == "" {
		return
	}
	// A root lets no link in the folder lead out of the worktree.
	root, err := os.OpenRoot(tree)
	if err != nil {
		f.Adopt(adopted.Unreadable(f.Fields, err))
		return
	}
	defer root.Close()
	files, err := fs.Sub(root.FS(), s.inTree(tree, "."))
	if err != nil {
		f.Adopt(adopted.Unreadable(f.Fields, err))
		return
	}
	f.Adopt(adopted.Read(files, f.Fields))
}

// AdoptAt gives a spec what is in the folder of its key `source` in a commit. It does nothing without that key.
func AdoptAt(ctx context.Context, s *Store, commit string, f *spec.File) error {
	if f == nil {
		return nil
	}
	return adoptAt(ctx, s, commit, &f.Spec)
}

func adoptAt(ctx context.Context, s *Store, commit string, f *spec.Spec) error {
	if f.Fields.Source == "" {
		return nil
	}
	files, err := s.repo.FS(ctx, commit)
	if err != nil {
		return err
	}
	f.Adopt(adopted.Read(files, f.Fields))
	return ctx.Err()
}

// adoptIn is AdoptAt or AdoptFrom for the place of a change.
func adoptIn(ctx context.Context, s *Store, p place, f *spec.File) error {
	if p.tree == "" {
		return AdoptAt(ctx, s, "refs/heads/"+p.branch, f)
	}
	AdoptFrom(s, p.tree, f)
	return nil
}

// EditSource edits a file of the folder of `source` in the place of the spec's current version, and commits it there. It
// returns the commit, "" where git does not track specs or if nothing changed. Errors: fs.ErrNotExist; *ChangedError if
// the file changed meanwhile.
func EditSource(ctx context.Context, s *Store, id, path, message string, edit func([]byte) ([]byte, error)) (string, error) {
	p, err := sourcePlace(ctx, s, id, path)
	if err != nil {
		return "", err
	}
	// The worktree's file counts while there is one: it may have edits that are not committed.
	if p.tree != "" {
		p.src, err = s.ReadTree(p.tree, path)
	} else {
		p.src, err = s.repo.ReadFile(ctx, "refs/heads/"+p.branch, path)
	}
	if err != nil {
		return "", err
	}
	next, err := edit(p.src)
	if err != nil || string(next) == string(p.src) {
		return "", err
	}
	return s.save(ctx, p, path, next, message)
}

// sourcePlace is the place of a file of the folder: that of the spec, but on the branch of its run even if git ignores
// `.chant` and the spec itself is in home.
func sourcePlace(ctx context.Context, s *Store, id, path string) (place, error) {
	tip, err := s.tip(ctx, id)
	if err != nil || tip == "" {
		return place{tree: s.home}, err
	}
	p := place{branch: s.Branch(id)}
	trees, err := s.repo.Worktrees(ctx)
	if err != nil {
		return p, err
	}
	for _, t := range trees {
		if t.Branch == p.branch {
			// A worktree that lacks the file, or has a link in its place, must not be written to.
			if _, err := regularFile(t.Path, s.inTree(t.Path, path)); err == nil {
				p.tree = t.Path
			}
		}
	}
	// Where neither a worktree nor git has the file, nothing would record the change.
	if tracked, err := s.Tracked(ctx); err != nil || !tracked && p.tree == "" {
		return p, errors.Join(err, &ChangedError{path})
	}
	return p, nil
}

// WriteSource is EditSource in the run's worktree that the caller is in, without a commit.
func WriteSource(ctx context.Context, s *Store, id, path string, edit func([]byte) ([]byte, error)) (changed bool, err error) {
	src, err := s.ReadTree(s.Tree(id), path)
	if err != nil {
		return false, err
	}
	next, err := edit(src)
	if err != nil || string(next) == string(src) {
		return false, err
	}
	return true, s.Write(ctx, s.Tree(id), path, src, next)
}

// CommitSource commits what a person has written in a folder of home: changed, new and removed files that git does not
// ignore. Other edits, and what is not a regular file, are left as they are. It returns "" if there is nothing to commit.
func CommitSource(ctx context.Context, s *Store, dir, message string) (commit string, err error) {
	// Listing and committing are under one lock: a file that chant writes between would be committed under this message.
	err = s.withWriteLock(ctx, "commit "+dir, func() error {
		changed, err := s.repo.Status(ctx, s.home, dir)
		if err != nil {
			return err
		}
		var files []gitops.File
		for _, c := range changed {
			file, ok, err := homeFile(s, c.Path)
			if err != nil {
				return err
			}
			if ok {
				files = append(files, file)
			}
		}
		if len(files) == 0 {
			return nil
		}
		commit, err = s.commit(ctx, place{tree: s.home}, files, message)
		return err
	})
	return commit, err
}

// homeFile returns a file of home as it is to be committed, without content if it was removed; ok is false if it is not
// a regular file.
func homeFile(s *Store, path string) (file gitops.File, ok bool, err error) {
	info, err := os.Lstat(filepath.Join(s.home, filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return gitops.File{Path: path}, true, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return gitops.File{}, false, err
	}
	src, err := s.ReadTree(s.home, path)
	if src == nil {
		// In a commit, nil would remove the file.
		src = []byte{}
	}
	return gitops.File{Path: path, Content: src, Executable: info.Mode()&0o111 != 0}, true, err
}
