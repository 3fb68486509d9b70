package taskboard

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/lotar"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
)

// Board is the settings by which the tasks of a project are read, and their place.
type Board struct {
	Workspace lotar.Workspace
	Settings  *task.Settings

	RepoName string // the name of the repository's folder
}

// Open reads the settings for a project, or for the default one. Errors: Invalid for settings that cannot be read.
func Open(ctx context.Context, p *engine.Project, project string) (Board, error) {
	w, err := lotar.Find(p.Repo.Dir(), p.Environ, engine.Home(p))
	if err != nil {
		return Board{}, engine.Fail(engine.Invalid, next.Help(), "%s", err)
	}
	repoName := filepath.Base(engine.Home(p))
	// The settings of lotar have their own default project, which its other clients use.
	if p.Config.Tasks.Project != "" && project == "" && w.Own {
		project = string(p.Config.Tasks.Project)
	}
	st, err := w.Settings(project, repoName, p.Environ)
	if err != nil {
		return Board{}, engine.Wrap(err, "")
	}
	st.States = p.Config.Tasks.Statuses
	if st.DefaultProject == "" {
		st.DefaultProject = task.Prefix(repoName)
	}
	st.Freeze()
	return Board{w, &st, repoName}, ctx.Err()
}

// Projects lists the projects of the settings and those of the numbers of specs.
func (b Board) Projects(specs []*spec.Spec) []task.Project {
	out := append([]task.Project{}, b.Settings.Projects...)
	known := map[string]bool{}
	for _, one := range out {
		known[strings.ToUpper(one.Prefix)] = true
	}
	for _, s := range specs {
		prefix, _, ok := task.ParseKey(string(s.Fields.Task))
		if ok && !known[strings.ToUpper(prefix)] {
			known[strings.ToUpper(prefix)] = true
			out = append(out, task.Project{Name: prefix, Prefix: prefix})
		}
	}
	slices.SortFunc(out, func(a, b task.Project) int { return strings.Compare(a.Prefix, b.Prefix) })
	return out
}

// CheckProject refuses a project that does not exist where others do. Error: *task.Fault.
func (b Board) CheckProject(project string, specs []*spec.Spec) error {
	if project == "" || strings.EqualFold(project, b.Settings.DefaultProject) {
		return nil
	}
	known, prefixes := b.Projects(specs), []string(nil)
	// Before the first task, any project is as good as another.
	if len(known) == 0 {
		return nil
	}
	for _, one := range known {
		if strings.EqualFold(one.Prefix, project) || strings.EqualFold(one.Name, project) {
			return nil
		}
		prefixes = append(prefixes, one.Prefix)
	}
	return (&task.EnumError{Field: "project", Provided: project, Allowed: prefixes}).Fault()
}
