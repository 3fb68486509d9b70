package speckit

import (
	"errors"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestFind(t *testing.T) {
	t.Parallel()
	dirs := "001-a 002-x 002-y 003 003-z 004-b 004-c 20260319-143022-loans 20260319-x 1-one"
	var names []string
	for dir := range strings.FieldsSeq(dirs) {
		names = append(names, "specs/"+dir+"/spec.md")
	}
	repo := files(append(names, "specs/005-file")...)
	tests := []struct{ branch, want, err string }{
		{"001-a", "specs/001-a", ""},
		{"001-other", "specs/001-a", ""},
		{"feature/001-a", "specs/001-a", ""},
		{"002-y", "specs/002-y", ""},
		{"002-z", "", "several features have the number 002: specs/002-x, specs/002-y"},
		{"003-other", "specs/003", ""},
		{"003-z", "specs/003-z", ""},
		{"1-a", "specs/1-one", ""},
		{"20260319-143022-other", "specs/20260319-143022-loans", ""},
		{"20260319-other", "specs/20260319-x", ""},
		{"20260319-143023-loans", "", `no feature 20260319-143023 in "specs" (looked for specs/20260319-143023-loans)`},
		{"005-file", "", `no feature 005 in "specs" (looked for specs/005-file)`},
		{"main", "", `branch "main" does not have the form NNN-name or YYYYMMDD-HHMMSS-name`},
		{"001", "", `branch "001" does not have the form NNN-name or YYYYMMDD-HHMMSS-name`},
		{"20260319-143022", "", `branch "20260319-143022" does not have the form NNN-name or YYYYMMDD-HHMMSS-name`},
		{"", "", `branch "" does not have the form NNN-name or YYYYMMDD-HHMMSS-name`},
		{"001-a/", "", `branch "001-a/" does not have the form NNN-name or YYYYMMDD-HHMMSS-name`},
		{"001-..", "specs/001-a", ""},
	}
	for _, tt := range tests {
		got, err := Find(repo, tt.branch)
		message := ""
		if err != nil {
			message = err.Error()
		}
		assert.Equal(t, tt.want, got, "%q", tt.branch)
		assert.Equal(t, tt.err, message, "%q", tt.branch)
	}
	_, err := Find(files("readme.md"), "001-a")
	_, ok := errors.AsType[*NotFoundError](err)
	assert.True(t, ok, "without specs: %v", err)
}

func TestPointer(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		`{"feature_directory": "specs/001-a"}`:                  "specs/001-a",
		"\ufeff{\"feature_directory\":\"./specs//001-a/\"}\r\n": "specs/001-a",
		`{"feature_directory": "specs/b/../001-a", "x": 1}`:     "specs/001-a",
	}
	for src, want := range good {
		got, err := Pointer([]byte(src))
		assert.Equal(t, want, got, "%s", src)
		assert.NoError(t, err, "%s", src)
	}
	for _, src := range []string{
		"", "{", "[]", "null", "{}", `{"feature_directory": null}`, `{"feature_directory": 1}`, `{"feature_directory": " "}`,
		`{"feature_directory": "/etc"}`, `{"feature_directory": "../a"}`, `{"feature_directory": "specs/../../a"}`, `{"feature_directory": "."}`,
		`{"feature_directory": "specs/.."}`, `{"feature_directory": "C:/a"}`, `{"feature_directory": "specs\\a"}`, `{"feature_directory": "a\u0000b"}`,
		`{"feature_directory": ".git/hooks"}`, `{"feature_directory": "a/.GIT"}`, `{"feature_directory": "a\nb"}`,
	} {
		got, err := Pointer([]byte(src))
		_, ok := errors.AsType[*PointerError](err)
		assert.True(t, ok, "%s: %q, %v", src, got, err)
		assert.Equal(t, "", got, "%s: %v", src, err)
	}
}

func TestArtifact(t *testing.T) {
	t.Parallel()
	tests := []struct{ files, name, want, from string }{
		{"spec.md", "spec", "001-a/spec.md", "spec.md"},
		{"plan.md", "plan", "001-a/plan.md", "plan.md"},
		{"tasks.md", "tasks", "001-a/tasks.md", "tasks.md"},
		{"analysis.md", "analysis", "001-a/analysis.md", "analysis.md"},
		{"checklist.md checklists/a.md", "checklist", "001-a/checklist.md", "checklist.md"},
		{"checklists/b.md checklists/a.md checklists/c.txt checklists/d.md/x", "checklist", "001-a/checklists/a.md\n\n001-a/checklists/b.md", "checklists/a.md checklists/b.md"},
	}
	for _, tt := range tests {
		var names []string
		for name := range strings.FieldsSeq(tt.files) {
			names = append(names, "001-a/"+name)
		}
		got, paths, err := Artifact(files(names...), "001-a", tt.name)
		from := strings.ReplaceAll(strings.Join(paths, " "), "001-a/", "")
		assert.Equal(t, tt.want, string(got), "%s of %s: %q", tt.name, tt.files, paths)
		assert.Equal(t, tt.from, from, "%s of %s: %q", tt.name, tt.files, paths)
		assert.NoError(t, err, "%s of %s: %q", tt.name, tt.files, paths)
	}
}

func TestArtifact_errors(t *testing.T) {
	t.Parallel()
	repo := files("001-a/spec.md")
	for _, name := range []string{"plan", "checklist"} {
		_, _, err := Artifact(repo, "001-a", name)
		missing, ok := errors.AsType[*NotFoundError](err)
		assert.True(t, ok, "%s: %v", name, err)
		assert.Equal(t, "artifact "+name, missing.What, "%v", err)
		assert.Equal(t, "001-a", missing.Dir, "%v", err)
		assert.NotEqual(t, 0, len(missing.Try), "%v", err)
	}
	for _, name := range []string{"", "SPEC", "spec.md", "../spec", "checklists/a"} {
		_, _, err := Artifact(repo, "001-a", name)
		_, ok := errors.AsType[*ArtifactError](err)
		assert.True(t, ok, "%s: %v", name, err)
	}
}
