package store

import (
	"bytes"
	"context"
	"errors"

	"chant/engine/spec"
	"chant/engine/store/local"
	"chant/engine/store/message"
	"chant/gitops"
	"chant/markdown"
)

// Change is one change of a spec.
type Change struct {
	ID      string
	Event   spec.Event      // "" changes the document, not the status
	Via     []spec.Event    // events that come before Event, in the same commit
	Word    string          // the name of a change without an event, such as "edit"
	Edits   []markdown.Edit // further front matter
	Edit    func(*markdown.Document) (*markdown.Document, error)
	Force   *spec.Status // the status to start from, if that of the file is wrong
	Attempt int          // 0 outside a run
	Why     string       // goes into the commit message
	More    []message.Trailer
	AtHome  bool    // the copy in home changes, even if a branch has the current version
	Adds    []Added // further specs in the same commit; only if home's copy changes
	Writes  []Write // further files in the same commit, below home; only if home's copy changes
}

// Write is a change of another file: from Old, nil if it must not exist, to Next, nil to remove it.
type Write struct {
	Path      string
	Old, Next []byte
}

// Added is a spec that is created together with a change of another one.
type Added struct {
	ID      string
	Content []byte
}

// Outcome is the result of a transition.
type Outcome struct {
	Spec   *spec.File
	Commit string // "" if git ignores `.chant`, or nothing changed
}

// Transition is the only way to change a spec: it loads the current version, asks
// the state machine, edits the document and makes one commit of this path
// only. While the run's branch exists it commits there, otherwise to
// the branch checked out in home. If the commit fails, the file is restored.
func (s *Store) Transition(ctx context.Context, ch Change) (Outcome, error) {
	place, err := s.placeOf(ctx, ch)
	if err != nil {
		return Outcome{}, err
	}
	was, err := s.Parse(ch.ID, SpecPath(ch.ID), place.src)
	if err != nil {
		return Outcome{}, err
	}
	doc, err := ch.apply(was)
	if err != nil {
		return Outcome{}, err
	}
	// The state machine has allowed the event: nothing was written before this line.
	commit, err := s.saveChange(ctx, place, ch, doc.Bytes())
	if err != nil {
		return Outcome{}, err
	}
	if place.branch == "" {
		if doc, _, err = spec.CutHeldOut(doc); err != nil {
			return Outcome{}, err
		}
	}
	// The spec is read from the document itself, not from the file, which others may already have changed again.
	now, err := spec.FromDocument(ch.ID, doc)
	if err != nil {
		return Outcome{}, err
	}
	if err := adoptIn(ctx, s, place, now); err != nil {
		return Outcome{}, err
	}
	now.Rules = s.Rules
	if place.branch != "" {
		now.Branch, now.Landed = place.branch, false
	}
	return Outcome{now, commit}, nil
}

func (ch Change) apply(s *spec.File) (*markdown.Document, error) {
	doc := s.Doc
	var err error
	if ch.Event == "" {
		doc, err = doc.Apply(ch.Edits...)
	} else {
		// A repair starts from the status that is right, since from the wrong one the event may not be allowed.
		if ch.Force != nil {
			s.Status = *ch.Force
		}
		doc, err = ch.applyEvents(s)
	}
	if err != nil || ch.Edit == nil {
		return doc, err
	}
	return ch.Edit(doc)
}

func (ch Change) message() string {
	if len(ch.Via) > 0 {
		return message.Join("", ch.records())
	}
	return message.Commit{ID: ch.ID, Event: ch.records()[0].Event, Why: ch.Why, Attempt: ch.Attempt, More: ch.More}.String()
}

