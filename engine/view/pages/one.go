package pages

import (
	"context"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/store/history"
	"chant/engine/verify"
)

// OneInput names a spec.
type OneInput struct{ ID string }

// One returns what the page of one spec shows. Unlike Collect it reads only this spec and those around it, so that
// Dependents are missing, and the members and drivers are active ones.
func One(ctx context.Context, p *engine.Project, in OneInput) (Page, error) {
	f, err := engine.FindAny(ctx, p, in.ID)
	if err != nil {
		return Page{}, engine.Wrap(err, in.ID)
	}
	page, err := one(ctx, p, f)
	return engine.Done(page, err, f.ID)
}

func one(ctx context.Context, p *engine.Project, f *spec.File) (Page, error) {
	// Only the specs around it are read, which is what makes one page cheap.
	_, g, err := engine.GraphAround(ctx, p, f.ID)
	if err != nil {
		return Page{}, err
	}
	past, err := history.Find(ctx, p.Store, p.Repo, f.ID)
	if err != nil {
		return Page{}, err
	}
	var found *verify.RecordedEvidence
	if f.Status == spec.Completed {
		h, err := journal.ReadHistory(p.Store, f.ID)
		if err != nil {
			return Page{}, err
		}
		if found, err = verify.Evidence(ctx, p, f.ID, h); err != nil {
			return Page{}, err
		}
	}
	all := []Page{describe(p, g, f, found, past[f.ID])}
	if err := addWork(ctx, p, []*spec.File{f}, all); err != nil {
		return Page{}, err
	}
	page := all[0]
	page.DependsOn, page.Members, page.Drivers = f.Fields.DependsOn, g.Members(f.ID), g.Drivers(f.ID)
	return page, nil
}
