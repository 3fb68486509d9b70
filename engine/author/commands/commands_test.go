package commands

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/prompt/library"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

const (
	reviewFile = ".agent/climpt/prompts/go/review/package/f_default.md"
	registryAt = ".agent/climpt/registry.json"
)

func TestSearch(t *testing.T) {
	t.Parallel()
	p, _, _ := enginetest.ProjectWith(t, map[string]string{registryAt: `{"tools": {"commands": [
		{"c1": "git", "c2": "merge", "c3": "branch", "description": "Merge the branch"},
		{"c1": "git", "c2": "merge", "c3": "branch", "description": "Merge the branch, again"},
		{"c1": "git", "c2": "merge", "c3": "another-branch", "description": "Merge the branch"},
		{"c1": "git", "c2": "list", "c3": "branches", "description": "List the branches"},
		{"c1": "go", "c2": "test", "c3": "branch", "description": "Test the branch"}]}}`})
	for query, want := range map[string]string{
		"merge the branch": "git/merge/branch git/merge/another-branch", "xyzzy": "", "LIST branches": "git/list/branches",
	} {
		r, err := Search(t.Context(), p, SearchInput{Query: query})
		assert.NoError(t, err)
		assert.True(t, r.Results != nil, "%+v, %v", r, err)
		assert.Equal(t, "climpt", r.Agent)
		assert.True(t, len(r.Results) <= 3, "%+v, %v", r, err)
		var got []string
		for i, hit := range r.Results {
			got = append(got, hit.String())
			assert.False(t, hit.Score <= 0, "%q: %+v", query, r.Results)
			assert.False(t, hit.Score > 1, "%q: %+v", query, r.Results)
			assert.False(t, i > 0 && hit.Score > r.Results[i-1].Score, "%q: %+v", query, r.Results)
			assert.NotEqual(t, "", hit.Description, "%q", query)
		}
		assert.HasPrefix(t, strings.Join(got, " "), want, "%q: %q", query, got)
		assert.False(t, want == "" && len(got) > 0, "%q: %q, want %s", query, got, want)
	}
	r, err := Search(t.Context(), p, SearchInput{Query: "branch", Limit: 1})
	assert.NoError(t, err, "%+v", r)
	assert.Equal(t, 1, len(r.Results), "%+v", r)
	_, err = Search(t.Context(), p, SearchInput{Query: " \n"})
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err))
	d, err := Describe(t.Context(), p, DescribeInput{C1: "git", C2: "merge", C3: "branch"})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(d.Commands))
	assert.Equal(t, "Merge the branch, again", d.Commands[1].Description)
	for _, in := range []DescribeInput{{C1: "git", C2: "merge", C3: "Branch"}, {C1: "git", C2: "merge", C3: "branc"}} {
		_, err := Describe(t.Context(), p, in)
		missing, ok := errors.AsType[*library.NotFoundError](err)
		assert.True(t, ok, "%+v: %v", in, err)
		assert.Equal(t, in.C3, missing.C3)
		assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err))
	}
	_, err = Describe(t.Context(), p, DescribeInput{C1: "git", C2: "merge"})
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err))
}

