package commands

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/prompt/library"
	"chant/engine/store"
)

// project returns a project with files, whose user has an empty home folder.
func project(t *testing.T, files map[string]string) (*engine.Project, string) {
	t.Helper()
	p, dir := enginetest.Project(t)
	home := t.TempDir()
	p.Environ = []string{"HOME=" + home, "USERPROFILE=" + home}
	for name, text := range files {
		enginetest.Write(t, dir, name, text)
	}
	return p, dir
}

const (
	reviewFile = ".agent/climpt/prompts/go/review/package/f_default.md"
	registryAt = ".agent/climpt/registry.json"
)

func TestSearch(t *testing.T) {
	t.Parallel()
	p, _ := project(t, map[string]string{registryAt: `{"tools": {"commands": [
		{"c1": "git", "c2": "merge", "c3": "branch", "description": "Merge the branch"},
		{"c1": "git", "c2": "merge", "c3": "branch", "description": "Merge the branch, again"},
		{"c1": "git", "c2": "merge", "c3": "another-branch", "description": "Merge the branch"},
		{"c1": "git", "c2": "list", "c3": "branches", "description": "List the branches"},
		{"c1": "go", "c2": "test", "c3": "branch", "description": "Test the branch"}]}}`})
	for query, want := range map[string]string{
		"merge the branch": "git/merge/branch git/merge/another-branch", "xyzzy": "", "LIST branches": "git/list/branches",
	} {
		r, err := Search(t.Context(), p, SearchInput{Query: query})
		if err != nil || r.Results == nil || r.Agent != "climpt" || len(r.Results) > 3 {
			t.Fatalf("%+v, %v", r, err)
		}
		var got []string
		for i, hit := range r.Results {
			got = append(got, hit.String())
			if hit.Score <= 0 || hit.Score > 1 || i > 0 && hit.Score > r.Results[i-1].Score || hit.Description == "" {
				t.Errorf("%q: %+v", query, r.Results)
			}
		}
		if !strings.HasPrefix(strings.Join(got, " "), want) || want == "" && len(got) > 0 {
			t.Errorf("%q: %q, want %s", query, got, want)
		}
	}
	if r, err := Search(t.Context(), p, SearchInput{Query: "branch", Limit: 1}); err != nil || len(r.Results) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := Search(t.Context(), p, SearchInput{Query: " \n"}); enginetest.CodeOf(t, err) != engine.Usage {
		t.Error(err)
	}
	d, err := Describe(t.Context(), p, DescribeInput{C1: "git", C2: "merge", C3: "branch"})
	if err != nil || len(d.Commands) != 2 || d.Commands[1].Description != "Merge the branch, again" {
		t.Errorf("%+v, %v", d, err)
	}
	for _, in := range []DescribeInput{{C1: "git", C2: "merge", C3: "Branch"}, {C1: "git", C2: "merge", C3: "branc"}} {
		_, err := Describe(t.Context(), p, in)
		if missing, ok := errors.AsType[*library.NotFoundError](err); !ok || missing.C3 != in.C3 || enginetest.CodeOf(t, err) != engine.NotFound {
			t.Errorf("%+v: %v", in, err)
		}
	}
	if _, err := Describe(t.Context(), p, DescribeInput{C1: "git", C2: "merge"}); enginetest.CodeOf(t, err) != engine.Usage {
		t.Error(err)
	}
}

