package shelf

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"chant/engine/code/corpus"
	"chant/engine/store/index"
	"chant/gitops/lockfile"
)

// Report is what a refresh has done.
type Report struct {
	Indexed  int // files that were divided into chunks
	Known    int // files whose content was known
	Chunks   int // of the indexed files, without those of documentation
	Snippets int // of documentation
	Removed  int // files that the last manifest had and this one has not
	Failed   []Failure
	Saved    bool // false if nothing could be stored: then the next process begins anew
}

// Failure is a file that could not be read.
type Failure struct{ Path, Reason string }

// Request says what is to be refreshed, and how.
type Request struct {
	Root     string
	Rules    corpus.Rules
	Force    bool                                  // read each file anew
	Progress func(done, total int, current string) // may be nil; calls do not overlap
}

// Refresh returns what the worktree contains now, after indexing what was missing. Errors: those of git and of the
// context.
func (s *Shelf) Refresh(ctx context.Context, r Request) (*Snapshot, Report, error) {
	shot := s.Last(r.Root)
	var before, now *corpus.Manifest
	var parts []*Part
	var known learned
	var err error
	if shot != nil {
		before = shot.Manifest
		now, err = corpus.Update(ctx, s.Repo, r.Root, r.Rules, before)
		if err == nil && now == before && !r.Force {
			return shot, Report{Known: len(shot.files), Saved: true}, ctx.Err()
		}
		parts, known = s.read(ctx, shot.Parts, shot.learned)
	} else {
		before = s.readTree(ctx, r.Root)
		var check sync.WaitGroup
		check.Go(func() { now, err = corpus.Update(ctx, s.Repo, r.Root, r.Rules, before) })
		parts, known = s.read(ctx, nil, learned{})
		check.Wait()
	}
	if err != nil {
		return nil, Report{}, err
	}
	report := Report{Removed: removed(before, now), Failed: failed(now), Saved: true}
	shot, missing := s.snapshot(now, parts, known)
	if r.Force {
		missing = now.Searched()
	}
	if len(missing) > 0 || shot.lacks() {
		if shot, err = s.add(ctx, r, shot, missing, &report); err != nil {
			return nil, report, err
		}
	}
	report.Known = len(shot.files) - report.Indexed
	if now != before {
		b := index.Batch{Values: map[index.Key][]byte{{Kind: trees, Name: r.Root}: now.Bytes()}}
		report.Saved = s.store(ctx, b) && report.Saved
	}
	s.keep(r.Root, shot)
	return shot, report, ctx.Err()
}

func removed(before, now *corpus.Manifest) int {
	if before == nil {
		return 0
	}
	n := 0
	for _, f := range before.Files {
		if _, ok := now.Find(f.Path); !ok {
			n++
		}
	}
	return n
}

func failed(m *corpus.Manifest) []Failure {
	var list []Failure
	for _, f := range m.Files {
		if f.Failed {
			list = append(list, Failure{f.Path, f.Skipped})
		}
	}
	return list
}

// add indexes the files that a snapshot misses once no other process does, and returns what there is then.
func (s *Shelf) add(ctx context.Context, r Request, shot *Snapshot, missing []corpus.File, report *Report) (_ *Snapshot, err error) {
	lock, err := lockfile.AcquireWait(ctx, filepath.Join(s.Repo.CommonDir(), "chant", "code.lock"), "index code")
	var unwritable *fs.PathError
	switch {
	case err == nil:
		defer func() { err = errors.Join(err, lock.Release()) }()
	case errors.As(err, &unwritable): // nothing can be stored either, so there is nothing to protect
	default:
		return nil, err
	}
	now := shot.Manifest
	parts, known := s.read(ctx, shot.Parts, shot.learned)
	if !slices.Equal(parts, shot.Parts) { // another process has indexed
		shot, missing = s.snapshot(now, parts, known)
	}
	if r.Force {
		missing = now.Searched()
	}
	a := adder{shelf: s, request: r, long: isLong(now), report: report, total: len(missing)}
	if known.docs == 0 && len(parts) == 0 || r.Force {
		a.taught = &lessons{}
	}
	if err := a.all(ctx, missing); err != nil {
		return nil, err
	}
	parts = append(slices.Clone(parts), a.parts...)
	if r.Force {
		known = learned{}
	}
	var lesson *lesson
	if r.Force || known.isOutgrown(shot.docs()+report.Chunks+report.Snippets) {
		shot, _ = s.snapshot(now, parts, known)
		lesson = s.teach(ctx, shot, a.taught)
	}
	parts, err = s.tidy(ctx, now, parts)
	if lesson != nil {
		var learnErr error
		known, learnErr = s.wait(ctx, lesson)
		err = errors.Join(err, learnErr)
	}
	if err != nil {
		return nil, err
	}
	shot, _ = s.snapshot(now, parts, known)
	return shot, s.understand(ctx, shot)
}

func isLong(m *corpus.Manifest) bool {
	return slices.ContainsFunc(m.Files, func(f corpus.File) bool { return len(f.Hash) > 40 })
}
