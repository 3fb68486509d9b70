package openspec

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/alecthomas/assert/v2"
)

func files(texts map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range texts {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func TestMarkers(t *testing.T) {
	t.Parallel()
	const notInitiative = "initiative must have store and id, in lower case, and nothing else"
	for text, want := range map[string]string{
		"schema: spec-driven\nskip_specs: true":                      "set",
		"schema: spec-driven\nskip_specs: True":                      "set",
		"\uFEFFschema: spec-driven\nskip_specs: true":                "set",
		"schema: own\nskip_specs: true":                              "set",
		"schema: spec-driven\nskip_specs: false":                     "",
		"schema: spec-driven":                                        "",
		"":                                                           "",
		"skip_specs: true":                                           "schema must be a value of type string, not undefined",
		"skip_specs: false":                                          "",
		"schema: ''\nskip_specs: true":                               "schema is empty",
		"schema: 7\nskip_specs: true":                                "schema must be a value of type string, not number",
		"schema: spec-driven\nskip_specs: yes":                       "skip_specs must be a value of type boolean, not string",
		"schema: spec-driven\nskip_specs:":                           "skip_specs must be a value of type boolean, not null",
		"schema: spec-driven\nskip_specs: [true]":                    "skip_specs must be a value of type boolean, not array",
		"schema: spec-driven\ncreated: 2026-1-2\nskip_specs: true":   "created must have the form YYYY-MM-DD",
		"schema: spec-driven\ninitiative: x\nskip_specs: true":       "initiative must be a value of type object, not string",
		"schema: spec-driven\ninitiative: {id: x}\nskip_specs: true": notInitiative,
		"schema: spec-driven\ninitiative: {store: s, id: x, z: 1}\nskip_specs: true": notInitiative,
		"schema: spec-driven\ninitiative: {store: s, id: X}\nskip_specs: true":       notInitiative,
		"schema: spec-driven\naffected_areas: ['']\nskip_specs: true":                "affected_areas must be a list of words",
		"schema: none\nskip_specs: true":                                             "schema: unknown schema 'none'",
		"schema: \"a\\nb\"\nskip_specs: true":                                        "schema: unknown schema 'a?b'",
		"schema: broken\nskip_specs: true":                                           "invalid schema at 'schemas/broken/schema.yaml': at least one artifact required",
		"schema: [\nskip_specs: true":                                                "the file is not valid YAML",
		"schema: [\n# skip_specs: true":                                              "",
		"schema: a\nschema: b\n'skip_specs' : true":                                  "the file is not valid YAML",
		"schema: a\n---\nskip_specs: true":                                           "the file is not valid YAML",
		"- skip_specs: true":                                                         "",
	} {
		fsys := files(map[string]string{"c/.openspec.yaml": text, "schemas/own/schema.yaml": ownSchema, "schemas/broken/schema.yaml": "version: 1\n"})
		m, err := ReadMetadata(fsys, "c")
		assert.NoError(t, err)
		set, got := m.SkipsSpecs(fsys)
		if set {
			got = "set"
		}
		assert.Equal(t, want, got, "%q", text)
	}
}

const ownSchema = `name: own
version: 1
artifacts:
  - {id: text, generates: text.md, template: a.md, description: A}
  - {id: todo, generates: "todo/**/*.md", template: a.md, description: B, requires: [text]}
apply:
  requires: [todo]
  tracks: "todo/**/*.md"
`

func TestParseSchema(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		ownSchema:               "",
		"":                      "not a mapping",
		"- a":                   "not a mapping",
		"[":                     "parse schema",
		"name: a\nversion: 1\n": "at least one artifact",
	} {
		_, err := parseSchema("file", text)
		assert.Equal(t, want == "", err == nil, "%q", text)
		assert.False(t, err != nil && !strings.Contains(err.Error(), want), "%q: %v, want %q", text, err, want)
	}
}

func TestTaskFiles(t *testing.T) {
	t.Parallel()
	fsys := files(map[string]string{
		"schemas/own/schema.yaml": ownSchema, "config.yml": "schema: own\n",
		"changes/a/todo/b.md": "b", "changes/a/todo/deep/c.md": "c", "changes/a/todo/.d.md": "d", "changes/a/todo/e.txt": "e",
		"changes/b/.openspec.yaml": "schema: spec-driven\n", "changes/b/tasks.md": "t",
		"changes/c/tasks.md":       "t",
		"changes/d/.openspec.yaml": "schema: none\n", "changes/d/tasks.md": "t",
	})
	for id, want := range map[string]string{"a": "todo/b.md todo/deep/c.md true", "b": "tasks.md true", "c": "tasks.md false", "d": "tasks.md false", "e": " false"} {
		dir := "changes/" + id
		m, err := ReadMetadata(fsys, dir)
		assert.NoError(t, err)
		found, tracked, err := TaskFiles(fsys, dir, SchemaOf(fsys, m))
		assert.NoError(t, err)
		var names []string
		for _, f := range found {
			names = append(names, f.Path)
		}
		got := strings.Join(names, " ") + map[bool]string{true: " true", false: " false"}[tracked]
		assert.Equal(t, want, got, "%s", id)
	}
}

func TestOutputs_outside(t *testing.T) {
	t.Parallel()
	fsys := files(map[string]string{"changes/b/tasks.md": "t", "changes/a/x": ""})
	for _, pattern := range []string{"../b/tasks.md", "../*/tasks.md", "/tasks.md", ""} {
		names, err := Outputs(fsys, "changes/a", pattern)
		assert.Zero(t, names, "%q: got %q", pattern, names)
		assert.NoError(t, err, "%q: got %q", pattern, names)
	}
}

func TestCapabilities(t *testing.T) {
	t.Parallel()
	fsys := files(map[string]string{"specs/spec.md": "", "specs/b/spec.md": "", "specs/a/c/spec.md": "", "specs/a/notes.md": "", "specs/.d/spec.md": "", "stray": ""})
	fsys["specs/e/spec.md"] = &fstest.MapFile{Data: []byte("../b/spec.md"), Mode: fs.ModeSymlink}
	got, err := Capabilities(fsys, "specs")
	assert.NoError(t, err)
	assert.Equal(t, []string{"a/c", "b", "e"}, got)
	got, err = Capabilities(fsys, "none")
	assert.NoError(t, err, "got %q", got)
	assert.Zero(t, got, "got %q", got)
	_, err = Capabilities(fsys, "stray")
	assert.IsError(t, err, ErrNotFolder)
	for dir, want := range map[string]bool{"specs": true, "specs/.d": true, "none": false, "stray": true} {
		got, err := HasFiles(fsys, dir)
		assert.NoError(t, err, "HasFiles(%s)", dir)
		assert.Equal(t, want, got, "HasFiles(%s)", dir)
	}
}

func TestHasDate(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"2026-01-02-a": true, "2026-01-02": false, "2026-1-2-abcd": false, "a-2026-01-02-": false, "9999-99-99-": true} {
		assert.Equal(t, want, HasDate(name), "HasDate(%q)", name)
	}
}

