package openspec

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
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
		if err != nil {
			t.Fatal(err)
		}
		set, got := m.SkipsSpecs(fsys)
		if set {
			got = "set"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
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
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		found, tracked, err := TaskFiles(fsys, dir, SchemaOf(fsys, m))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range found {
			names = append(names, f.Path)
		}
		got := strings.Join(names, " ") + map[bool]string{true: " true", false: " false"}[tracked]
		if got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

func TestOutputs_outside(t *testing.T) {
	t.Parallel()
	fsys := files(map[string]string{"changes/b/tasks.md": "t", "changes/a/x": ""})
	for _, pattern := range []string{"../b/tasks.md", "../*/tasks.md", "/tasks.md", ""} {
		if names, err := Outputs(fsys, "changes/a", pattern); len(names) > 0 || err != nil {
			t.Errorf("%q: got %q, %v, want nothing", pattern, names, err)
		}
	}
}

func TestCapabilities(t *testing.T) {
	t.Parallel()
	fsys := files(map[string]string{"specs/spec.md": "", "specs/b/spec.md": "", "specs/a/c/spec.md": "", "specs/a/notes.md": "", "specs/.d/spec.md": "", "stray": ""})
	fsys["specs/e/spec.md"] = &fstest.MapFile{Data: []byte("../b/spec.md"), Mode: fs.ModeSymlink}
	got, err := Capabilities(fsys, "specs")
	if err != nil || !slices.Equal(got, []string{"a/c", "b", "e"}) {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := Capabilities(fsys, "none"); err != nil || len(got) > 0 {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := Capabilities(fsys, "stray"); !errors.Is(err, ErrNotFolder) {
		t.Errorf("got %v", err)
	}
	for dir, want := range map[string]bool{"specs": true, "specs/.d": true, "none": false, "stray": true} {
		if got, err := HasFiles(fsys, dir); err != nil || got != want {
			t.Errorf("HasFiles(%s) = %t, %v", dir, got, err)
		}
	}
}

func TestHasDate(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"2026-01-02-a": true, "2026-01-02": false, "2026-1-2-abcd": false, "a-2026-01-02-": false, "9999-99-99-": true} {
		if got := HasDate(name); got != want {
			t.Errorf("HasDate(%q) = %t", name, got)
		}
	}
}

func FuzzReadMetadata(f *testing.F) {
	f.Add("schema: own\nskip_specs: true\ninitiative: {store: a, id: b}\n")
	f.Add("schema: &a [*a]\nskip_specs: yes\n")
	f.Add(ownSchema)
	f.Fuzz(func(t *testing.T, text string) {
		fsys := files(map[string]string{"c/.openspec.yaml": text, "schemas/own/schema.yaml": text, "config.yaml": text})
		m, err := ReadMetadata(fsys, "c")
		if err != nil {
			t.Fatal(err)
		}
		skip, problem := m.SkipsSpecs(fsys)
		if skip && (problem != "" || m.invalid()) {
			t.Errorf("skips, although %q %q", problem, m.problem)
		}
		_, _, err = TaskFiles(fsys, "c", SchemaOf(fsys, m))
		if err != nil && m.Schema != "own" {
			t.Fatal(err)
		}
	})
}

// TestReadText_behindFile asks a real file system for a path that goes through a file.
func TestReadText_behindFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a": true, "a/spec.md": false, "a/b/spec.md": false, "none": false, "none/spec.md": false} {
		if _, ok, err := ReadText(os.DirFS(dir), name); ok != want || err != nil {
			t.Errorf("%s: %t, %v", name, ok, err)
		}
	}
	if _, _, err := ReadText(os.DirFS(dir), "b"); err == nil {
		t.Error("a folder was read as a file")
	}
	if entries, err := ReadDir(os.DirFS(dir), "a/b"); len(entries) > 0 || err != nil {
		t.Errorf("got %v, %v", entries, err)
	}
}
