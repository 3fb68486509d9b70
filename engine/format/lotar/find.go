package lotar

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"chant/engine/spec/task"
)

// folderName is the name of the directory, and configName that of its settings and those of each project.
const (
	folderName = ".tasks"
	configName = "config.yml"
)

// Workspace is a directory of tasks and settings.
type Workspace struct {
	Dir     string // its absolute path; it need not exist
	Own     bool   // it is chant's own folder, .chant/tasks, which is used without a .tasks directory
	person  string // the file with the settings of the person, "" for none
	environ []string
}

// Find returns the workspace for a folder, as lotar finds it: LOTAR_TASKS_DIR, the directory that the person's settings
// name (tasks_folder), the nearest parent with a .tasks/config.yml, .tasks in the folder or in home, which is the top
// of the project. Without any of them it is chant's own folder below home. It creates nothing.
func Find(dir string, environ []string, home string) (Workspace, error) {
	w := Workspace{environ: environ, person: personFile(environ)}
	// These switches are lotar's own, for its tests and for scripts.
	if named := variable(environ, "LOTAR_TASKS_DIR"); named != "" && !isOn(environ, "LOTAR_TEST_MODE") && !isOn(environ, "LOTAR_IGNORE_ENV_TASKS_DIR") {
		w.Dir = namedFolder(named, dir, environ)
		return w, w.checkFolder()
	}
	name, err := w.personFolder(environ)
	if err != nil {
		return w, err
	}
	if filepath.IsAbs(name) {
		w.Dir = name
		return w, w.checkFolder()
	}
	for _, folder := range []string{name, folderName} {
		if folder == "" {
			continue
		}
		if found := nearestWith(dir, filepath.Join(folder, configName)); found != "" {
			w.Dir = filepath.Dir(found)
			return w, nil
		}
		for _, at := range []string{filepath.Join(dir, folder), filepath.Join(home, folder)} {
			if info, err := os.Stat(at); err == nil && info.IsDir() {
				w.Dir = at
				return w, nil
			}
		}
	}
	w.Dir, w.Own = filepath.Join(home, ".chant", "tasks"), true
	return w, nil
}

// OpenPlain returns the workspace at a directory, without settings of a person or of the environment.
func OpenPlain(dir string) Workspace { return Workspace{Dir: dir} }

// namedFolder returns the folder that LOTAR_TASKS_DIR names. A simple name is that of a folder in dir or the nearest
// parent that has one.
func namedFolder(named, dir string, environ []string) string {
	named = expandHome(named, environ)
	if filepath.IsAbs(named) {
		return filepath.Clean(named)
	}
	// lotar looks for a simple name in the folders above, too.
	if !strings.ContainsAny(named, `/\`) && named != "." && named != ".." {
		if found := nearestWith(dir, named); found != "" {
			return found
		}
	}
	return filepath.Join(dir, named)
}

// personFolder returns the tasks_folder of the person's settings, "" for none.
func (w Workspace) personFolder(environ []string) (string, error) {
	l, err := readLayer(w.person)
	if err != nil {
		return "", err
	}
	name := strings.TrimSpace(l.text("tasks_folder"))
	if name == "" {
		return "", nil
	}
	return filepath.Clean(expandHome(name, environ)), nil
}

// checkFolder returns an error if there is something else than a folder.
func (w Workspace) checkFolder() error {
	info, err := os.Stat(w.Dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("tasks directory %q is not a folder", w.Dir)
	}
	return nil
}

// nearestWith returns the path of a name in dir or in the nearest folder above that has it.
func nearestWith(dir, name string) string {
	for {
		at := filepath.Join(dir, name)
		if _, err := os.Stat(at); err == nil {
			return at
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
}

// personFile returns the file with the settings of the person: LOTAR_HOME, or ~/.lotar. Either may be a folder.
func personFile(environ []string) string {
	if isOn(environ, "LOTAR_IGNORE_HOME_CONFIG") {
		return ""
	}
	at := expandHome(variable(environ, "LOTAR_HOME"), environ)
	if at == "" {
		home := userHome(environ)
		if home == "" {
			return ""
		}
		at = filepath.Join(home, ".lotar")
	}
	info, err := os.Stat(at)
	if err != nil {
		return ""
	}
	if !info.IsDir() {
		return at
	}
	for _, name := range []string{".lotar", configName} {
		if info, err := os.Stat(filepath.Join(at, name)); err == nil && !info.IsDir() {
			return filepath.Join(at, name)
		}
	}
	return ""
}

// expandHome replaces a leading ~/.
func expandHome(path string, environ []string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && userHome(environ) != "" {
		return filepath.Join(userHome(environ), rest)
	}
	return path
}

func userHome(environ []string) string {
	if home := variable(environ, "HOME"); home != "" {
		return home
	}
	return variable(environ, "USERPROFILE")
}

// variable returns the value of a variable of the environment, the last one if it is there twice.
func variable(environ []string, name string) string {
	// Of a variable that is there twice, the last one counts, as for exec.
	for i := len(environ) - 1; i >= 0; i-- {
		if key, value, _ := strings.Cut(environ[i], "="); key == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func isOn(environ []string, name string) bool { return variable(environ, name) == "1" }

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
	// Without a file of its own, the copy gets what decides whether its tasks are valid.
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
