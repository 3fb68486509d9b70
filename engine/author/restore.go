package author

import (
	"context"
	"path"
	"slices"

	"chant/archive"
	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/message"
)

// RestoreInput names an archived spec.
type RestoreInput struct {
	ID string `json:"id" jsonschema:"ID of an archived spec (full or partial)"`
}

// Restore moves a spec from the archive back to the others, a driver with those of its members that are archived, in one
// commit. Errors: NotFound when no archived spec has the id; State when a spec of that id is active.
func Restore(ctx context.Context, p *engine.Project, in RestoreInput) (ArchiveResult, error) {
	id, err := engine.FindArchived(p, in.ID)
	if err != nil {
		// The id of an active spec is the likely mistake.
		if active, activeErr := engine.Find(ctx, p, in.ID); activeErr == nil {
			return ArchiveResult{}, engine.Fail(engine.State, next.Show.On(active), "spec %q is not archived", active)
		}
		return ArchiveResult{}, engine.Wrap(err, in.ID)
	}
	if err := engine.MayInside(p, "archive", id); err != nil {
		return ArchiveResult{}, err
	}
	result, err := restore(ctx, p, id)
	return engine.Done(result, err, id)
}

func restore(ctx context.Context, p *engine.Project, id string) (ArchiveResult, error) {
	ids, err := withArchivedMembers(p, id)
	if err != nil {
		return ArchiveResult{}, err
	}
	var result ArchiveResult
	result.Commit, err = advice.WithAllHeld(ctx, p, ids, "archive", func([]*engine.Held) (string, error) {
		moves := map[string]string{}
		var records []message.Record
		for _, each := range ids {
			from, _, err := p.Store.RawArchived(each)
			if err != nil {
				return "", err
			}
			to := path.Join(store.Dir, archive.ActivePath(each))
			moves[from] = to
			records = append(records, message.Record{ID: each, Event: "restore"})
			result.Moved = append(result.Moved, ArchivedSpec{each, to})
		}
		return p.Store.Rename(ctx, moves, message.Join("restore a driver with its members", records))
	})
	return result, err
}

// withArchivedMembers returns the id with those of its archived members.
func withArchivedMembers(p *engine.Project, id string) ([]string, error) {
	s, err := p.Store.GetArchived(id)
	if err != nil {
		return nil, err
	}
	archived, err := p.Store.ArchivedIDs()
	if err != nil {
		return nil, err
	}
	out := []string{id}
	for _, each := range archived {
		if each != id && (spec.MemberOf(each, id) || slices.Contains(s.Fields.Members, each)) {
			out = append(out, each)
		}
	}
	return out, nil
}