// TestExecute fills in each variable once, and leaves everything else as it is.
func TestExecute(t *testing.T) {
	t.Parallel()
	p, dir, _ := enginetest.ProjectWith(t, map[string]string{
		reviewFile: "---\ndescription: d\nuv:\n  - a: first\n  - b: second\n---\n" +
			"[{uv-a}|{uv-b}|{input_text}|{input_text_file}|{destination_path}] {\"x\": {}} ${uv-a} {{uv-c}} {uv-c} {other} {{spec.id}}\r\n",
		".agent/climpt/prompts/go/plain/text/f_default.md": "No variables.\n",
		".agent/climpt/config/go-user.yml":                 "options: {destination: {prefix: out/}}",
		"input.txt":                                        "from {uv-a} the file",
	})
	outside := filepath.Join(t.TempDir(), "outside.txt")
	assert.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	const rest = "] {\"x\": {}} ${uv-a} {{uv-c}} {uv-c} {other} {{spec.id}}\r\n"
	for options, want := range map[string]string{
		``: "[{uv-a}|{uv-b}|{input_text}|stdin|stdout",
		`{"uv": {"a": "{uv-b} $1 {input_text}", "b": "B"}, "stdin": "{uv-b}"}`: "[{uv-b} $1 {input_text}|B|{uv-b}|stdin|stdout",
		`{"file": "input.txt", "destination": "x.md"}`:                         "[{uv-a}|{uv-b}|from {uv-a} the file|input.txt|out/x.md",
		`{"file": "input.txt", "stdin": ""}`:                                   "[{uv-a}|{uv-b}||input.txt|stdout",
		`["--uv-a=1", "-f=input.txt"]`:                                         "[1|{uv-b}|from {uv-a} the file|input.txt|stdout",
		`{"file": "missing.txt"}`:                                              `! file "missing.txt" does not exist`,
		`{"file": "../x"}`:                                                     `! file "../x" is outside of the project`,
		`{"file": "` + outside + `"}`:                                          "! file ",
		`{"file": "."}`:                                                        `! file "." is a folder`,
		`{"uv": {"d": "1"}}`:                                                   `! unknown variable "d" (the command has a, b, c)`,
		`{"edition": "../x"}`:                                                  `! invalid edition "../x"`,
		`{"spec": "999"}`:                                                      "! ",
		`[]x`:                                                                  "! ",
	} {
		r, err := Execute(t.Context(), p, ExecuteInput{Agent: "climpt", C1: "go", C2: "review", C3: "package", Options: json.RawMessage(options)})
		got := r.Text
		if failed, ok := errors.AsType[*library.ExecutionError](err); ok {
			got = "! " + failed.Stderr
			assert.Equal(t, "climpt-go review package", failed.Command, "%s", options)
			assert.Equal(t, "", r.Text, "%s", options)
		} else if err != nil {
			t.Fatal(err)
		} else {
			want += rest
		}
		assert.False(t, got != want && (err == nil || !strings.HasPrefix(got, want)), "%s: %q, want %q", options, got, want)
	}
	r, err := Execute(t.Context(), p, ExecuteInput{C1: "go", C2: "review", C3: "package", Options: json.RawMessage(`{"uv-a": "x"}`)})
	assert.NoError(t, err)
	assert.Equal(t, []string{"{uv-b}", "{input_text}", "{uv-c}"}, r.Unfilled)
	assert.Equal(t, reviewFile, r.File)
	assert.Equal(t, "default", r.Edition)
	r, err = Execute(t.Context(), p, ExecuteInput{C1: "go", C2: "plain", C3: "text", Options: json.RawMessage(`{"stdin": "x", "file": "missing", "destination": "y"}`)})
	assert.NoError(t, err)
	assert.Equal(t, []string{"stdin", "file", "destination"}, r.Unused)
	assert.Equal(t, "No variables.\n", r.Text)
	r, err = Execute(t.Context(), p, ExecuteInput{C1: "go", C2: "review", C3: "package", Options: json.RawMessage(`{"file": "` + filepath.ToSlash(outside) + `"}`), Files: library.Files{Anywhere: true, Folder: dir}})
	assert.NoError(t, err)
	assert.Contains(t, r.Text, "|secret|")
	_, err = Execute(t.Context(), p, ExecuteInput{C1: "go", C2: "review"})
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err))
}

