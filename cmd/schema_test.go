package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/cmd/console"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store/config"

	"github.com/alecthomas/assert/v2"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"
)

// schemasDir has the schemas as files, for programs that validate what chant prints.
const schemasDir = "../schemas"

// TestSchemas_files compares the schemas with their files, which UPDATE=1 writes. What is incompatible with the file needs
// a new schemaVersion.
func TestSchemas_files(t *testing.T) {
	t.Parallel()
	kept := map[string]bool{}
	for _, name := range schemaNames() {
		s, err := schemaOf(name)
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

// TestSchemas_keys: the order of the table of keys does not matter, and a key may lack the mapping that it is in.
func TestSchemas_keys(t *testing.T) {
	t.Parallel()
	parent, child, deep := spec.Key{Name: "a", Type: "mapping", Text: "above"}, spec.Key{Name: "a.b", Type: "number"}, spec.Key{Name: "a.b.c", Type: "number"}
	for name, row := range map[string]struct {
		keys []spec.Key
		want string // description of the mapping
	}{
		"parent first":           {[]spec.Key{parent, child, deep}, "above"},
		"parent last":            {[]spec.Key{deep, child, parent}, "above"},
		"no parent":              {[]spec.Key{child, deep}, ""},
		"no parent but the last": {[]spec.Key{deep}, ""},
		"parent of the settings": {[]spec.Key{{Name: "a", By: spec.BySettings}, child, deep}, ""},
	} {
		above := keysSchema(row.keys).Properties["a"]
		assert.Equal(t, row.want, above.Description, "%s", name)
		assert.NotZero(t, above.Properties["b"].Properties["c"], "%s", name)
	}
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

// TestSchemas_valid validates what each command prints in a project with a spec that has landed, one that has failed, and one
// that waits.
func TestSchemas_valid(t *testing.T) {
	t.Parallel()
	dir, environ := emptyProject(t), append(os.Environ(), "EDITOR=true", "VISUAL=", "XDG_CONFIG_HOME="+t.TempDir(), "SPECIFY_FEATURE_DIRECTORY=specs/001-user")
	run := func(args ...string) (stdout, stderr string) {
		t.Helper()
		var out, errs strings.Builder
		code := Main(t.Context(), args, Env{In: strings.NewReader(""), Out: &out, Err: &errs, Dir: dir, Environ: environ})
		assert.NotEqual(t, 1, code, "chant %q: %s", args, errs.String())
		assert.NotEqual(t, 2, code, "chant %q: %s", args, errs.String())
		return out.String(), errs.String()
	}
	const shell = "## Script\n\n```sh\n%s\n```\n\n## Acceptance Criteria\n\n- [ ] is there `$ test -f x.txt`\n"
	for name, text := range map[string]string{
		".chant/specs/landed.md": fmt.Sprintf(shell, "echo x > x.txt"), ".chant/specs/failing.md": fmt.Sprintf(shell, "exit 3"),
		".chant/specs/later.md": fmt.Sprintf(shell, "echo x > x.txt; echo y > y.txt"), ".chant/specs/boxed.md": "## Acceptance Criteria\n\n- [ ] A person agrees\n",
		"specs/001-user/spec.md": "# Feature Specification: Users\n\n## Success Criteria\n\n- **SC-001**: People are found.\n", "specs/001-user/tasks.md": "- [ ] T001 Begin\n",
		".chant/providers/planner.md": "---\ncommand: echo\nargs: ['{\"specs\": [{\"title\": \"Greet\", \"criteria\": [{\"text\": \"it is there\", \"command\": \"test -f greet\"}]}]}']\nprompt: stdin\nevents: lines\n---\n",
		".rstn/hooks.yaml":            "hooks:\n  test:\n    command: echo ok\n", ".tasks/AUTH/1.yml": "title: From lotar\n", "main.go": "package main\n\nfunc main() {}\n",
		".beads/issues.jsonl": `{"id":"bd-1","title":"From beads","status":"open","priority":2,"issue_type":"task","created_at":"2026-01-02T00:00:00Z","updated_at":"2026-01-02T00:00:00Z"}`,
	} {
		if strings.HasPrefix(name, ".chant/specs") {
			text = "---\nstatus: pending\nlabels: [api]\npriority: high\n---\n# Title\n\n" + text
		}
		enginetest.Write(t, dir, name, text)
	}
	run("add", "Write docs", "--depends-on", "failing", "--needs-approval", "--json")
	checked := map[string]bool{}
	for _, row := range [][2]string{
		{"add", "add Other --criterion holds"}, {"work", "work landed"}, {"work", "work failing"}, {"work", "work later --no-merge"}, {"merge --all", "merge --all --dry-run"}, {"queue", "queue"}, {"queue hold", "queue hold"}, {"queue resume", "queue resume"}, {"merge", "merge later"},
		{"list", "list"}, {"ready", "ready"}, {"show", "show landed"}, {"status", "status"}, {"search", "search docs"}, {"board", "board"},
		{"diff", "diff landed"}, {"deps", "deps failing"}, {"diagnose", "diagnose failing"}, {"log", "log failing"}, {"dag", "dag"},
		{"activity", "activity"}, {"stats", "stats"}, {"work list", "work list"}, {"worktree status", "worktree status"}, {"cleanup", "cleanup --dry-run"},
		{"undo --list", "undo --list"}, {"plan", "plan Greet --provider planner"}, {"plan list", "plan list"}, {"verify", "verify landed failing --no-write"}, {"verify ID", "verify landed --no-write"}, {"drift", "drift"},
		{"lint", "lint"}, {"ci", "ci"}, {"hooks status", "hooks status"}, {"config", "config"}, {"config --validate", "config --validate"}, {"converge", "converge landed"},
		{"review (steps)", "review landed"}, {"review", "review boxed --comment why"}, {"version", "version"}, {"doctor", "doctor"}, {"deinit", "deinit --dry-run"}, {"cache", "cache"}, {"guide", "guide"}, {"guide TOPIC", "guide specs"},
		{"template list", "template list"}, {"prompt list", "prompt list"}, {"prompt show", "prompt show standard"}, {"prompt render", "prompt render failing"}, {"prep", "prep failing"},
		{"key init", "key init"}, {"key trust", "key trust"}, {"key list", "key list"}, {"ask", "ask Which?"}, {"answer (open questions)", "answer"}, {"open", "open landed"},
		{"task list", "task list"}, {"whoami", "whoami"}, {"watch status", "watch status"}, {"watch", "watch --once"}, {"derive", "derive --all --dry-run"},
		{"check", "check boxed 1"}, {"update", "update boxed --label x"}, {"edit", "edit boxed"}, {"reject", "reject boxed --reason why"}, {"approve", "approve 001"},
		{"takeover", "takeover failing"}, {"pause", "pause failing"}, {"finalize", "finalize failing"},
		{"reset", "reset failing"}, {"cancel", "cancel failing"}, {"cancel --delete", "cancel boxed --delete"}, {"undo", "undo --yes"},
		{"export", "export"}, {"archive (all)", "archive --older-than 30d --dry-run"}, {"archive", "archive landed"},
		{"task create", "task create Plan --project AUTH"}, {"task create", "task create Second --project AUTH"}, {"task show", "task show AUTH-1"}, {"task update", "task update AUTH-1 --priority high"},
		{"task comment", "task comment AUTH-1 -m hello"}, {"task comment --index", "task comment AUTH-1 --index 0 -m Hello"}, {"task reference", "task reference add link https://example.com AUTH-1"}, {"task delete", "task delete AUTH-2"},
		{"task projects", "task projects"}, {"task config set", "task config set default_priority=High"}, {"task import", "task import --dry-run"}, {"import", "import beads .beads/issues.jsonl"},
		{"sprint create", "sprint create Search"}, {"sprint add", "sprint add AUTH-1 --to 1"}, {"sprint start", "sprint start 1"}, {"sprint list", "sprint list"}, {"sprint show", "sprint show 1"},
		{"sprint update", "sprint update 1 --goal find"}, {"sprint summary", "sprint summary 1"}, {"sprint burndown", "sprint burndown 1"}, {"sprint backlog", "sprint backlog"},
		{"sprint velocity", "sprint velocity"}, {"sprint remove", "sprint remove AUTH-1 --from 1"}, {"sprint close", "sprint close 1"}, {"sprint delete", "sprint delete 1"},
		{"feature", "feature"}, {"feature state", "feature state"}, {"feature report", "feature report completed"}, {"feature read", "feature read spec"}, {"feature tasks", "feature tasks"},
		{"feature done", "feature done T001"}, {"adopt", "adopt"}, {"hook list", "hook list"}, {"hook run", "hook run test"},
		{"index", "index"}, {"code", "code main"}, {"docs", "docs begin"}, {"research", "research main"},
		{"command new", "command new go review package --description Review"}, {"command list", "command list"}, {"command search", "command search review"},
		{"command show", "command show go review package"}, {"command run", "command run go review package"}, {"command registry", "command registry"},
		{"site init", "site init"}, {"site build", "site build"},
	} {
		name, line := row[0], row[1]
		checked[name] = true
		out, errs := run(append(strings.Fields(line), "--json")...)
		validate(t, name, line, out, errs)
	}
	for _, name := range schemaNames() {
		// Stories and tests of e2e validate these, and TestSchemas_written what people write.
		elsewhere := slices.Contains([]string{"error", "events", "front-matter", "settings", "plan-answer", "plan show", "plan accept", "plan drop", "plan resume", "plan revise", "plan change", "demo", "export --format json", "init", "prove", "split", "work --all", "template show", "answer", "work --detach", "watch start", "watch stop", "queue eject", "queue first"}, name) || strings.HasPrefix(name, "fleet ")
		assert.NotEqual(t, checked[name], elsewhere, "schema %q", name)
	}
}

// validate checks what a command line has printed, and that it follows its schema.
func validate(t *testing.T, name, line, out, errs string) {
	t.Helper()
	schema, err := schemaOf(name)
	assert.NoError(t, err, "%s", name)
	resolved, err := schema.Resolve(nil)
	assert.NoError(t, err, "%s", name)
	var printed any
	if err := json.Unmarshal([]byte(out), &printed); err != nil {
		t.Errorf("chant %s --json: %s\n%s%s", line, err, out, errs)
		return
	}
	if err := resolved.Validate(printed); err != nil {
		t.Errorf("chant %s --json: %s\n%s", line, err, out)
	}
}

// TestSchemas_written checks that the schemas of what people write accept the examples of the manual, and that each word that
// a setting may be is one that is read.
func TestSchemas_written(t *testing.T) {
	t.Parallel()
	check := func(name, text string) error {
		s, err := schemaOf(name)
		assert.NoError(t, err)
		resolved, err := s.Resolve(nil)
		assert.NoError(t, err)
		var value any
		assert.NoError(t, yaml.Unmarshal([]byte(text), &value))
		// The validator knows the values of JSON.
		text2, err := json.Marshal(value)
		assert.NoError(t, err)
		assert.NoError(t, json.Unmarshal(text2, &value))
		return resolved.Validate(value)
	}
	manual := pages(t)
	settings := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(manual["cmd/guide/settings.md"])[1]
	assert.NoError(t, check("settings", settings))
	specs := regexp.MustCompile("(?s)````markdown \\.chant/specs\\S+\n---\n(.*?)---\n").FindAllStringSubmatch(manual["cmd/guide/specs.md"], -1)
	assert.Equal(t, 3, len(specs))
	for _, found := range specs {
		assert.NoError(t, check("front-matter", found[1]), "%s", found[1])
	}
	for _, row := range [][2]string{
		{"front-matter", "status: done"}, {"front-matter", "priority: urgent"}, {"front-matter", "limits: 5"}, {"front-matter", "depends_on: {a: b}"}, {"settings", "worktree: {copy: {a: b}}"}, {"front-matter", "approval: {required: maybe}"},
		{"front-matter", "verify: {commands: [{network: none}]}"}, {"front-matter", "type: {a: b}"}, {"settings", "parallel: {max_concurrent: many}"}, {"settings", "retry: soon"},
		{"settings", "verify: {red_first: maybe}"}, {"settings", "tasks: {statuses: {Doing: done}}"}, {"settings", "lint: {severity: {title: fatal}}"},
	} {
		assert.Error(t, check(row[0], row[1]), "%s", row[1])
	}
	words := 0
	var walk func(s *jsonschema.Schema, before, after string)
	walk = func(s *jsonschema.Schema, before, after string) {
		tried := slices.Clone(s.Enum)
		if len(tried) > 0 {
			tried[len(tried)-1] = "nonsense" // instead of null
		}
		for _, word := range tried {
			words++
			err := new(config.Config).Read(fmt.Appendf(nil, "---\n%s%s%s\n---\n", before, word, after), t.TempDir())
			refused := err != nil && strings.Contains(err.Error(), fmt.Sprintf("%q", word))
			assert.Equal(t, word == "nonsense", refused, "%s%s%s: %v", before, word, after, err)
		}
		for name, member := range s.Properties {
			walk(member, before+"{"+name+": ", "}"+after)
		}
		if s.AdditionalProperties != nil {
			walk(s.AdditionalProperties, before+"{any: ", "}"+after)
		}
	}
	walk(settingsSchema(), "", "")
	assert.True(t, words >= 40, "only %d words", words)
}
