package sprints

import (
	"errors"
	"io/fs"
	"slices"

	"chant/engine"
	"chant/engine/spec/sprint"
	"chant/engine/store"
)

// path is the file of a sprint, below home.
func path(id int) string { return store.SprintPath(id) }

// files are the sprints of a project, in the order of their ids.
type files struct {
	sprints []*sprint.Sprint
	broken  map[int]error // why the files of other sprints cannot be read
}

// read reads the files of all sprints.
func read(p *engine.Project) (files, error) {
	out := files{broken: map[int]error{}}
	ids, err := store.Sprints(p.Store)
	if err != nil {
		return out, err
	}
	for _, id := range ids {
		src, err := p.Store.ReadTree(engine.Home(p), path(id))
		// Another process may have deleted it since the folder was listed.
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var s *sprint.Sprint
		if err == nil {
			s, err = sprint.Parse(id, path(id), src)
		}
		if err != nil {
			// A file that cannot be read is an entry of the list with a warning, so the others are still read.
			out.broken[id] = err
			continue
		}
		out.sprints = append(out.sprints, s)
	}
	return out, nil
}

// exists reports whether there is a sprint with an id, also one whose file cannot be read.
func (f files) exists(id int) bool {
	return f.broken[id] != nil || slices.ContainsFunc(f.sprints, func(s *sprint.Sprint) bool { return s.ID == id })
}

// get returns a sprint. Errors: NotFound, Invalid.
func (f files) get(id int) (*sprint.Sprint, error) {
	if err := f.broken[id]; err != nil {
		return nil, unreadableFault(err)
	}
	for _, s := range f.sprints {
		if s.ID == id {
			return s, nil
		}
	}
	return nil, notFound(id)
}

// highest is the highest id of a file.
func (f files) highest() int {
	most := 0
	// The id of a file that cannot be read is taken as well.
	for id := range f.broken {
		most = max(most, id)
	}
	for _, s := range f.sprints {
		most = max(most, s.ID)
	}
	return most
}
