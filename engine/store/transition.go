package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/engine/spec"
	"chant/gitops"
	"chant/markdown"
)

// Change is one step of a spec from what it is to what it shall be.
type Change struct {
	ID      string
	Event   spec.Event      // "" changes the document and leaves the status
	Word    string          // what to call a change without an event, such as "edit"
	Edits   []markdown.Edit // further front matter
	Edit    func(*markdown.Document) (*markdown.Document, error)
	Force   *spec.Status // the status to start from, when the file's own cannot be believed
	Attempt int          // 0 outside a run
	Why     string       // goes into the commit message
}

// Outcome is what a transition left behind.
type Outcome struct {
	Spec   *spec.Spec
	Commit string // "" when git ignores `.chant`, or nothing changed
}

// Transition is the one road by which a spec changes: load it from where it
// speaks, ask the machine, edit the document, make one commit that holds this
// path alone. While the run's branch exists the commit goes there, otherwise to
// the branch checked out in home. If the commit fails, the file is put back.
func (s *Store) Transition(ctx context.Context, ch Change) (Outcome, error) {
	place, err := s.place(ctx, ch.ID)
	if err != nil {
		return Outcome{}, err
	}
	was, err := spec.Parse(ch.ID, SpecPath(ch.ID), place.src)
	if err != nil {
		return Outcome{}, err
	}
	doc, err := ch.apply(was)
	if err != nil {
		return Outcome{}, err
	}
	commit, err := s.save(ctx, place, SpecPath(ch.ID), doc.Bytes(), ch.message())
	if err != nil {
		return Outcome{}, err
	}
	now, err := spec.FromDocument(ch.ID, doc)
	if err != nil {
		return Outcome{}, err
	}
	if place.branch != "" {
		now.Branch, now.Landed = place.branch, false
	}
	return Outcome{now, commit}, nil
}

func (ch Change) apply(s *spec.Spec) (*markdown.Document, error) {
	doc := s.Doc
	var err error
	if ch.Event == "" {
		doc, err = doc.Apply(ch.Edits...)
	} else {
		if ch.Force != nil {
			s.Status = *ch.Force
		}
		doc, err = s.Apply(ch.Event, ch.Edits...)
	}
	if err != nil || ch.Edit == nil {
		return doc, err
	}
	return ch.Edit(doc)
}

func (ch Change) message() string {
	word := ch.Word
	if ch.Event != "" {
		word = string(ch.Event)
	}
	return Message{ID: ch.ID, Event: word, Why: ch.Why, Attempt: ch.Attempt}.String()
}

// Raw is the text of a spec from where it speaks, readable or not.
func (s *Store) Raw(ctx context.Context, id string) ([]byte, error) {
	p, err := s.place(ctx, id)
	return p.src, err
}

// Replace puts a new text in the place of a spec's file where it speaks and commits
// it; *ChangedError when the file no longer is old. It asks no machine: it is for
// mending a file that cannot be read.
func (s *Store) Replace(ctx context.Context, id string, old, next []byte, word string) (string, error) {
	p, err := s.place(ctx, id)
	if err != nil {
		return "", err
	}
	if !bytes.Equal(p.src, old) {
		return "", &ChangedError{SpecPath(id)}
	}
	return s.save(ctx, p, SpecPath(id), next, Message{ID: id, Event: word}.String())
}

// Message is the text of a commit that records an event.
type Message struct {
	ID      string
	Event   string
	Subject string // what follows "chant(<id>): ", the event when empty
	Why     string // a paragraph between subject and trailers, may be empty
	Attempt int    // 0 leaves its trailer out
}

// String spells subject, reason and the trailers Chant-Spec, Chant-Event and
// Chant-Attempt.
func (m Message) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "chant(%s): %s\n\n", m.ID, cmp.Or(m.Subject, m.Event))
	if m.Why != "" {
		b.WriteString(strings.TrimSpace(m.Why) + "\n\n")
	}
	fmt.Fprintf(&b, "Chant-Spec: %s\nChant-Event: %s\n", m.ID, m.Event)
	if m.Attempt > 0 {
		fmt.Fprintf(&b, "Chant-Attempt: %d\n", m.Attempt)
	}
	return b.String()
}

// place is where a spec speaks and where a change of it goes.
type place struct {
	tree   string // folder whose file is written, "" when no tree has the branch
	branch string // short name; "" commits to what home has checked out
	src    []byte
}

func (s *Store) place(ctx context.Context, id string) (place, error) {
	path := SpecPath(id)
	tip, err := s.repo.Resolve(ctx, "refs/heads/"+s.Branch(id))
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return place{}, err
	}
	if err == nil {
		if src, err := s.repo.ReadFile(ctx, tip, path); err == nil {
			return s.onBranch(ctx, id, src)
		}
	}
	src, err := s.ReadTree(s.home, path)
	if err != nil {
		return place{}, &spec.NotFoundError{ID: id}
	}
	return place{tree: s.home, src: src}, nil
}