// TestExecute fills in each variable once, and leaves everything else as it is.
func TestExecute(t *testing.T) {
	t.Parallel()
	p, dir := project(t, map[string]string{
		reviewFile: "---\ndescription: d\nuv:\n  - a: first\n  - b: second\n---\n" +
			"[{uv-a}|{uv-b}|{input_text}|{input_text_file}|{destination_path}] {\"x\": {}} ${uv-a} {{uv-c}} {uv-c} {other} {{spec.id}}\r\n",
		".agent/climpt/prompts/go/plain/text/f_default.md": "No variables.\n",
		".agent/climpt/config/go-user.yml":                 "options: {destination: {prefix: out/}}",
		"input.txt":                                        "from {uv-a} the file",
	})
	outside := filepath.Join(t.TempDir(), "outside.txt")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
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
			if failed.Command != "climpt-go review package" || r.Text != "" {
				t.Errorf("%s: %+v", options, failed)
			}
		} else if err != nil {
			t.Fatal(err)
		} else {
			want += rest
		}
		if got != want && (err == nil || !strings.HasPrefix(got, want)) {
			t.Errorf("%s: %q, want %q", options, got, want)
		}
	}
	r, err := Execute(t.Context(), p, ExecuteInput{C1: "go", C2: "review", C3: "package", Options: json.RawMessage(`{"uv-a": "x"}`)})
	if err != nil || !slices.Equal(r.Unfilled, []string{"{uv-b}", "{input_text}", "{uv-c}"}) || r.File != reviewFile || r.Edition != "default" {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Execute(t.Context(), p, ExecuteInput{C1: "go", C2: "plain", C3: "text", Options: json.RawMessage(`{"stdin": "x", "file": "missing", "destination": "y"}`)})
	if err != nil || !slices.Equal(r.Unused, []string{"stdin", "file", "destination"}) || r.Text != "No variables.\n" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := Execute(t.Context(), p, ExecuteInput{C1: "go", C2: "review", C3: "package", Options: json.RawMessage(`{"file": "` + filepath.ToSlash(outside) + `"}`), Files: library.Files{Anywhere: true, Folder: dir}}); err != nil || !strings.Contains(r.Text, "|secret|") {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := Execute(t.Context(), p, ExecuteInput{C1: "go", C2: "review"}); enginetest.CodeOf(t, err) != engine.Usage {
		t.Error(err)
	}
}

// TestExecute_template renders a template of specs as the spec that it would become.
func TestExecute_template(t *testing.T) {
	t.Parallel()
	p, _ := project(t, map[string]string{
		".chant/templates/bug.md":    "---\nname: bug\ndescription: Fix a bug\nvariables:\n  - name: area\n    description: Where it is\n    required: true\nlabels: [\"{{area}}\"]\n---\n# Fix {{what}}\n\n{{area}} {uv-x}\n",
		".chant/templates/broken.md": "---\nvariables: 5\n---\n",
	})
	found, err := Search(t.Context(), p, SearchInput{Query: "fix a bug"})
	if err != nil || found.Results[0].String() != "spec/add/bug" {
		t.Fatalf("%+v, %v", found, err)
	}
	d, err := Describe(t.Context(), p, DescribeInput{C1: "spec", C2: "add", C3: "bug"})
	if err != nil || len(d.Commands[0].Variables) != 1 || d.Commands[0].Variables[0].Description != "Where it is" {
		t.Errorf("%+v, %v", d, err)
	}
	in := ExecuteInput{C1: "spec", C2: "add", C3: "bug", Options: json.RawMessage(`{"uv": {"area": "a: \"b\" #c"}}`)}
	r, err := Execute(t.Context(), p, in)
	want := "---\nlabels:\n- 'a: \"b\" #c'\n---\n\n# Fix {{what}}\n\na: \"b\" #c {uv-x}\n"
	if err != nil || r.Text != want || !slices.Equal(r.Unfilled, []string{"{{what}}"}) {
		t.Errorf("%q, %v, %v, want %q", r.Text, r.Unfilled, err, want)
	}
	in.Options = json.RawMessage(`{"uv": {"other": "x"}}`)
	if _, err := Execute(t.Context(), p, in); err == nil || !strings.Contains(err.Error(), `unknown variable "other" (the command has area, what`) {
		t.Error(err)
	}
}

// TestExecute_spec fills in the fields of a spec, and does not fill them in twice.
func TestExecute_spec(t *testing.T) {
	t.Parallel()
	p, dir := project(t, map[string]string{reviewFile: "{uv-spec_id}: {{spec.title}}; {input_text}; {uv-a}\n"})
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", "---\nstatus: pending\n---\n# Do {{spec.id}}\n\nText.\n")
	enginetest.CommitAll(t, dir)
	for options, want := range map[string]string{
		`{"spec": "001"}`: "2026-01-02-001-abc: Do {{spec.id}}; # Do {{spec.id}}\n\nText.; {uv-a}\n",
		`{"spec": "abc", "stdin": "{uv-spec_id}", "uv": {"a": "{{spec.title}}", "spec_id": "mine"}}`: "mine: Do {{spec.id}}; {uv-spec_id}; {{spec.title}}\n",
	} {
		r, err := Execute(t.Context(), p, ExecuteInput{C1: "go", C2: "review", C3: "package", Options: json.RawMessage(options)})
		if err != nil || r.Text != want {
			t.Errorf("%s: %q, %v, want %q", options, r.Text, err, want)
		}
	}
	if out := enginetest.Git(t, dir, "status", "--short"); strings.Contains(out, "specs") {
		t.Error(out)
	}
}

func TestReload(t *testing.T) {
	t.Parallel()
	p, dir := project(t, map[string]string{
		registryAt: `{"tools": {"commands": [{"c1": "a", "c2": "b", "c3": "c", "description": "d"}]}}`, ".agent/x/registry.json": "{",
		".agent/y/prompts/a/b/c/f_default.md": "x",
	})
	p.Recall = &store.Cache{}
	t.Cleanup(p.Recall.Close)
	r, err := Reload(t.Context(), p, ReloadInput{})
	if err != nil || r.Success || len(r.Reloaded) != 3 || r.Total != r.CommandCount+1 || r.Reloaded[1].Error == "" || r.Agent != "climpt" {
		t.Errorf("%+v, %v", r, err)
	}
	before := r.CommandCount
	enginetest.Write(t, dir, registryAt, `{"tools": {"commands": []}}`)
	if r, err = Reload(t.Context(), p, ReloadInput{Agent: "climpt"}); err != nil || !r.Success || r.CommandCount != before-1 || r.Message == "" {
		t.Errorf("%+v, %v", r, err)
	}
	_, err = Reload(t.Context(), p, ReloadInput{Agent: "x"})
	if bad, ok := errors.AsType[*library.RegistryError](err); !ok || bad.Path != ".agent/x/registry.json" || !strings.Contains(bad.Details, ":1: invalid JSON") {
		t.Error(err)
	}
}
