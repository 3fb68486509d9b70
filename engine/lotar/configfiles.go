package lotar

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

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
	type defaults struct {
		Project  string `yaml:"project"`
		Priority string `yaml:"priority"`
	}
	type issue struct {
		States     []string `yaml:"states"`
		Types      []string `yaml:"types"`
		Priorities []string `yaml:"priorities"`
	}
	src, err := Marshal(nodeOf(reflect.ValueOf(struct {
		Default defaults `yaml:"default"`
		Issue   issue    `yaml:"issue"`
		Members []string `yaml:"members"`
	}{defaults{st.DefaultProject, st.DefaultPriority}, issue{st.Statuses, st.Types, st.Priorities}, st.Members})))
	out[configName] = src
	return out, err
}
