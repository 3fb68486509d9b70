package engine

import (
	"context"
	"path"
	"slices"
	"strings"

	"chant/archive"
	"chant/engine/spec"
	"chant/engine/store"
)

// ArchiveInput names a finished spec.
type ArchiveInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// ArchiveResult lists what was put away.
type ArchiveResult struct {
	Moved  []ArchivedSpec `json:"moved"`
	Commit string         `json:"commit,omitempty"`
}

// ArchivedSpec is one spec and its new place.
type ArchivedSpec struct {
	ID   string `json:"id"`
	Path string `json:"path"`
}

// Archive moves a completed or cancelled spec to the archive, a driver with all
// its members, in one commit. Errors: State when something of it is not finished
// or has not landed.
func (e *Engine) Archive(ctx context.Context, in ArchiveInput) (ArchiveResult, error) {
	if s, err := e.findAny(ctx, in.ID); err == nil && s.Archived {
		if err := e.mayInside("archive", s.ID); err != nil {
			return ArchiveResult{}, err
		}
		result, err := e.archiveAgain(ctx, s.ID)
		return done(result, err, s.ID)
	}
	return withHold(ctx, e, in.ID, "archive", func(h *held) (ArchiveResult, error) { return e.archiveHeld(ctx, h.id) })
}

func (e *Engine) archiveHeld(ctx context.Context, id string) (ArchiveResult, error) {
	set, g, err := e.graph(ctx)
	if err != nil {
		return ArchiveResult{}, err
	}
	if _, err := readable(set, g, id); err != nil {
		return ArchiveResult{}, err
	}
	ids := append([]string{id}, g.Members(id)...)
	for _, each := range ids {
		if err := mayArchive(g, each); err != nil {
			return ArchiveResult{}, err
		}
	}
	moves := map[string]string{}
	var result ArchiveResult
	for _, m := range archive.Plan(ids) {
		moves[path.Join(store.Dir, m.From)] = path.Join(store.Dir, m.To)
		result.Moved = append(result.Moved, ArchivedSpec{m.ID, path.Join(store.Dir, m.To)})
	}
	message := store.Message{ID: id, Event: "archive"}
	if len(ids) > 1 {
		message.Why = "With its members " + strings.Join(ids[1:], ", ") + "."
	}
	result.Commit, err = e.store.Rename(ctx, moves, message.String())
	return result, err
}

// archiveAgain commits a move that a killed process had made but not committed.
func (e *Engine) archiveAgain(ctx context.Context, id string) (ArchiveResult, error) {
	m := archive.Plan([]string{id})[0]
	from, to := path.Join(store.Dir, m.From), path.Join(store.Dir, m.To)
	commit, err := e.store.Rename(ctx, map[string]string{from: to}, store.Message{ID: id, Event: "archive"}.String())
	if err == nil && commit == "" {
		err = fail(State, "chant show "+id, "spec %q is archived already", id)
	}
	return ArchiveResult{Moved: []ArchivedSpec{{id, to}}, Commit: commit}, err
}

func mayArchive(g *spec.Graph, id string) error {
	s := g.Spec(id)
	switch {
	case s.Status == spec.Completed && !s.Landed:
		return fail(State, "chant merge "+id, "spec %q is completed but has not landed", id)
	case !slices.Contains([]spec.Status{spec.Completed, spec.Cancelled}, s.Status):
		return fail(State, "chant show "+id, "spec %q is %s; only completed and cancelled specs can be archived", id, s.Status)
	case s.Branch != "":
		return fail(State, "chant cleanup", "spec %q still has the branch %q", id, s.Branch)
	}
	return nil
}
