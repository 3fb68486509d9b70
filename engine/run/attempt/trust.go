package attempt

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// EnsureTrusted finds the criteria to trust for a branch that came without a journal, for example from another
// machine: those of the target.
func (a *Attempt) EnsureTrusted(ctx context.Context) error {
	if a.Journal.history.Trusted != nil {
		return nil
	}
	target, err := a.Repo.Resolve(ctx, "refs/heads/"+a.Job.Target)
	if err != nil {
		return err
	}
	// A spec that was never committed is only in the checkout, which is a person's.
	if _, err := a.Repo.ReadFile(ctx, target, store.SpecPath(a.Job.ID)); errors.Is(err, gitops.ErrNotFound) {
		src, err := a.Store.ReadTree(a.Store.Home(), store.SpecPath(a.Job.ID))
		if err != nil {
			return fmt.Errorf("neither %q nor your checkout has the spec %q, so nothing says what its branch has to fulfil: %w", a.Job.Target, a.Job.ID, err)
		}
		return a.Journal.Trust(journal.Trusted{Text: string(src)})
	}
	return a.Journal.Trust(journal.Trusted{Commit: target, OfTarget: true})
}

// reading is a spec and where it was read from.
type reading struct {
	from journal.Trusted
	read *spec.File
}

// Trusted returns the spec whose criteria count. It is read once, and again if others count; the caller may change the
// copy that it gets.
func (a *Attempt) Trusted(ctx context.Context) (*spec.File, error) {
	if err := a.EnsureTrusted(ctx); err != nil {
		return nil, err
	}
	t := *a.Journal.history.Trusted
	// Parsed once: a run asks for it in almost every step.
	if a.memo.trusted.read == nil || a.memo.trusted.from.Commit != t.Commit || a.memo.trusted.from.Text != t.Text {
		s, err := a.readTrusted(ctx, t)
		if err != nil {
			return nil, err
		}
		a.memo.trusted = reading{t, s}
	}
	// Callers change what they get.
	own := *a.memo.trusted.read
	return &own, nil
}

func (a *Attempt) readTrusted(ctx context.Context, t journal.Trusted) (*spec.File, error) {
	src := []byte(t.Text)
	if t.Text == "" {
		var err error
		if src, err = a.Repo.ReadFile(ctx, t.Commit, store.SpecPath(a.Job.ID)); err != nil {
			return nil, err
		}
	}
	s, err := a.Store.Parse(a.Job.ID, store.SpecPath(a.Job.ID), src)
	if err != nil {
		return nil, err
	}
	// A trusted text has no commit, so the folder is that of the run's base.
	return s, store.AdoptAt(ctx, a.Store, cmp.Or(t.Commit, a.Job.Base), s)
}
