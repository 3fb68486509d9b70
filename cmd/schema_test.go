package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/cmd/console"

	"github.com/alecthomas/assert/v2"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"
)

// schemasDir has the schemas as files, for programs that validate what chant prints.
const schemasDir = "../schemas"

// TestSchemas_files compares the schemas with their files, which UPDATE=1 writes. What is incompatible with the file needs
// a new schemaVersion.
func TestSchemas_files(t *testing.T) {
	t.Parallel()
	kept := map[string]bool{}
	for name, kind := range results() {
		s, err := schemaOf(name, kind)
		assert.NoError(t, err, "%s", name)
		text, err := json.MarshalIndent(s, "", "  ")
		assert.NoError(t, err, "%s", name)
		file := filepath.Join(schemasDir, schemaFile(name)+".json")
		assert.False(t, kept[file], "%s is the file of two schemas", file)
		kept[file] = true
		before, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if os.Getenv("UPDATE") == "" {
			assert.Equal(t, string(before), string(text)+"\n", "UPDATE=1 go test ./cmd -run TestSchemas writes %s", file)
			continue
		}
		var was jsonschema.Schema
		if len(before) > 0 {
			assert.NoError(t, json.Unmarshal(before, &was), "%s", file)
			if was.ID == s.ID {
				assert.Equal(t, nil, missingMembers("", &was, s), "%s: raise schemaVersion", name)
			}
		}
		assert.NoError(t, os.WriteFile(file, append(text, '\n'), 0o644))
	}
	files, err := filepath.Glob(filepath.Join(schemasDir, "*.json"))
	assert.NoError(t, err)
	for _, file := range files {
		assert.True(t, kept[file], "%s is the file of no schema", file)
	}
}

// missingMembers lists the members of a schema that another has not, or has with another type.
func missingMembers(at string, was, is *jsonschema.Schema) []string {
	if was == nil {
		return nil
	}
	if is == nil {
		return []string{at}
	}
	var out []string
	if fmt.Sprint(was.Type, was.Types) != fmt.Sprint(is.Type, is.Types) {
		out = append(out, at+" has another type")
	}
	for _, name := range slices.Sorted(maps.Keys(was.Properties)) {
		out = append(out, missingMembers(at+"/"+name, was.Properties[name], is.Properties[name])...)
	}
	return append(out, missingMembers(at+"/[]", was.Items, is.Items)...)
}

// TestSchemas_complete checks that each command that prints JSON has a schema.
func TestSchemas_complete(t *testing.T) {
	t.Parallel()
	// These serve, print what is not JSON, or what is a document of another format.
	without := strings.Fields(`chant help schema completion mcp serve fleet site template prompt command task sprint key hook hooks worktree
		fleet:up fleet:join fleet:unit fleet:containerfile task:config task:reference:add task:reference:remove
		hooks:install hooks:remove`)
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		name := strings.TrimPrefix(c.CommandPath(), "chant ")
		if _, found := results()[name]; !found && !c.Hidden && c.Runnable() {
			assert.SliceContains(t, without, strings.ReplaceAll(name, " ", ":"), "chant %s has no schema", name)
		}
	}
	walk(newRoot(&console.App{}))
}

// TestSchemas_command checks what the command prints.
func TestSchemas_command(t *testing.T) {
	t.Parallel()
	out, errs, code := runLine(t, "schema", "list")
	assert.Equal(t, 0, code, "%s", errs)
	var s jsonschema.Schema
	assert.NoError(t, json.Unmarshal([]byte(out), &s))
	assert.NotZero(t, s.Properties["specs"])
	_, errs, code = runLine(t, "schema", "lsit")
	assert.Equal(t, 2, code)
	assert.HasPrefix(t, errs, `error: no schema "lsit"; did you mean "list"?`)
}

// TestSchemas_valid validates what commands print in a project with a spec that has landed, one that has failed, and one
// that waits.
func TestSchemas_valid(t *testing.T) {
	t.Parallel()
	dir := emptyProject(t)
	run := func(args ...string) string {
		t.Helper()
		var out, errs strings.Builder
		code := Main(t.Context(), args, Env{In: strings.NewReader(""), Out: &out, Err: &errs, Dir: dir, Environ: os.Environ()})
		assert.NotEqual(t, 1, code, "chant %q: %s", args, errs.String())
		assert.NotEqual(t, 2, code, "chant %q: %s", args, errs.String())
		return out.String()
	}
	for name, script := range map[string]string{"landed": "echo x > x.txt", "failing": "exit 3"} {
		text := "---\nstatus: pending\nlabels: [api]\npriority: high\n---\n# " + name + "\n\n## Script\n\n```sh\n" + script + "\n```\n\n## Acceptance Criteria\n\n- [ ] is there `$ test -f x.txt`\n"
		assert.NoError(t, os.WriteFile(filepath.Join(dir, ".chant", "specs", name+".md"), []byte(text), 0o644))
	}
	run("add", "Write docs", "--depends-on", "failing", "--needs-approval", "--json")
	run("work", "landed", "--provider", "shell")
	run("work", "failing", "--provider", "shell")
	run("task", "create", "Plan")
	run("sprint", "create", "Search")
	for _, row := range [][2]string{
		{"list", "list"}, {"ready", "ready"}, {"show", "show landed"}, {"status", "status"}, {"search", "search docs"}, {"board", "board"},
		{"diff", "diff landed"}, {"deps", "deps failing"}, {"diagnose", "diagnose failing"}, {"log", "log failing"}, {"dag", "dag"},
		{"activity", "activity"}, {"stats", "stats"}, {"work list", "work list"}, {"worktree status", "worktree status"}, {"cleanup", "cleanup --dry-run"},
		{"undo --list", "undo --list"}, {"verify", "verify landed failing --no-write"}, {"verify ID", "verify landed --no-write"}, {"drift", "drift"},
		{"lint", "lint"}, {"ci", "ci"}, {"hooks status", "hooks status"}, {"config", "config"}, {"config --validate", "config --validate"},
		{"version", "version"}, {"guide", "guide"}, {"template list", "template list"}, {"prompt list", "prompt list"},
		{"prompt show", "prompt show standard"}, {"prep", "prep failing"}, {"key list", "key list"}, {"answer (open questions)", "answer"},
		{"task list", "task list"}, {"whoami", "whoami"}, {"sprint list", "sprint list"}, {"sprint show", "sprint show 1"},
		{"watch status", "watch status"}, {"approve", "approve 001"}, {"reset", "reset failing"}, {"cancel", "cancel failing"}, {"undo", "undo --yes"},
		{"export", "export"}, {"archive", "archive landed"},
	} {
		name, line := row[0], row[1]
		schema, err := schemaOf(name, results()[name])
		assert.NoError(t, err, "%s", name)
		resolved, err := schema.Resolve(nil)
		assert.NoError(t, err, "%s", name)
		var printed any
		out := run(append(strings.Fields(line), "--json")...)
		assert.NoError(t, json.Unmarshal([]byte(out), &printed), "chant %s --json: %s", line, out)
		assert.NoError(t, resolved.Validate(printed), "chant %s --json: %s", line, out)
	}
}
