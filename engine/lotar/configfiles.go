package lotar

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine/task"
)

// ConfigFiles returns the settings for a copy of the directory, by their paths in it: the files as they are, or,
// without any, a config.yml with the settings that matter to tasks.
func (w Workspace) ConfigFiles(st *task.Settings) (map[string][]byte, error) {
	out := map[string][]byte{}
	names := []string{configName}
	for _, p := range st.Projects {
		names = append(names, filepath.Join(p.Prefix, configName))
	}
	for _, name := range names {
		src, err := os.ReadFile(filepath.Join(w.Dir, name))
		if err == nil {
			out[name] = src
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if out[configName] != nil {
		return out, nil
	}
	m, def, issue := newMapping(), newMapping(), newMapping()
	def.text("project", st.DefaultProject)
	def.text("priority", st.DefaultPriority)
	m.add("default", def.Node)
	issue.list("states", st.Statuses)
	issue.list("types", st.Types)
	issue.list("priorities", st.Priorities)
	m.add("issue", issue.Node)
	m.list("members", st.Members)
	src, err := Marshal(m.Node)
	out[configName] = src
	return out, err
}
