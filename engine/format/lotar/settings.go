package lotar

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/spec/task"

	"go.yaml.in/yaml/v3"
)

// Settings returns what applies to a project, or with project "" to the default one: the one that the settings name,
// else the only one, else one that is called like the repository. project is a prefix or a name. Error:
// *markdown.SyntaxError.
func (w Workspace) Settings(project, repoName string, environ []string) (task.Settings, error) {
	st := task.Defaults(!w.Own)
	projects, err := w.Projects()
	if err != nil {
		return st, err
	}
	above, err := w.commonLayers(environ)
	if err != nil {
		return st, err
	}
	st.Projects = projects
	r := valueReader{from: above}
	r.text("default_project", &st.DefaultProject)
	switch found, ok := task.FindProject(projects, st.DefaultProject); {
	case ok:
		st.DefaultProject = found.Prefix
	case st.DefaultProject == "" && len(projects) == 1:
		st.DefaultProject = projects[0].Prefix
	case st.DefaultProject == "":
		st.DefaultProject = task.Prefix(repoName)
	}
	if project = strings.TrimSpace(project); project == "" {
		project = st.DefaultProject
	}
	st.Project = project
	if found, ok := task.FindProject(projects, project); ok {
		st.Project = found.Prefix
		own, err := readLayer(w.projectConfig(found.Prefix))
		if err != nil {
			return st, err
		}
		own.own = true
		// The settings of the project are the strongest.
		above = append(layers{own}, above...)
	}
	if err := errors.Join(r.err, above.resolve(&st)); err != nil {
		return st, err
	}
	// Own statuses replace those of chant, as in a directory of lotar.
	if _, set := above.find("issue_states"); set {
		st.Workspace = true
	}
	return st, nil
}

// commonLayers returns the layers that apply to all projects, the strongest first.
func (w Workspace) commonLayers(environ []string) (layers, error) {
	person, err := readLayer(w.person)
	if err != nil {
		return nil, err
	}
	dir, err := readLayer(filepath.Join(w.Dir, configName))
	if err != nil {
		return nil, err
	}
	return layers{environment(environ), person, dir}, nil
}

// environment returns the settings of the environment.
func environment(environ []string) layer {
	l := layer{values: map[string]*yaml.Node{}}
	for key, name := range map[string]string{
		"LOTAR_DEFAULT_REPORTER": "default_reporter", "LOTAR_DEFAULT_ASSIGNEE": "default_assignee",
		"LOTAR_DEFAULT_PRIORITY": "default_priority", "LOTAR_DEFAULT_STATUS": "default_status",
		"LOTAR_DEFAULT_TAGS": "default_tags", "LOTAR_DEFAULT_PROJECT": "default_project", "LOTAR_PROJECT": "default_project",
		"LOTAR_PORT": "server_port",
	} {
		if value := variable(environ, key); value != "" {
			l.values[name] = &yaml.Node{Kind: yaml.ScalarNode, Value: value}
		}
	}
	return l
}

// projectConfig is the file with the settings of a project.
func (w Workspace) projectConfig(prefix string) string {
	return filepath.Join(w.Dir, prefix, configName)
}

// Projects lists the projects of the directory by their prefixes: its folders that have settings or tasks. Those whose
// tasks are specs only are not among them.
func (w Workspace) Projects() ([]task.Project, error) {
	folders, err := w.folders()
	if err != nil {
		return nil, err
	}
	var out []task.Project
	for _, prefix := range folders {
		l, err := readLayer(w.projectConfig(prefix))
		if err != nil {
			return nil, err
		}
		if l.source == nil && !hasTasks(filepath.Join(w.Dir, prefix)) {
			continue
		}
		name := l.text("project_name")
		if name == "" {
			name = prefix
		}
		out = append(out, task.Project{Name: name, Prefix: prefix})
	}
	slices.SortFunc(out, func(a, b task.Project) int { return strings.Compare(a.Prefix, b.Prefix) })
	return out, nil
}

// folders lists the folders of the directory that can be those of projects.
func (w Workspace) folders() ([]string, error) {
	entries, err := os.ReadDir(w.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		// Names with @ are lotar's own folders.
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !strings.Contains(e.Name(), "@") && e.Name() != "sprints" {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

// hasTasks reports whether a folder has a file of a task. It reads no more of a large folder than it must.
func hasTasks(folder string) bool {
	dir, err := os.Open(folder)
	if err != nil {
		return false
	}
	defer dir.Close()
	for {
		names, err := dir.Readdirnames(64)
		if slices.ContainsFunc(names, func(name string) bool { _, ok := taskNumber(name); return ok }) {
			return true
		}
		if err != nil && !errors.Is(err, io.EOF) || len(names) == 0 {
			return false
		}
	}
}
