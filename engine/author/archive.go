package author

import (
	"context"
	"path"
	"slices"
	"strings"

	"chant/archive"
	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/message"
)

// ArchiveInput names a finished spec.
type ArchiveInput struct {
	ID         string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Unfinished bool   `json:"unfinished,omitempty" jsonschema:"In any other status too, unless it has a run"`
}

// ArchiveResult lists what was archived.
type ArchiveResult struct {
	Moved  []ArchivedSpec `json:"moved"`
	Commit string         `json:"commit,omitempty"`
}

// ArchivedSpec is one spec and its new path.
type ArchivedSpec struct {
	ID   string `json:"id"`
	Path string `json:"path"`
}

// Archive moves a completed or cancelled spec to the archive, a driver with all
// its members, in one commit. Errors: State when one of them is not finished or
// has not landed.
func Archive(ctx context.Context, p *engine.Project, in ArchiveInput) (ArchiveResult, error) {
	// A killed process may have moved the file without a commit.
	if s, err := engine.FindAny(ctx, p, in.ID); err == nil && s.Archived {
		if err := engine.MayInside(p, "archive", s.ID); err != nil {
			return ArchiveResult{}, err
		}
		result, err := archiveAgain(ctx, p, s.ID)
		return engine.Done(result, err, s.ID)
	}
	return advice.WithHold(ctx, p, in.ID, "archive", func(h *engine.Held) (ArchiveResult, error) { return archiveHeld(ctx, p, h.ID, in.Unfinished) })
}

func archiveHeld(ctx context.Context, p *engine.Project, id string, unfinished bool) (ArchiveResult, error) {
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return ArchiveResult{}, err
	}
	if _, err := engine.Readable(set, g, id); err != nil {
		return ArchiveResult{}, err
	}
	// Members of a driver are done or not done together.
	ids := append([]string{id}, g.Members(id)...)
	for _, each := range ids {
		if err := mayArchiveAs(g, each, unfinished); err != nil {
			return ArchiveResult{}, err
		}
	}
	moves := map[string]string{}
	var result ArchiveResult
	for _, m := range archive.Plan(ids) {
		moves[path.Join(store.Dir, m.From)] = path.Join(store.Dir, m.To)
		result.Moved = append(result.Moved, ArchivedSpec{m.ID, path.Join(store.Dir, m.To)})
	}
	message := message.Commit{ID: id, Event: "archive"}
	if len(ids) > 1 {
		message.Why = "With its members " + strings.Join(ids[1:], ", ") + "."
	}
	result.Commit, err = p.Store.Rename(ctx, moves, message.String())
	return result, err
}

// archiveAgain commits a move that a killed process had made but not committed.
func archiveAgain(ctx context.Context, p *engine.Project, id string) (ArchiveResult, error) {
	m := archive.Plan([]string{id})[0]
	from, to := path.Join(store.Dir, m.From), path.Join(store.Dir, m.To)
	commit, err := p.Store.Rename(ctx, map[string]string{from: to}, message.Commit{ID: id, Event: "archive"}.String())
	// Nothing was left to commit.
	if err == nil && commit == "" {
		err = engine.Fail(engine.State, next.Show.On(id), "spec %q is archived already", id)
	}
	return ArchiveResult{Moved: []ArchivedSpec{{id, to}}, Commit: commit}, err
}

// mayArchive refuses a spec that is not finished, has not landed or still has a branch.
func mayArchive(g *spec.Graph, id string) error { return mayArchiveAs(g, id, false) }

// mayArchiveAs is mayArchive; unfinished allows every status.
func mayArchiveAs(g *spec.Graph, id string, unfinished bool) error {
	s := g.Spec(id)
	switch {
	case s.Status == spec.Completed && !s.Landed:
		return engine.Fail(engine.State, next.Merge.On(id), "spec %q is completed but has not landed", id)
	case !unfinished && !slices.Contains([]spec.Status{spec.Completed, spec.Cancelled}, s.Status):
		return engine.Fail(engine.State, next.Show.On(id), "spec %q is %s; only completed and cancelled specs can be archived", id, s.Status)
	// A branch that stays would look like open work.
	case s.Branch != "":
		return engine.Fail(engine.State, next.Cleanup.On(), "spec %q still has the branch %q", id, s.Branch)
	}
	return nil
}