func FuzzReadMetadata(f *testing.F) {
	f.Add("schema: own\nskip_specs: true\ninitiative: {store: a, id: b}\n")
	f.Add("schema: &a [*a]\nskip_specs: yes\n")
	f.Add(ownSchema)
	f.Fuzz(func(t *testing.T, text string) {
		fsys := files(map[string]string{"c/.openspec.yaml": text, "schemas/own/schema.yaml": text, "config.yaml": text})
		m, err := ReadMetadata(fsys, "c")
		assert.NoError(t, err)
		skip, problem := m.SkipsSpecs(fsys)
		assert.False(t, skip && (problem != "" || m.invalid()), "skips, although %q %q", problem, m.problem)
		_, _, err = TaskFiles(fsys, "c", SchemaOf(fsys, m))
		assert.False(t, err != nil && m.Schema != "own", "%v", err)
	})
}

// TestReadText_behindFile asks a real file system for a path that goes through a file.
func TestReadText_behindFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	assert.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o644))
	assert.NoError(t, os.Mkdir(filepath.Join(dir, "b"), 0o755))
	for name, want := range map[string]bool{"a": true, "a/spec.md": false, "a/b/spec.md": false, "none": false, "none/spec.md": false} {
		_, ok, err := ReadText(os.DirFS(dir), name)
		assert.Equal(t, want, ok, "%s", name)
		assert.NoError(t, err, "%s", name)
	}
	_, _, err := ReadText(os.DirFS(dir), "b")
	assert.Error(t, err, "a folder was read as a file")
	entries, err := ReadDir(os.DirFS(dir), "a/b")
	assert.Zero(t, entries, "got %v", entries)
	assert.NoError(t, err, "got %v", entries)
}
