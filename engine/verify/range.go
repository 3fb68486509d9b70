package verify

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// archivedIn are the completed specs that a range puts into the archive and that were
// not completed before: whoever forges a completion can put it away at once.
func archivedIn(ctx context.Context, p *engine.Project, c *changes, diff []gitops.Change, checks spec.Checks) ([]subject, error) {
	var out []subject
	for _, ch := range diff {
		id, archived := store.ArchivedOf(ch.Path)
		if ch.Status == 'D' || !archived {
			continue
		}
		was, err := p.Store.At(ctx, c.from, id)
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

// lostWork names completed specs that a range takes away without putting them into the
// archive.
func lostWork(ctx context.Context, p *engine.Project, c *changes, diff []gitops.Change) ([]string, error) {
	kept := map[string]bool{}
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
		was, err := p.Store.At(ctx, c.from, id)
		if err == nil && was.Status == spec.Completed {
			out = append(out, fmt.Sprintf("completed spec %q is no longer there", id))
		}
	}
	return out, nil
}

// since names what a spec that was completed before the range asks for less than it did.
func since(ctx context.Context, p *engine.Project, sub subject) ([]string, error) {
	was, err := p.Store.At(ctx, sub.changes.from, sub.s.ID)
	if errors.Is(err, gitops.ErrNotFound) || err == nil && was.Status != spec.Completed {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return spec.WeakenedChecks(was, sub.s), nil
}

// fits reports whether evidence speaks of the work that a range brings: it lies beside a
// commit of the range and was written for it, or its tree is that of one, but for .chant.
func fits(ctx context.Context, p *engine.Project, found *RecordedEvidence, c *changes) (bool, error) {
	for _, commit := range c.commits {
		if commit.Hash == found.Commit {
			return found.about == found.Commit, nil
		}
	}
	for _, commit := range c.commits {
		same, err := sameWork(ctx, p, found.Tree, commit.Tree)
		if same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// sameWork reports whether two trees differ in nothing but .chant. A tree that is not
// here is like none.
func sameWork(ctx context.Context, p *engine.Project, a, b string) (bool, error) {
	diff, err := p.Repo.Diff(ctx, a, b)
	if errors.Is(err, gitops.ErrNotFound) {
		return false, nil
	}
	for _, ch := range diff {
		if !strings.HasPrefix(ch.Path, store.Dir+"/") {
			return false, err
		}
	}
	return err == nil, err
}

// onlyRan reports whether nothing of the evidence rests on a box: what ran is run again.
func (r *RecordedEvidence) onlyRan() bool {
	for _, v := range r.Criteria {
		if len(v.Evidence) == 0 {
			return false
		}
	}
	return true
}
