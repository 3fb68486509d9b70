package verify

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/gitops"
)

// changes is a range of commits.
type changes struct {
	from, to string // commits; from is the merge base of both ends
	commits  []gitops.Commit
}

// readRange reads a range of the form A..B, A...B, or A for A..HEAD.
func readRange(ctx context.Context, p *engine.Project, text string) (*changes, error) {
	a, b, ranged := strings.Cut(strings.Replace(text, "...", "..", 1), "..")
	if !ranged || b == "" {
		b = "HEAD"
	}
	if a == "" {
		a = "HEAD"
	}
	c := &changes{}
	for _, end := range []struct {
		name string
		into *string
	}{{a, &c.from}, {b, &c.to}} {
		hash, err := p.Repo.Resolve(ctx, end.name)
		if errors.Is(err, gitops.ErrNotFound) {
			return nil, missingCommit(p, "there is no commit %q here", spec.Echo(end.name))
		}
		if err != nil {
			return nil, err
		}
		*end.into = hash
	}
	// From the merge base, so that what the target has received meanwhile is not taken for changes of the range.
	base, err := p.Repo.MergeBase(ctx, c.from, c.to)
	switch {
	case errors.Is(err, gitops.ErrNotFound):
		return nil, missingCommit(p, "%q and %q have no history in common here", spec.Echo(a), spec.Echo(b))
	case err != nil:
		return nil, err
	}
	c.from = base
	c.commits, err = p.Repo.Log(ctx, c.from, c.to)
	return c, err
}

// missingCommit returns the error for commits that are missing. In a shallow clone, its next step fetches the rest of
// the history.
func missingCommit(p *engine.Project, format string, args ...any) error {
	if p.Repo.Shallow() {
		return engine.Fail(engine.NotFound, next.Shell("git fetch --unshallow"), format+"; the history of this clone is cut off", args...)
	}
	return engine.Fail(engine.NotFound, next.Shell("git log --oneline"), format, args...)
}

// changedSubjects returns the completed specs that a range changes, as they are at its end, and describes the completed
// specs that it removes.
func changedSubjects(ctx context.Context, p *engine.Project, text string) (out []subject, lost []string, err error) {
	c, err := readRange(ctx, p, text)
	if err != nil {
		return nil, nil, err
	}
	diff, err := p.Repo.Diff(ctx, c.from, c.to)
	if err != nil {
		return nil, nil, err
	}
	checks, err := checksAt(ctx, p, c.to)
	if err != nil {
		return nil, nil, err
	}
	for _, ch := range diff {
		id, isSpec := store.SpecOf(ch.Path)
		if ch.Status == 'D' || !isSpec {
			continue
		}
		s, err := p.Store.ReadAt(ctx, c.to, id)
		if err != nil {
			return nil, nil, engine.Wrap(err, id)
		}
		if s.Status == spec.Completed {
			out = append(out, subject{s: s, commit: c.to, checks: checks, changes: c})
		}
	}
	// A forged completion could be archived in the same range.
	archived, err := archivedSubjects(ctx, p, c, diff, checks)
	if err != nil {
		return nil, nil, err
	}
	lost, err = lostSpecs(ctx, p, c, diff)
	return append(out, archived...), lost, err
}

// archivedSubjects returns the completed specs that a range archives and that were not completed before it. A forged
// completion could be archived at once, so these must be checked too.
func archivedSubjects(ctx context.Context, p *engine.Project, c *changes, diff []gitops.Change, checks spec.Checks) ([]subject, error) {
	var out []subject
	for _, ch := range diff {
		id, archived := store.ArchivedOf(ch.Path)
		if ch.Status == 'D' || !archived {
			continue
		}
		was, err := p.Store.ReadAt(ctx, c.from, id)
		if err == nil && was.Status == spec.Completed || hasPath(ctx, p.Repo, c.from, ch.Path) {
			continue
		}
		src, err := p.Repo.ReadFile(ctx, c.to, ch.Path)
		if err != nil {
			return nil, err
		}
		s, err := spec.Parse(id, ch.Path, src)
		if err != nil {
			return nil, engine.Wrap(err, id)
		}
		if s.Archived = true; s.Status == spec.Completed {
			out = append(out, subject{s: s, commit: c.to, checks: checks, changes: c})
		}
	}
	return out, nil
}

// hasPath reports whether a commit has a file.
func hasPath(ctx context.Context, repo *gitops.Repo, commit, file string) bool {
	_, err := repo.ReadFile(ctx, commit, file)
	return err == nil
}

// lostSpecs describes the completed specs that a range removes without archiving them.
func lostSpecs(ctx context.Context, p *engine.Project, c *changes, diff []gitops.Change) ([]string, error) {
	kept := map[string]bool{}
	// A spec that was moved to the archive has its name there.
	for _, ch := range diff {
		if ch.Status != 'D' {
			kept[path.Base(ch.Path)] = true
		}
	}
	var out []string
	for _, ch := range diff {
		id, isSpec := store.SpecOf(ch.Path)
		if ch.Status != 'D' || !isSpec || kept[path.Base(ch.Path)] {
			continue
		}
		was, err := p.Store.ReadAt(ctx, c.from, id)
		if err == nil && was.Status == spec.Completed {
			out = append(out, fmt.Sprintf("completed spec %q is no longer there", id))
		}
	}
	return out, nil
}

// findEvent returns the newest commit of a range that records this event of a spec, nil if there is none.
func (c *changes) findEvent(id, ev string) *gitops.Commit {
	for i, commit := range c.commits {
		if slices.Contains(message.Records(commit), message.Record{ID: id, Event: ev}) {
			return &c.commits[i]
		}
	}
	return nil
}
