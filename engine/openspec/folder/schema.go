package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"

	"chant/engine/openspec/tasklist"
)

// builtIn is the name of the only schema that the tool brings along. Others are in the
// folder schemas.
const builtIn = "spec-driven"

// Artifact is a kind of document that a schema wants in a change.
type Artifact struct {
	ID        string   `yaml:"id"`
	Generates string   `yaml:"generates"`
	Template  string   `yaml:"template"`
	About     *string  `yaml:"description"`
	Requires  []string `yaml:"requires"`
}

// Schema says which documents a change has, and in which its tasks are.
type Schema struct {
	Name      string     `yaml:"name"`
	Version   int        `yaml:"version"`
	Artifacts []Artifact `yaml:"artifacts"`
	Apply     *struct {
		Requires []string `yaml:"requires"`
		Tracks   *string  `yaml:"tracks"`
	} `yaml:"apply"`
	// BuiltIn says that it is the tool's own.
	BuiltIn bool
}

// tasks is the pattern of the schema's task files, or "".
func (s *Schema) tasks() string {
	for _, a := range s.Artifacts {
		if s.Apply != nil && s.Apply.Tracks != nil {
			if a.Generates == *s.Apply.Tracks {
				return a.Generates
			}
		} else if a.ID == "tasks" {
			return a.Generates
		}
	}
	return ""
}

func schemaFile(name string) string { return path.Join("schemas", name, "schema.yaml") }

// schemaExists reports whether a project can use a schema.
func schemaExists(fsys fs.FS, name string) bool {
	if name == builtIn {
		return true
	}
	return PlainName(name) && IsFile(fsys, schemaFile(name))
}

// PlainName reports whether a name is one folder and not a path.
func PlainName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, `/\:`)
}

// readSchema reads a schema of the project, or else the tool's own.
func readSchema(fsys fs.FS, name string) (*Schema, error) {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".yaml"), ".yml")
	file := schemaFile(name)
	if PlainName(name) {
		text, ok, err := ReadText(fsys, file)
		if err != nil {
			return nil, err
		}
		if ok {
			return parseSchema(file, text)
		}
	}
	if name != builtIn {
		return nil, fmt.Errorf("schema '%s' not found", name)
	}
	return &Schema{BuiltIn: true, Artifacts: []Artifact{
		{ID: "proposal", Generates: "proposal.md"}, {ID: "specs", Generates: "specs/**/*.md"},
		{ID: "design", Generates: "design.md"}, {ID: "tasks", Generates: "tasks.md"},
	}}, nil
}

func parseSchema(file, text string) (*Schema, error) {
	root, err := parseYAML(text)
	if err != nil {
		return nil, fmt.Errorf("parse schema at '%s': %w", file, err)
	}
	s := &Schema{}
	if root == nil || root.Kind != yaml.MappingNode {
		err = errors.New("expected object, received " + kindName(root))
	} else if err = root.Decode(s); err == nil {
		err = s.check()
	}
	if err != nil {
		return nil, fmt.Errorf("invalid schema at '%s': %w", file, err)
	}
	return s, nil
}

// check finds what makes a schema unusable.
func (s *Schema) check() error {
	switch {
	case s.Name == "":
		return errors.New("name is missing")
	case s.Version < 1:
		return errors.New("version must be a positive integer")
	case len(s.Artifacts) == 0:
		return errors.New("at least one artifact required")
	}
	requires := map[string][]string{}
	for _, a := range s.Artifacts {
		switch _, twice := requires[a.ID]; {
		case a.ID == "" || a.About == nil || !inside(a.Generates) || !inside(a.Template):
			return fmt.Errorf("artifact '%s' needs an id, a description, and paths inside its folder", a.ID)
		case twice:
			return fmt.Errorf("artifact '%s' is there twice", a.ID)
		}
		requires[a.ID] = a.Requires
	}
	for id, needed := range requires {
		for _, n := range needed {
			if _, ok := requires[n]; !ok {
				return fmt.Errorf("artifact '%s' requires '%s', which does not exist", id, n)
			}
		}
	}
	if s.Apply != nil {
		if len(s.Apply.Requires) == 0 || s.Apply.Tracks != nil && !inside(*s.Apply.Tracks) {
			return errors.New("apply needs at least one required artifact, and tracks a path inside the change")
		}
		for _, n := range s.Apply.Requires {
			if _, ok := requires[n]; !ok {
				return fmt.Errorf("apply requires '%s', which does not exist", n)
			}
		}
	}
	return acyclic(requires)
}

