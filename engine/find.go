package engine

import (
	"context"
	"errors"

	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/taskfields"
	"chant/engine/store"
)

// FindEach finds the specs of several texts; it fails at the first that is not found.
func FindEach(ctx context.Context, p *Project, texts []string) ([]string, error) {
	var ids []string
	for _, text := range texts {
		id, err := Find(ctx, p, text)
		if err != nil {
			return nil, Wrap(err, text)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// Find resolves what a person typed to the id of an active spec. Error: State if
// it only matches an archived one.
func Find(ctx context.Context, p *Project, text string) (string, error) {
	id, err := LookUp(ctx, p, text)
	if !missed(err) {
		return id, err
	}
	// An archived spec is the likeliest that was meant; its own error would only repeat the first.
	if id, archivedErr := FindArchived(p, text); archivedErr == nil {
		return "", Fail(State, next.Show.On(id), "spec %q is archived", id)
	}
	return "", err
}

// LookUp resolves what a person typed among the active specs: an id, a part of one, the number of a task, or an alias.
func LookUp(ctx context.Context, p *Project, text string) (string, error) {
	// An exact id needs no list of all ids.
	if spec.ValidName(text) == nil && p.Store.Exists(text) {
		return text, nil
	}
	// A number of a task may be a part of an id as well, so a miss is looked up as text.
	if taskfields.IsKey(text) {
		id, err := store.TaskSpec(ctx, p.Store, text)
		if _, missing := errors.AsType[*spec.NotFoundError](err); !missing {
			return id, err
		}
	}
	ids, err := p.Store.IDs(ctx)
	if err != nil {
		return "", err
	}
	id, err := spec.Resolve(text, ids, p.Now())
	if missed(err) && !taskfields.IsKey(text) {
		// Last, because a miss reads all specs, and most texts are parts of ids.
		if alias, aliasErr := store.TaskSpec(ctx, p.Store, text); !missed(aliasErr) {
			return alias, aliasErr
		}
	}
	return id, err
}

// missed reports whether an error says that a text names no spec.
func missed(err error) bool {
	return errors.As(err, new(*spec.NotFoundError)) || errors.As(err, new(*spec.IDError))
}

// FindAny finds an active spec, otherwise an archived one.
func FindAny(ctx context.Context, p *Project, text string) (*spec.File, error) {
	id, err := LookUp(ctx, p, text)
	if err == nil {
		return p.Store.Get(ctx, id)
	}
	if !missed(err) {
		return nil, err
	}
	id, archivedErr := FindArchived(p, text)
	if missed(archivedErr) {
		// The first error names an active spec that may be meant.
		return nil, err
	}
	if archivedErr != nil {
		return nil, archivedErr
	}
	return p.Store.GetArchived(id)
}

// FindArchived resolves what a person typed to the id of an archived spec.
func FindArchived(p *Project, text string) (string, error) {
	ids, err := p.Store.ArchivedIDs()
	if err != nil {
		return "", err
	}
	id, err := spec.Resolve(text, ids, p.Now())
	// Names of archived specs are not indexed, so all archived specs are read, and only then.
	if missed(err) && len(ids) > 0 {
		if named, namedErr := store.ArchivedTask(p.Store, text); !missed(namedErr) {
			return named, namedErr
		}
	}
	return id, err
}

// GraphOfFiles is Graph from the files themselves: what decides whether work may land does not use the index.
func GraphOfFiles(ctx context.Context, p *Project) (*store.Set, *spec.Graph, error) {
	// An agent could write to the index.
	set, _, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return nil, nil, err
	}
	return set, set.Graph(), nil
}

// Graph returns what is known of all specs apart from their texts, and their graph.
func Graph(ctx context.Context, p *Project) (*store.Set, *spec.Graph, error) {
	set, err := p.Store.Load(ctx)
	if err != nil {
		return nil, nil, err
	}
	return set, set.Graph(), nil
}

// WithText returns a spec of a graph with its document, which is read from its file or its branch, and with the target
// that the graph gives it.
func WithText(ctx context.Context, p *Project, s *spec.Spec) (*spec.File, error) {
	f, err := p.Store.Get(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	// The target that a member inherits is not in its own file.
	f.Fields.Onto, f.Target, f.Inherits, f.Reached = s.Fields.Onto, s.Target, s.Inherits, s.Reached
	return f, nil
}

// ReadableFile returns the spec with its document, or the error of reading it.
func ReadableFile(ctx context.Context, p *Project, set *store.Set, g *spec.Graph, id string) (*spec.File, error) {
	s, err := Readable(set, g, id)
	if err != nil {
		return nil, err
	}
	return WithText(ctx, p, s)
}

// GraphAround is Graph for questions about a few specs: it reads only those that decide what these wait for.
func GraphAround(ctx context.Context, p *Project, ids ...string) (*store.Set, *spec.Graph, error) {
	set, err := p.Store.LoadAround(ctx, ids...)
	if err != nil {
		return nil, nil, err
	}
	return set, set.Graph(), nil
}

// Readable returns the spec, or the error of reading it.
func Readable(set *store.Set, g *spec.Graph, id string) (*spec.Spec, error) {
	if s := g.Spec(id); s != nil {
		return s, nil
	}
	for _, bad := range set.Invalid {
		if bad.ID == id {
			return nil, bad.Err
		}
	}
	return nil, &spec.NotFoundError{ID: id}
}