// TestExecute_template renders a template of specs as the spec that it would become.
func TestExecute_template(t *testing.T) {
	t.Parallel()
	p, _, _ := enginetest.ProjectWith(t, map[string]string{
		".chant/templates/bug.md":    "---\nname: bug\ndescription: Fix a bug\nvariables:\n  - name: area\n    description: Where it is\n    required: true\nlabels: [\"{{area}}\"]\n---\n# Fix {{what}}\n\n{{area}} {uv-x}\n",
		".chant/templates/broken.md": "---\nvariables: 5\n---\n",
	})
	found, err := Search(t.Context(), p, SearchInput{Query: "fix a bug"})
	assert.NoError(t, err)
	assert.Equal(t, "spec/add/bug", found.Results[0].String())
	d, err := Describe(t.Context(), p, DescribeInput{C1: "spec", C2: "add", C3: "bug"})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(d.Commands[0].Variables))
	assert.Equal(t, "Where it is", d.Commands[0].Variables[0].Description)
	in := ExecuteInput{C1: "spec", C2: "add", C3: "bug", Options: json.RawMessage(`{"uv": {"area": "a: \"b\" #c"}}`)}
	r, err := Execute(t.Context(), p, in)
	want := "---\nlabels:\n- 'a: \"b\" #c'\n---\n\n# Fix {{what}}\n\na: \"b\" #c {uv-x}\n"
	assert.NoError(t, err)
	assert.Equal(t, want, r.Text)
	assert.Equal(t, []string{"{{what}}"}, r.Unfilled)
	in.Options = json.RawMessage(`{"uv": {"other": "x"}}`)
	_, err = Execute(t.Context(), p, in)
	assert.Error(t, err)
	assert.Contains(t, err.Error(), `unknown variable "other" (the command has area, what`)
}

// TestExecute_spec fills in the fields of a spec, and does not fill them in twice.
func TestExecute_spec(t *testing.T) {
	t.Parallel()
	p, dir, _ := enginetest.ProjectWith(t, map[string]string{reviewFile: "{uv-spec_id}: {{spec.title}}; {input_text}; {uv-a}\n"})
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", "---\nstatus: pending\n---\n# Do {{spec.id}}\n\nText.\n")
	enginetest.CommitAll(t, dir)
	for options, want := range map[string]string{
		`{"spec": "001"}`: "2026-01-02-001-abc: Do {{spec.id}}; # Do {{spec.id}}\n\nText.; {uv-a}\n",
		`{"spec": "abc", "stdin": "{uv-spec_id}", "uv": {"a": "{{spec.title}}", "spec_id": "mine"}}`: "mine: Do {{spec.id}}; {uv-spec_id}; {{spec.title}}\n",
	} {
		r, err := Execute(t.Context(), p, ExecuteInput{C1: "go", C2: "review", C3: "package", Options: json.RawMessage(options)})
		assert.NoError(t, err, "%s", options)
		assert.Equal(t, want, r.Text, "%s", options)
	}
	assert.NotContains(t, enginetest.Git(t, dir, "status", "--short"), "specs")
}

func TestReload(t *testing.T) {
	t.Parallel()
	p, dir, _ := enginetest.ProjectWith(t, map[string]string{
		registryAt: `{"tools": {"commands": [{"c1": "a", "c2": "b", "c3": "c", "description": "d"}]}}`, ".agent/x/registry.json": "{",
		".agent/y/prompts/a/b/c/f_default.md": "x",
	})
	p.Recall = &store.Cache{}
	t.Cleanup(p.Recall.Close)
	r, err := Reload(t.Context(), p, ReloadInput{})
	assert.NoError(t, err)
	assert.False(t, r.Success, "%+v, %v", r, err)
	assert.Equal(t, 3, len(r.Reloaded))
	assert.Equal(t, r.CommandCount+1, r.Total)
	assert.NotEqual(t, "", r.Reloaded[1].Error)
	assert.Equal(t, "climpt", r.Agent)
	before := r.CommandCount
	enginetest.Write(t, dir, registryAt, `{"tools": {"commands": []}}`)
	r, err = Reload(t.Context(), p, ReloadInput{Agent: "climpt"})
	assert.NoError(t, err)
	assert.True(t, r.Success, "%+v, %v", r, err)
	assert.Equal(t, before-1, r.CommandCount)
	assert.NotEqual(t, "", r.Message)
	_, err = Reload(t.Context(), p, ReloadInput{Agent: "x"})
	bad, ok := errors.AsType[*library.RegistryError](err)
	assert.True(t, ok, "%v", err)
	assert.Equal(t, ".agent/x/registry.json", bad.Path)
	assert.Contains(t, bad.Details, ":1: invalid JSON")
}
