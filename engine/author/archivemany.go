package author

import (
	"context"
	"path"
	"time"

	"chant/archive"
	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/text"
)

// ArchiveManyInput selects specs to archive: all that are finished, or those of an age.
type ArchiveManyInput struct {
	OlderThan  string `json:"older_than,omitempty" jsonschema:"Only specs that were completed before this time or so long ago, such as 30d"`
	Unfinished bool   `json:"unfinished,omitempty" jsonschema:"Specs in any other status too, unless they have a run"`
	DryRun     bool   `json:"dry_run,omitempty" jsonschema:"Only say what would be archived"`
}

// ArchiveManyResult lists what was archived, or would be, and what stays for a reason of its own.
type ArchiveManyResult struct {
	Moved  []ArchivedSpec `json:"moved"`
	Left   []LeftSpec     `json:"left"`
	Commit string         `json:"commit,omitempty"`
	DryRun bool           `json:"dry_run,omitempty"`
}

// LeftSpec is a finished spec that is not archived, and why.
type LeftSpec struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// ArchiveMany moves all finished specs to the archive in one commit: each driver with its members, and no member whose
// driver is still open. Errors: Usage for an invalid time; Conflict while a process works on one of them.
func ArchiveMany(ctx context.Context, p *engine.Project, in ArchiveManyInput) (ArchiveManyResult, error) {
	if err := engine.MayInside(p, "archive", ""); err != nil {
		return ArchiveManyResult{}, err
	}
	result, err := archiveMany(ctx, p, in)
	return engine.Done(result, err, "")
}

func archiveMany(ctx context.Context, p *engine.Project, in ArchiveManyInput) (ArchiveManyResult, error) {
	result := ArchiveManyResult{Moved: []ArchivedSpec{}, Left: []LeftSpec{}, DryRun: in.DryRun}
	before, err := engine.ReadTime(p, in.OlderThan, next.Archive.Help())
	if err != nil {
		return result, err
	}
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return result, err
	}
	var ids []string
	for _, s := range g.Specs() {
		// A member goes with its driver.
		if len(g.Drivers(s.ID)) > 0 {
			continue
		}
		group := append([]string{s.ID}, g.Members(s.ID)...)
		if !in.selects(g, group, before) {
			continue
		}
		if why := keepsGroup(g, group, in.Unfinished); why != nil {
			result.Left = append(result.Left, LeftSpec{s.ID, why.Error()})
			continue
		}
		ids = append(ids, group...)
	}
	for _, m := range archive.Plan(ids) {
		result.Moved = append(result.Moved, ArchivedSpec{m.ID, path.Join(store.Dir, m.To)})
	}
	if in.DryRun || len(ids) == 0 {
		return result, nil
	}
	result.Commit, err = moveHeld(ctx, p, ids, in.Unfinished)
	return result, err
}

// selects reports whether a driver with its members, or a spec alone, is old enough and of a status that is archived.
func (in ArchiveManyInput) selects(g *spec.Graph, group []string, before time.Time) bool {
	for _, id := range group {
		s := g.Spec(id)
		finished := s.Status == spec.Completed || s.Status == spec.Cancelled
		if !finished && !in.Unfinished {
			return false
		}
		// One that was never completed has the age of its name.
		at, err := time.Parse(time.RFC3339, s.Fields.CompletedAt)
		if err != nil {
			at, err = time.ParseInLocation(spec.DateLayout, id[:min(len(id), len(spec.DateLayout))], before.Location())
		}
		if in.OlderThan != "" && (err != nil || !at.Before(before)) {
			return false
		}
	}
	return true
}

// keepsGroup returns why one of these specs keeps all of them from being archived, nil if none does.
func keepsGroup(g *spec.Graph, group []string, unfinished bool) error {
	for _, id := range group {
		if err := mayArchiveAs(g, id, unfinished); err != nil {
			return err
		}
	}
	return nil
}

// moveHeld moves specs to the archive in one commit. It holds all of them, so that no process starts to work on one
// meanwhile, and looks at them again once it does.
func moveHeld(ctx context.Context, p *engine.Project, ids []string, unfinished bool) (string, error) {
	return advice.WithAllHeld(ctx, p, ids, "archive", func([]*engine.Held) (string, error) {
		_, g, err := engine.Graph(ctx, p)
		if err != nil {
			return "", err
		}
		moves := map[string]string{}
		var records []message.Record
		for _, m := range archive.Plan(ids) {
			if g.Spec(m.ID) == nil {
				return "", engine.Fail(engine.Conflict, next.List.On(), "spec %q was removed meanwhile", m.ID)
			}
			if err := mayArchiveAs(g, m.ID, unfinished); err != nil {
				return "", err
			}
			moves[path.Join(store.Dir, m.From)] = path.Join(store.Dir, m.To)
			records = append(records, message.Record{ID: m.ID, Event: "archive"})
		}
		return p.Store.Rename(ctx, moves, message.Join(subjectOf(len(ids)), records))
	})
}

func subjectOf(n int) string {
	if n == 1 {
		return "archive a spec"
	}
	return "archive " + text.Amount(n) + " specs"
}
