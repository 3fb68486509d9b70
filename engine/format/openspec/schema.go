package openspec

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// builtIn is the name of the only schema that the tool brings along. Others are in the
// folder schemas.
const builtIn = "spec-driven"

// artifact is a kind of document that a schema wants in a change.
type artifact struct {
	ID        string `yaml:"id"`
	Generates string `yaml:"generates"`
}

// Schema says which documents a change has, and in which its tasks are.
type Schema struct {
	Artifacts []artifact `yaml:"artifacts"`
	Apply     *struct {
		Tracks *string `yaml:"tracks"`
	} `yaml:"apply"`
	// BuiltIn says that it is the tool's own.
	BuiltIn bool `yaml:"-"`
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
	// A name with a slash could lead out of the folder of schemas.
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
	return &Schema{BuiltIn: true, Artifacts: []artifact{
		{ID: "proposal", Generates: "proposal.md"}, {ID: "specs", Generates: "specs/**/*.md"},
		{ID: "design", Generates: "design.md"}, {ID: "tasks", Generates: "tasks.md"},
	}}, nil
}

// parseSchema reads what chant needs of a schema: which documents there are. What they require of each other is the
// business of the tool that makes them.
func parseSchema(file, text string) (*Schema, error) {
	root, err := parseYAML(text)
	if err != nil {
		return nil, fmt.Errorf("parse schema at '%s': %w", file, err)
	}
	s := &Schema{}
	if kindName(root) != "object" {
		return nil, fmt.Errorf("invalid schema at '%s': it is not a mapping", file)
	}
	if err := root.Decode(s); err != nil {
		return nil, fmt.Errorf("invalid schema at '%s': %w", file, err)
	}
	if len(s.Artifacts) == 0 {
		return nil, fmt.Errorf("invalid schema at '%s': at least one artifact required", file)
	}
	return s, nil
}

// SchemaOf finds the schema that a change in the folder uses: its own, the project's or the
// built-in one. It returns nil if that cannot be decided, because metadata or schema are
// invalid.
func SchemaOf(fsys fs.FS, m Metadata) *Schema {
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
	if pattern = path.Clean(strings.ReplaceAll(pattern, `\`, "/")); !fs.ValidPath(pattern) {
		// The pattern leads out of the change.
		return nil, nil
	}
	if !strings.ContainsAny(pattern, "*?[{") {
		if !IsFile(fsys, path.Join(dir, pattern)) {
			return nil, nil
		}
		return []string{pattern}, nil
	}
	var found []string
	err := doublestar.GlobWalk(subtree{fsys, dir}, pattern, func(name string, _ fs.DirEntry) error {
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
func TaskFiles(fsys fs.FS, dir string, s *Schema) (files []TaskFile, tracked bool, err error) {
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
			files = append(files, TaskFile{Path: name, Text: text})
		}
	}
	return files, tracked, nil
}
