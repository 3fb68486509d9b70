package tasks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/lotar"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/task"
)

// Board is what the tasks of a project are read by: where their settings are, and the settings.
type Board struct {
	Workspace lotar.Workspace
	Settings  *task.Settings

	repoName string
}

// OpenBoard reads the settings for a project, or for the default one. Errors: Invalid for settings that cannot be read.
func OpenBoard(ctx context.Context, p *engine.Project, project string) (Board, error) {
	w, err := lotar.Find(p.Repo.Dir(), p.Environ, engine.Home(p))
	if err != nil {
		return Board{}, engine.Fail(engine.Invalid, next.Help(), "%s", err)
	}
	repoName := filepath.Base(engine.Home(p))
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
	st.Settle()
	return Board{w, &st, repoName}, ctx.Err()
}

// projects lists the projects of the settings and those of the numbers of specs.
func (b Board) projects(specs []*spec.Spec) []task.Project {
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

// checkProject refuses a project that does not exist where others do. Error: *task.Fault.
func (b Board) checkProject(project string, specs []*spec.Spec) error {
	known := b.projects(specs)
	if project == "" || len(known) == 0 || strings.EqualFold(project, b.Settings.DefaultProject) {
		return nil
	}
	var prefixes []string
	for _, one := range known {
		if strings.EqualFold(one.Prefix, project) || strings.EqualFold(one.Name, project) {
			return nil
		}
		prefixes = append(prefixes, one.Prefix)
	}
	return (&task.EnumError{Field: "project", Provided: project, Allowed: prefixes}).Fault()
}

// sprintExists reports whether there is a file of a sprint.
func sprintExists(p *engine.Project, n int) bool {
	_, err := os.Lstat(filepath.Join(engine.Home(p), filepath.FromSlash(store.SprintPath(n))))
	return err == nil
}

// checkSprints refuses sprints that do not exist.
func checkSprints(p *engine.Project, sprints []int) error {
	for _, n := range sprints {
		if n < 1 {
			return task.Invalid("sprints must be positive integers")
		}
		if !sprintExists(p, n) {
			return &task.Fault{Code: task.NotFound, Message: fmt.Sprintf("Sprint #%d not found", n)}
		}
	}
	return nil
}

// enumFault returns an error of a value of a list as a fault.
func enumFault(err error) error {
	if bad, ok := errors.AsType[*task.EnumError](err); ok {
		return bad.Fault()
	}
	return err
}

// fail returns an error of an operation: a fault as the cause of a usage error, anything else as it is.
func fail(err error, id string) error {
	var fault *task.Fault
	if !errors.As(err, &fault) {
		return engine.Wrap(err, id)
	}
	var known *engine.Error
	if errors.As(err, &known) {
		return known
	}
	code := engine.Usage
	if fault.Code == task.NotFound {
		code = engine.NotFound
	}
	text := fault.Message
	if why, ok := fault.Data["message"].(string); ok {
		text += ": " + why
	}
	return &engine.Error{Code: code, Message: text, Next: next.Guide.On("tasks"), Err: err}
}