// acyclic refuses artifacts that wait for each other.
func acyclic(requires map[string][]string) error {
	for len(requires) > 0 {
		free := ""
		for id, needed := range requires {
			if !slices.ContainsFunc(needed, func(n string) bool { _, waits := requires[n]; return waits }) {
				free = id
			}
		}
		if free == "" {
			return errors.New("its artifacts require each other in a circle")
		}
		delete(requires, free)
	}
	return nil
}

// inside reports whether a path stays in its folder.
func inside(name string) bool {
	return name != "" && !strings.ContainsRune(name, 0) && !path.IsAbs(name) && !strings.HasPrefix(name, `\`) &&
		!(len(name) > 1 && name[1] == ':') &&
		!slices.Contains(strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' }), "..")
}

// SchemaOf finds the schema that a change in the folder uses: its own, the project's or the
// built-in one. It returns nil if that cannot be decided, because metadata or schema are
// invalid.
func SchemaOf(fsys fs.FS, m MetadataFile) *Schema {
	name := m.Schema
	if m.present && (m.invalid() || !schemaExists(fsys, name)) {
		return nil
	}
	if !m.present {
		name = defaultSchema(fsys)
	}
	s, err := readSchema(fsys, name)
	if err != nil {
		return nil
	}
	return s
}

// defaultSchema is the schema that config.yaml names.
func defaultSchema(fsys fs.FS) string {
	for _, file := range []string{"config.yaml", "config.yml"} {
		text, ok, err := ReadText(fsys, file)
		if err != nil || !ok {
			continue
		}
		root, err := parseYAML(text)
		if err != nil {
			break
		}
		if value := field(root, "schema"); kindName(value) == "string" && value.Value != "" {
			return value.Value
		}
		break
	}
	return builtIn
}

// Outputs lists the files of a change that a pattern of its schema matches, as paths inside
// the change.
func Outputs(fsys fs.FS, dir, pattern string) ([]string, error) {
	pattern = strings.ReplaceAll(pattern, `\`, "/")
	if !strings.ContainsAny(pattern, "*?[{") {
		if !IsFile(fsys, path.Join(dir, pattern)) {
			return nil, nil
		}
		return []string{path.Clean(pattern)}, nil
	}
	var found []string
	err := doublestar.GlobWalk(subtree{fsys, dir}, path.Clean(pattern), func(name string, _ fs.DirEntry) error {
		found = append(found, name)
		return nil
	}, doublestar.WithFilesOnly(), doublestar.WithNoHidden())
	slices.Sort(found)
	return found, err
}

// subtree is a folder of a file system, which may be missing.
type subtree struct {
	fsys fs.FS
	dir  string
}

func (s subtree) Open(name string) (fs.File, error) { return s.fsys.Open(path.Join(s.dir, name)) }

// TaskFiles reads the files of a change that hold its tasks. Tracked says that its schema
// names them; otherwise tasks.md is read if it is there.
func TaskFiles(fsys fs.FS, dir string, s *Schema) (files []tasklist.File, tracked bool, err error) {
	var names []string
	if s != nil && s.tasks() != "" {
		if names, err = Outputs(fsys, dir, s.tasks()); err != nil {
			return nil, false, err
		}
	}
	if tracked = len(names) > 0; !tracked {
		names = []string{"tasks.md"}
	}
	for _, name := range names {
		text, ok, err := ReadText(fsys, path.Join(dir, name))
		if err != nil {
			return nil, false, err
		}
		if ok {
			files = append(files, tasklist.File{Path: name, Text: text})
		}
	}
	return files, tracked, nil
}
