package folder

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

func TestReadMetadata(t *testing.T) {
	t.Parallel()
	text := "schema: spec-driven\ncreated: 2026-01-02\ngoal: A goal\naffected_areas: [a, b]\ninitiative: {store: s-1, id: x}\nskip_specs: true\nretire_capabilities: false\nmore: 1\n"
	m, err := ReadMetadata(files(map[string]string{"c/.openspec.yaml": text}), "c")
	if err != nil || m.problem != "" || !m.SkipSpecs || m.RetireCapabilities || m.Created != "2026-01-02" || m.Goal != "A goal" || !slices.Equal(m.AffectedAreas, []string{"a", "b"}) {
		t.Errorf("got %+v, %v", m, err)
	}
}

func TestMarkers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"schema: spec-driven\nskip_specs: true":                      "set",
		"schema: spec-driven\nskip_specs: True":                      "set",
		"\uFEFFschema: spec-driven\nskip_specs: true":                "set",
		"schema: own\nskip_specs: true":                              "set",
		"schema: spec-driven\nskip_specs: false":                     "",
		"schema: spec-driven":                                        "",
		"":                                                           "",
		"skip_specs: true":                                           "schema: Invalid input: expected string, received undefined",
		"skip_specs: false":                                          "",
		"schema: ''\nskip_specs: true":                               "schema: schema is required",
		"schema: 7\nskip_specs: true":                                "schema: Invalid input: expected string, received number",
		"schema: spec-driven\nskip_specs: yes":                       "skip_specs: Invalid input: expected boolean, received string",
		"schema: spec-driven\nskip_specs:":                           "skip_specs: Invalid input: expected boolean, received null",
		"schema: spec-driven\nskip_specs: [true]":                    "skip_specs: Invalid input: expected boolean, received array",
		"schema: spec-driven\ncreated: 2026-1-2\nskip_specs: true":   "created: created must be YYYY-MM-DD format",
		"schema: spec-driven\ninitiative: x\nskip_specs: true":       "initiative: Invalid input: expected object, received string",
		"schema: spec-driven\ninitiative: {id: x}\nskip_specs: true": "initiative.store: Invalid input: expected string, received undefined",
		"schema: spec-driven\ninitiative: {store: s, id: x, z: 1}\nskip_specs: true": `initiative: Unrecognized key: "z"`,
		"schema: spec-driven\ninitiative: {store: s, id: X}\nskip_specs: true":       "initiative.id: Initiative id must be kebab-case with lowercase letters, numbers, and single hyphen separators",
		"schema: spec-driven\naffected_areas: ['']\nskip_specs: true":                "affected_areas.0: Too small: expected string to have >=1 characters",
		"schema: none\nskip_specs: true":                                             "schema: unknown schema 'none'",
		"schema: \"a\\nb\"\nskip_specs: true":                                        "schema: unknown schema 'a?b'",
		"schema: broken\nskip_specs: true":                                           "invalid schema at 'schemas/broken/schema.yaml': name is missing",
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
	replace := func(a, b string) string { return strings.Replace(ownSchema, a, b, 1) }
	for text, want := range map[string]string{
		ownSchema:                           "",
		"":                                  "received undefined",
		"- a":                               "received array",
		"[":                                 "parse schema",
		replace("name: own", "name: ''"):    "name is missing",
		replace("version: 1", "version: 0"): "positive integer",
		replace("version: 1", "version: x"): "cannot unmarshal",
		replace("id: todo", "id: text"):     "is there twice",
		replace("[text]", "[none]"):         "requires 'none'",
		replace("description: A", "description: A, requires: [todo]"): "in a circle",
		replace("generates: text.md", "generates: ../text.md"):        "paths inside",
		replace("generates: text.md", "generates: /text.md"):          "paths inside",
		replace("template: a.md", "template: 'C:a'"):                  "paths inside",
		replace("requires: [todo]", "requires: [none]"):               "requires 'none'",
		replace("requires: [todo]", "requires: []"):                   "apply needs",
		"name: a\nversion: 1\n":                                       "at least one artifact",
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
