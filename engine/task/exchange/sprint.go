package exchange

import (
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/lotar"
	"chant/engine/spec/next"
	"chant/engine/spec/sprint"
	"chant/engine/store"
	"chant/markdown"
)

// existingSprints returns when the sprints of a project were created, by their numbers.
func existingSprints(p *engine.Project) (map[int]string, error) {
	all, err := sprintsOf(p)
	out := map[int]string{}
	for n, s := range all {
		out[n] = s.Created
	}
	return out, err
}

// sprintFile is a sprint of chant with its document.
type sprintFile struct {
	*sprint.Sprint
	doc *markdown.Document
}

// sprintsOf reads the sprints of a project.
func sprintsOf(p *engine.Project) (map[int]sprintFile, error) {
	numbers, err := store.Sprints(p.Store)
	if err != nil {
		return nil, err
	}
	out := map[int]sprintFile{}
	for _, n := range numbers {
		src, err := store.ReadFile(engine.Home(p), store.SprintPath(n))
		if err != nil {
			return nil, err
		}
		s, err := sprint.Parse(n, store.SprintPath(n), src)
		if err != nil {
			return nil, err
		}
		doc, err := markdown.Parse(store.SprintPath(n), src)
		if err != nil {
			return nil, err
		}
		out[n] = sprintFile{s, doc}
	}
	return out, nil
}

// composeSprint returns the text of the file for a sprint.
func (pl *plan) composeSprint(f *lotar.SprintFile) ([]byte, error) {
	s := &f.Sprint
	var m matter
	m.text("created", s.Created)
	m.text("modified", s.Modified)
	planned := s.Plan
	// The notes are the body of the file.
	planned.Notes = ""
	if planned != (sprint.Plan{}) {
		m.set("plan", planned)
	}
	if s.Actual != (sprint.Actual{}) {
		m.set("actual", s.Actual)
	}
	var order []string
	for _, key := range s.Tasks {
		if id := pl.ids[strings.ToUpper(strings.TrimSpace(key))]; id != "" && !slices.Contains(order, id) {
			order = append(order, id)
		}
	}
	m.list("order", order)
	notes := strings.TrimSpace(strings.ReplaceAll(s.Plan.Notes, "\r\n", "\n"))
	if notes != "" {
		notes = "\n" + notes + "\n"
	}
	doc, err := m.document(store.SprintPath(f.Number), []byte(notes))
	if err != nil {
		return nil, engine.Fail(engine.Invalid, next.EditFile(f.Path), "%s: %v", f.Path, err)
	}
	// As chant will read it, so that what it does not give back is kept beside it.
	read, err := sprint.Parse(f.Number, doc.Path(), doc.Bytes())
	if err != nil {
		return nil, err
	}
	if doc, err = withOriginals(doc, plainNode(f.Root, 0), exportedSprint(read, pl.keys, order).Node(), nil); err != nil {
		return nil, engine.Fail(engine.Invalid, next.EditFile(f.Path), "%s: %v", f.Path, err)
	}
	return doc.Bytes(), nil
}

// exportedSprint returns a sprint of chant as one of lotar. members are the ids of the specs in it, in their order.
func exportedSprint(s *sprint.Sprint, keys map[string]string, members []string) *lotar.Sprint {
	out := &lotar.Sprint{Created: s.Created, Modified: s.Modified, Plan: s.Plan, Actual: s.Actual}
	for _, id := range members {
		if key := keys[id]; key != "" {
			out.Tasks = append(out.Tasks, key)
		}
	}
	return out
}