// onBranch finds the tree that has the run's branch, if one has: its file is
// then the one to edit.
func (s *Store) onBranch(ctx context.Context, id string, tipSrc []byte) (place, error) {
	p := place{branch: s.Branch(id), src: tipSrc}
	trees, err := s.repo.Worktrees(ctx)
	if err != nil {
		return place{}, err
	}
	for _, t := range trees {
		if _, err := os.Lstat(filepath.Join(t.Path, ".git")); t.Branch != p.branch || err != nil {
			continue // another one, or one that somebody broke
		}
		if src, err := s.ReadTree(t.Path, SpecPath(id)); err == nil {
			p.tree, p.src = t.Path, src
		}
	}
	return p, nil
}

// save writes the file and commits it, or puts it back. An error that comes with
// a commit leaves the file: the change is made, only an index did not follow.
func (s *Store) save(ctx context.Context, p place, path string, next []byte, message string) (commit string, err error) {
	err = s.inTurn(ctx, "write "+path, func() (err error) {
		if err := s.put(ctx, p, path, next); err != nil {
			return err
		}
		commit, err = s.commit(ctx, p, []gitops.File{{Path: path, Content: next}}, message)
		if err != nil && commit == "" && p.tree != "" {
			err = errors.Join(err, s.swap(p.tree, path, next, p.src))
		}
		return err
	})
	return commit, err
}

// put writes the file in its tree. Where no tree has the branch there is nothing
// to write, but its tip must still hold what was read.
func (s *Store) put(ctx context.Context, p place, path string, next []byte) error {
	if p.tree != "" {
		return s.swap(p.tree, path, p.src, next)
	}
	now, err := s.repo.ReadFile(ctx, "refs/heads/"+p.branch, path)
	if err != nil || !bytes.Equal(now, p.src) {
		return errors.Join(&ChangedError{path}, err)
	}
	return nil
}

func (s *Store) commit(ctx context.Context, p place, files []gitops.File, message string) (string, error) {
	if tracked, err := s.Tracked(ctx); err != nil || !tracked {
		return "", err
	}
	dir := p.tree
	if dir == "" {
		dir = s.home
	}
	hash, changed, err := s.repo.CommitFiles(ctx, gitops.CommitOptions{
		Branch: p.branch, Dir: dir, Files: files, Message: message,
	})
	if !changed {
		return "", err
	}
	return hash, err
}

// Tracked reports whether git tracks specs here. It does not where `.chant` is
// ignored (silent mode): files change there and nothing is committed.
func (s *Store) Tracked(ctx context.Context) (bool, error) {
	probe := SpecPath("probe")
	ignored, err := s.repo.Ignored(ctx, probe)
	return !ignored[probe], err
}

// Create writes a new spec to home and commits it; *ExistsError when the id is
// taken.
func (s *Store) Create(ctx context.Context, id string, content []byte) (string, error) {
	return s.save(ctx, place{tree: s.home}, SpecPath(id), content, Message{ID: id, Event: "add"}.String())
}

// CommitEdits commits what a person changed in home's copy of a spec by hand;
// "" when nothing is uncommitted there.
func (s *Store) CommitEdits(ctx context.Context, id string) (commit string, err error) {
	path := SpecPath(id)
	err = s.inTurn(ctx, "commit "+path, func() (err error) {
		src, err := s.ReadTree(s.home, path)
		if err != nil {
			return err
		}
		commit, err = s.commit(ctx, place{tree: s.home}, []gitops.File{{Path: path, Content: src}}, Message{ID: id, Event: "edit"}.String())
		return err
	})
	return commit, err
}

// Rename moves files below home in one commit. Either all moves happen or none. A
// move that an earlier process began is finished.
func (s *Store) Rename(ctx context.Context, moves map[string]string, message string) (commit string, err error) {
	err = s.inTurn(ctx, "rename", func() (err error) {
		commit, err = s.rename(ctx, moves, message)
		return err
	})
	return commit, err
}

func (s *Store) rename(ctx context.Context, moves map[string]string, message string) (string, error) {
	var files []gitops.File
	var undo []func() error
	fail := func(err error) (string, error) {
		for i := len(undo) - 1; i >= 0; i-- {
			err = errors.Join(err, undo[i]())
		}
		return "", err
	}
	for from, to := range moves {
		src, err := s.ReadTree(s.home, from)
		there, thereErr := s.ReadTree(s.home, to)
		moved := errors.Is(err, fs.ErrNotExist) && thereErr == nil
		switch {
		case moved: // by a process that was killed before it could commit
			src = there
		case err != nil:
			return fail(err)
		case thereErr == nil && !bytes.Equal(src, there):
			return fail(&ExistsError{to})
		case thereErr != nil:
			if err := s.swap(s.home, to, nil, src); err != nil {
				return fail(err)
			}
			undo = append(undo, func() error { return s.swap(s.home, to, src, nil) })
		}
		if !moved {
			if err := s.swap(s.home, from, src, nil); err != nil {
				return fail(err)
			}
			undo = append(undo, func() error { return s.swap(s.home, from, nil, src) })
		}
		files = append(files, gitops.File{Path: filepath.ToSlash(from)}, gitops.File{Path: filepath.ToSlash(to), Content: src})
	}
	commit, err := s.commit(ctx, place{tree: s.home}, files, message)
	if err != nil && commit == "" {
		return fail(err)
	}
	return commit, err
}
