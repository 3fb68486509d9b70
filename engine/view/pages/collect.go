package pages

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/history"
	"chant/engine/verify"
)

// CollectInput has no fields.
type CollectInput struct{}

// Collect returns what pages show of all specs.
func Collect(ctx context.Context, p *engine.Project, _ CollectInput) (Site, error) {
	site, err := collect(ctx, p)
	return engine.Done(site, err, "")
}

// NameOf returns the name of a project: that of its folder.
func NameOf(p *engine.Project) string { return filepath.Base(engine.Home(p)) }

func collect(ctx context.Context, p *engine.Project) (Site, error) {
	set, files, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return Site{}, err
	}
	archived, unreadable, err := p.Store.LoadArchived()
	if err != nil {
		return Site{}, err
	}
	files = append(slices.Clone(files), archived...)
	slices.SortStableFunc(files, func(a, b *spec.File) int { return spec.Compare(a.ID, b.ID) })

	site := Site{Name: NameOf(p)}
	for _, bad := range slices.Concat(set.Invalid, unreadable) {
		site.Invalid = append(site.Invalid, Broken{bad.ID, bad.Err.Error()})
	}
	if site.Specs, err = describeAll(ctx, p, set.Graph(), files); err != nil {
		return Site{}, err
	}
	return site, ctx.Err()
}

// describeAll describes specs. The graph has the active ones of the project.
func describeAll(ctx context.Context, p *engine.Project, g *spec.Graph, files []*spec.File) ([]Page, error) {
	ids := make([]string, len(files))
	for i, f := range files {
		ids[i] = f.ID
	}
	past, err := history.Find(ctx, p.Store, p.Repo, ids...)
	if err != nil {
		return nil, err
	}
	evidence, err := verify.EvidenceOfAll(ctx, p)
	if err != nil {
		return nil, err
	}
	all := make([]Page, len(files))
	for i, f := range files {
		all[i] = describe(p, g, f, evidence[f.ID], past[f.ID])
	}
	addNeighbours(all)
	return all, addWork(ctx, p, files, all)
}

// describe returns what is known of a spec without the others and without its work.
func describe(p *engine.Project, g *spec.Graph, f *spec.File, found *verify.RecordedEvidence, past []history.Entry) Page {
	page := Page{
		ID: f.ID, Title: f.Title, Status: f.Status, Archived: f.Archived, Fields: f.Fields, Body: criteria.ShownBody(f),
		Landed: f.Status == spec.Completed && (f.Landed || f.Archived), History: past,
	}
	if page.Title == "" {
		page.Title = f.ID
	}
	if !f.Archived {
		page.Ready, page.Blocked = advice.ReadyOrBlocked(p, g, &f.Spec)
	}
	// Evidence is that of a completion, so a spec that was opened again has none.
	if f.Status == spec.Completed {
		page.Evidence = found
		// Any text may be there.
		page.Completed, _ = time.Parse(time.RFC3339, f.Fields.CompletedAt)
		page.Completed = page.Completed.UTC()
	}
	page.Criteria = criteriaOf(f, page.Evidence)
	for i, e := range past {
		// A rebase can leave commits in another order than that of their times.
		if i == 0 || e.At.Before(page.Created) {
			page.Created = e.At
		}
		if e.At.After(page.Updated) {
			page.Updated = e.At
		}
	}
	return page
}

// addNeighbours lists the neighbours of specs, archived ones too, which no graph has.
func addNeighbours(all []Page) {
	at := make(map[string]int, len(all))
	for i := range all {
		at[all[i].ID] = i
	}
	member := func(driver, id string) {
		if i, ok := at[driver]; ok && !slices.Contains(all[i].Members, id) {
			all[i].Members = append(all[i].Members, id)
		}
		if i, ok := at[id]; ok && at[driver] != i && !slices.Contains(all[i].Drivers, driver) {
			all[i].Drivers = append(all[i].Drivers, driver)
		}
	}
	for i := range all {
		page := &all[i]
		for _, id := range page.Fields.DependsOn {
			page.DependsOn = append(page.DependsOn, id)
			if j, ok := at[id]; ok && !slices.Contains(all[j].Dependents, page.ID) {
				all[j].Dependents = append(all[j].Dependents, page.ID)
			}
		}
		if driver, ok := spec.Parent(page.ID); ok {
			if _, exists := at[driver]; exists {
				member(driver, page.ID)
			}
		}
		for _, id := range page.Fields.Members {
			member(page.ID, id)
		}
	}
	for i := range all {
		spec.SortIDs(all[i].Members)
	}
}

// targetOf returns the ref of the branch on which work lands, or what is checked out.
func targetOf(ctx context.Context, p *engine.Project) string {
	if target, err := engine.Target(ctx, p); err == nil {
		return "refs/heads/" + target
	}
	return "HEAD"
}

// excluded is the folder that does not count as work.
const excluded = store.Dir
