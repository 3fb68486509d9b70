package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"chant/engine/store"
	"chant/engine/store/shape"
	"chant/markdown"
	"chant/providers"

	"go.yaml.in/yaml/v3"
)

// AgentsPath has the agents of this machine, instead of those of config.md. It is not tracked: which accounts a person has is no
// matter of the project.
const AgentsPath = store.Dir + "/agents.md"

// UserDir is the folder of the settings of the user, "" if the environment names none.
func UserDir(environ []string) string {
	if dir := providers.Variable(environ, "XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "chant")
	}
	home := providers.Variable(environ, "HOME")
	if home == "" && runtime.GOOS == "windows" {
		home = providers.Variable(environ, "USERPROFILE")
	}
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, ".config", "chant")
}

// UserPath is the file of the settings of the user, "" if the environment names none.
func UserPath(environ []string) string {
	if dir := UserDir(environ); dir != "" {
		return filepath.Join(dir, "config.md")
	}
	return ""
}

// userSections are the sections that a person can set for all projects: how their agents work, and what they may use. All
// others say what has to hold for a project, which must be the same for everyone, and whenever evidence is verified.
func userSections() []string {
	return []string{"project", "defaults", "limits", "prices", "parallel", "retry", "work", "watch", "providers", "repos", "context"}
}

// Layer is a file of settings beside config.md.
type Layer struct {
	Path   string        // absolute for that of the user, below home for that of the agents
	Faults []shape.Fault // unknown keys; after ReadWhatFits wrong values too
	Broken error         // after ReadWhatFits: why nothing of it could be read

	root yaml.Node
}

// readLayer reads a file into settings, of which it may have some sections. Error, if strict: what is wrong with the file.
func (c *Config) readLayer(path string, src []byte, sections []string, strict bool) error {
	s := Schema()
	s.Strict = strict
	l := Layer{Path: path}
	doc, err := markdown.Parse(path, src)
	if err == nil {
		err = doc.Decode(&l.root)
	}
	if err == nil {
		l.Faults = append(dropOthers(&l.root, sections, ""), shape.Read(&l.root, c, s)...)
		err = firstWrong(path, l.Faults)
	} else {
		l.Broken = err
	}
	c.layers = append(c.layers, l)
	if strict {
		return err
	}
	return nil
}

// dropOthers removes from a mapping of front matter what only config.md may have, each of which is a fault. sections are keys that
// may stay, or the paths of such keys; above is the path of the mapping.
func dropOthers(node *yaml.Node, sections []string, above string) (faults []shape.Fault) {
	if node.Kind != yaml.MappingNode {
		return nil
	}
	kept := []*yaml.Node{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		path := above + key.Value
		switch {
		case slices.Contains(sections, path), above == "" && !isSection(key.Value):
		case slices.ContainsFunc(sections, func(s string) bool { return strings.HasPrefix(s, path+".") }):
			faults = append(faults, dropOthers(value, sections, path+".")...)
		default:
			faults = append(faults, shape.Fault{Key: path, Line: key.Line, Msg: fmt.Sprintf("%s is a setting of a project, for its %s (here: %s)", path, store.ConfigPath, strings.Join(sections, ", "))})
			continue
		}
		kept = append(kept, key, value)
	}
	node.Content = kept
	return faults
}

// isSection reports whether config.md has a section.
func isSection(key string) bool {
	t := reflect.TypeFor[Config]()
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("yaml") == key {
			return true
		}
	}
	return false
}

// readUser reads the settings of the user, before those of the project, which count more.
func (c *Config) readUser(environ []string, strict bool) error {
	path := UserPath(environ)
	if path == "" {
		return nil
	}
	src, err := os.ReadFile(path)
	// A folder that cannot be a home folder, as /dev/null, has none either.
	if errors.Is(err, fs.ErrNotExist) || isNotFolder(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return c.readLayer(path, src, userSections(), strict)
}

// isNotFolder reports whether a path leads through a file.
func isNotFolder(err error) bool {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return false
	}
	for at := filepath.Dir(path.Path); at != filepath.Dir(at); at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil {
			return !info.IsDir()
		}
	}
	return false
}

// readAgents reads the agents of this machine, after the settings of the project, whose agents they replace.
func (c *Config) readAgents(home string, strict bool) error {
	src, err := store.ReadFile(home, AgentsPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	// Their list alone is replaced: how they take turns is decided by the project.
	return c.readLayer(AgentsPath, src, []string{"parallel.agents"}, strict)
}

// Layers lists the files beside config.md that were read.
func (c *Config) Layers() []Layer { return c.layers }

// Source names the file and the line from which a setting comes, "" for a default. The file that counts most comes first.
func (c *Config) Source(keys ...string) string {
	files := []Layer{{Path: store.ConfigPath, root: c.root}}
	for _, l := range c.layers {
		if l.Path == AgentsPath {
			files = slices.Insert(files, 0, l)
		} else {
			files = append(files, l)
		}
	}
	for _, f := range files {
		for _, place := range [][]string{keys, olderPlace(keys)} {
			if line := shape.Find(&f.root, place...); line > 0 {
				return fmt.Sprintf("%s:%d", f.Path, line+1) // the fence
			}
		}
	}
	return ""
}

// olderPlace is where the older chant has a setting, none where it has it in the same place.
func olderPlace(keys []string) []string {
	switch {
	case keys[0] == "retry":
		return append([]string{"watch", "failure"}, keys[1:]...)
	case slices.Equal(keys, []string{"parallel", "rotation"}):
		return []string{"defaults", "rotation_strategy"}
	}
	return nil
}