// save writes the file and commits it, or restores it. With a commit, an error is about an index.
func (s *Store) save(ctx context.Context, p place, path string, next []byte, message string) (commit string, err error) {
	// One lock covers both steps: otherwise two writers could commit in another order than they wrote.
	err = s.withWriteLock(ctx, "write "+path, func() (err error) {
		edits, undo := []fileEdit{{path: path, next: next}}, func() error { return nil }
		if p.branch == "" {
			undo, err = s.cutHeldOut(edits)
		} else if hasHeldOut(path, next) && !hasHeldOut(path, p.src) {
			// A section that is there already is the agent's, whose run fails for that.
			err = &local.FileError{Path: path, Msg: "would have held-out criteria on the branch of a run, where agents read them: write them by editing the spec"}
		}
		if err != nil {
			return errors.Join(err, undo())
		}
		next := edits[0].next
		if err := s.writePlace(ctx, p, path, next); err != nil {
			return errors.Join(err, undo())
		}
		commit, err = s.commit(ctx, p, []gitops.File{{Path: path, Content: next}}, message)
		// With a commit the change is made and only an index was not updated, so the file stays.
		if err != nil && commit == "" && p.tree != "" {
			err = errors.Join(err, s.takeBack(p.tree, path, next, p.src), undo())
		}
		return err
	})
	return commit, err
}

// writePlace writes the file in its worktree. Without a worktree of the branch there is nothing
// to write, but the branch's tip must still have the text that was read.
func (s *Store) writePlace(ctx context.Context, p place, path string, next []byte) error {
	if p.tree != "" {
		return s.compareAndReplace(p.tree, path, p.src, next)
	}
	// Without a worktree there is nothing to write, but the tip must still have the text that was read.
	now, err := s.repo.ReadFile(ctx, "refs/heads/"+p.branch, path)
	if err != nil || !bytes.Equal(now, p.src) {
		return errors.Join(&ChangedError{path}, err)
	}
	return nil
}

func (s *Store) commit(ctx context.Context, p place, files []gitops.File, message string) (string, error) {
	// Where git ignores .chant, files change without commits.
	if tracked, err := s.Tracked(ctx); err != nil || !tracked {
		return "", err
	}
	dir := p.tree
	if dir == "" {
		dir = s.home
	}
	if p.branch == "" {
		var err error
		if files, err = s.withSealed(ctx, files); err != nil {
			return "", err
		}
	}
	hash, changed, err := s.repo.CommitFiles(ctx, gitops.CommitOptions{
		Branch: p.branch, Dir: dir, Files: files, Message: message,
	})
	if !changed {
		return "", err
	}
	return hash, err
}

// Tracked reports whether git tracks specs here, which it does not if `.chant` is ignored (silent mode).
func (s *Store) Tracked(ctx context.Context) (bool, error) {
	// A rule for a folder shows in any path below it; the file need not exist.
	probe := SpecPath("probe")
	ignored, err := s.repo.Ignored(ctx, probe)
	return !ignored[probe], err
}

// Create writes a new spec to home and commits it; *ExistsError if the id is
// taken.
func (s *Store) Create(ctx context.Context, id string, content []byte) (string, error) {
	return s.save(ctx, place{tree: s.home}, SpecPath(id), content, message.Commit{ID: id, Event: "add"}.String())
}

// CommitEdits commits the edits of a person in home's copy of a spec;
// "" if it has no uncommitted edits.
func (s *Store) CommitEdits(ctx context.Context, id string) (commit string, err error) {
	return s.CommitText(ctx, SpecPath(id), message.Commit{ID: id, Event: "edit"}.String())
}

// CommitText commits the uncommitted edits of a file in home; "" if it has none, and where git does not track specs.
func (s *Store) CommitText(ctx context.Context, path, message string) (commit string, err error) {
	err = s.withWriteLock(ctx, "commit "+path, func() (err error) {
		// The text is read under the lock, so that no other writer's half of a change is committed here.
		src, err := s.ReadTree(s.home, path)
		if err == nil {
			src, err = s.moveHeldOut(path, src)
		}
		if err != nil {
			return err
		}
		commit, err = s.commit(ctx, place{tree: s.home}, []gitops.File{{Path: path, Content: src}}, message)
		return err
	})
	return commit, err
}
