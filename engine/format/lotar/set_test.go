package lotar

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"go.yaml.in/yaml/v3"
)

func TestSet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		have, want string
		values     map[string]string
	}{
		"no file": {"", "default:\n  reporter: ada\n", map[string]string{"default_reporter": "@ada"}},
		"in its section": {
			"# top\ndefault: # of all\n  # who\n  reporter: ada   # her\n\n  tags: [a]\n# below\nother: 1\n",
			"# top\ndefault: # of all\n  # who\n  reporter: bob   # her\n\n  tags: [a]\n  priority: High\n# below\nother: 1\n",
			map[string]string{"default_reporter": "bob", "default_priority": "High"},
		},
		"with dots": {"default.reporter: ada # x\n", "default.reporter: bob # x\nissue.states:\n- A\n- B\n", map[string]string{"default_reporter": "bob", "issue_states": "A,B"}},
		"flat":      {"default_reporter: ada\n", "default_reporter: bob\nauto_identity: false\nstrict_members: true\n", map[string]string{"default.reporter": "bob", "strict_members": "TRUE", "auto_identity": "false"}},
		"a list": {
			"issue:\n  states:\n    # first\n    - A\n  types: [x] # keep\n", "issue:\n  states:\n    # first\n    - A\n  types: [p, q] # keep\n",
			map[string]string{"issue_types": `["p", "q"]`},
		},
		"a list with values":           {"issue_types: {values: [a]} # x\n", "issue_types: {values: [b]} # x\n", map[string]string{"issue_types": "b"}},
		"aliases":                      {"a: 1\n", "a: 1\nbranch:\n  type_aliases:\n    spike: Chore\n", map[string]string{"branch_type_aliases": "Spike=Chore"}},
		"removed":                      {"default:\n  reporter: ada\n  # c\n  assignee: bob\n", "default:\n  # c\n  assignee: bob\n", map[string]string{"default_reporter": ""}},
		"the last one":                 {"default:\n  reporter: ada\nother: 1\n", "other: 1\n", map[string]string{"default_reporter": ""}},
		"the last one, with a comment": {"default:\n  # c\n  reporter: ada\nother: 1\n", "default:\n  # c\nother: 1\n", map[string]string{"default_reporter": ""}},
		"absent":                       {"other: 1\n", "other: 1\n", map[string]string{"default_reporter": ""}},
		"after a marker":               {"# x\n---\ndefault:\n  reporter: ada\n", "# x\n---\ndefault:\n  reporter: bob\n", map[string]string{"default_reporter": "bob"}},
		"only comments":                {"# x\n", "# x\nserver:\n  port: 9000\n", map[string]string{"server_port": "9000"}},
		"without line end":             {"other: 1", "other: 1\nserver:\n  port: 9000\n", map[string]string{"server_port": "9000"}},
		"carriage returns":             {"default:\r\n  reporter: ada\r\n", "default:\r\n  reporter: bob\r\n", map[string]string{"default_reporter": "bob"}},
		"a block of text":              {"default:\n  note: |\n    a\n\n     b\n  reporter: ada\n", "default:\n  note: |\n    a\n\n     b\n  reporter: bob\n", map[string]string{"default_reporter": "bob"}},
		"in both spellings":            {"default:\n  reporter: ada\ndefault_reporter: ada\n", "default:\n  reporter: bob\ndefault_reporter: bob\n", map[string]string{"default_reporter": "bob"}},
		"in flow style":                {"default: {reporter: ada, tags: [a]} # c\n", "default: {reporter: bob, tags: [a]} # c\n", map[string]string{"default_reporter": "bob"}},
		"without a value":              {"default:\nother: 1\n", "default:\n  reporter: bob\nother: 1\n", map[string]string{"default_reporter": "bob"}},
		"sprints":                      {"sprints:\n  defaults:\n    length: 2w\n", "sprints:\n  defaults:\n    length: 2w\n    capacity_points: 20\n", map[string]string{"sprints_defaults_capacity_points": "20"}},
		"free":                         {"", "sync:\n  jira:\n    url: x\n", map[string]string{"sync_jira": `{"url": "x"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			if c.have != "" {
				write(t, root, map[string]string{"config.yml": c.have})
			}
			ch, err := OpenPlain(root).Set(c.values, true, "")
			assert.NoError(t, err)
			at := filepath.Join(root, "config.yml")
			got, changed := ch.Files[at]
			if !changed {
				got, _ = os.ReadFile(at)
			}
			assert.Equal(t, c.want, string(got))
			assert.Equal(t, c.have != c.want, changed)
			assert.True(t, len(ch.Files) <= 1, "got\n%s\nwant\n%s", got, c.want)
		})
	}
}

func TestSet_project(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, map[string]string{
		"config.yml": "default: {reporter: ada}\nissue: {types: [Bug, Task]}\n", "AUTH/config.yml": "project:\n  name: Auth\ndefault_reporter: bob\nissue.types: [X]\n",
	})
	w := OpenPlain(root)
	ch, err := w.Set(map[string]string{"default_reporter": "ada", "issue_types": "Bug, Task"}, false, "auth")
	got := string(ch.Files[filepath.Join(root, "AUTH", "config.yml")])
	assert.NoError(t, err, "values of the directory: %v", ch.Info)
	assert.Equal(t, "project:\n  name: Auth\n", got, "values of the directory: %v", ch.Info)
	assert.Equal(t, 2, len(ch.Info), "values of the directory: %v", ch.Info)
	ch, err = w.Set(map[string]string{"project_name": "Web Shop"}, false, "WEB")
	got = string(ch.Files[filepath.Join(root, "WEB", "config.yml")])
	assert.NoError(t, err, "a new project")
	assert.Equal(t, "project:\n  name: Web Shop\n", got, "a new project")
}

func TestSet_refuses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 101)
	for _, c := range []struct {
		key, value, want string
		project          string
	}{
		{"nonsense", "x", "Invalid field 'nonsense'", ""},
		{"default_reportr", "x", "Invalid field 'default_reportr' (did you mean default_reporter?)", ""},
		{"", "x", "Invalid field ''", ""},
		{"server_port", "0", `"0" is not a whole number from 1 to 65535`, ""},
		{"server_port", "80", "can only be set globally", "AUTH"},
		{"default_project", "X", "can only be set globally", "AUTH"},
		{"project_name", "X", "can only be set for a project", ""},
		{"default_project", "a b", "invalid project prefix", ""},
		{"default_project", "@x", "reserved", ""},
		{"default_reporter", long, "longer than 100", ""},
		{"members", long, "longer than 100", ""},
		{"tags", long[:51], "longer than 50", ""},
		{"tags", `["a", 1]`, "is not a list of texts", ""},
		{"strict_members", "maybe", `"maybe" is not true or false`, ""},
		{"issue_states", "", "the list cannot be empty", ""},
		{"issue_states", " , ", "the list cannot be empty", ""},
		{"custom_fields", "a, Status", `"Status" is a field of every task`, ""},
		{"sprints_defaults_capacity_points", "-1", "is not a whole number from 0", ""},
		{"attachments_max_upload_mb", "-2", "is not a whole number from -1", ""},
		{"branch_type_aliases", "a", `"a" is not an alias`, ""},
		{"branch_type_aliases", "{", "is not a mapping", ""},
		{"default_status", "a\nb", "one line", ""},
		{"tags", "x", "invalid project prefix", "../x"},
	} {
		root := t.TempDir()
		ch, err := OpenPlain(root).Set(map[string]string{"auto_identity": "true", c.key: c.value}, c.project == "", c.project)
		refused, ok := errors.AsType[*ConfigError](err)
		if !ok || !strings.Contains(err.Error(), c.want) || ch.Files != nil {
			t.Errorf("%s=%.20q: %v, want %s", c.key, c.value, err, c.want)
			continue
		}
		fault := refused.Fault()
		assert.Equal(t, -32002, fault.Code)
		assert.Equal(t, "Config set failed", fault.Message)
		assert.True(t, fault.Data["message"] == err.Error(), "the fault is %+v", fault)
	}
	_, err := OpenPlain(t.TempDir()).Set(map[string]string{"tags": "x"}, false, "")
	assert.Error(t, err, "no project is accepted")
	root := t.TempDir()
	write(t, root, map[string]string{"config.yml": "a: [\n"})
	_, err = OpenPlain(root).Set(map[string]string{"tags": "x"}, true, "")
	assert.Error(t, err, "a broken file")
	assert.Contains(t, err.Error(), "config.yml:", "a broken file")
}

func TestSet_warns(t *testing.T) {
	t.Parallel()
	for key, c := range map[string]struct{ value, want string }{
		"server_port":             {"80", "ports below 1024"},
		"default_project":         {"LONGPREFIXES1", "is long"},
		"default_status":          {"Nowhere", "is not one of the statuses Todo, InProgress"},
		"default_priority":        {"Urgent", "is not one of the priorities Low"},
		"tags":                    {"a,b,a", "appear twice"},
		"strict_members":          {"true", "every assignment is refused"},
		"scan_ticket_patterns":    {"(", "not a valid regular expression"},
		"sprints_defaults_length": {"soon", "is not a length"},
	} {
		ch, err := OpenPlain(t.TempDir()).Set(map[string]string{key: c.value}, true, "")
		assert.NoError(t, err, "%s", key)
		assert.Equal(t, 1, len(ch.Warnings), "%s", key)
		assert.Contains(t, ch.Warnings[0], c.want, "%s", key)
	}
	ch, err := OpenPlain(t.TempDir()).Set(map[string]string{"default_status": "open", "issue_states": "Open,Shut", "default_reporter": "@me"}, true, "")
	assert.NoError(t, err, "%v", ch.Warnings)
	assert.Zero(t, ch.Warnings)
}

// FuzzSetIn checks that an edit changes one value and keeps all comments.
func FuzzSetIn(f *testing.F) {
	f.Add([]byte("# a\ndefault: # b\n  # c\n  reporter: ada # d\n  tags: [x]\nother: 1\n"), "default.reporter", "bob")
	f.Add([]byte("default: {a: 1}\n"), "default.reporter", "x: y")
	f.Add([]byte("default:\n- a\n"), "issue.states", "")
	f.Fuzz(func(t *testing.T, src []byte, path, value string) {
		before, err := parseLayer("c.yml", src)
		keys := strings.Split(path, ".")
		if err != nil || slices.Contains(keys, "") || len(keys) > 3 {
			return
		}
		var set any
		if value != "" {
			set = value
		}
		out, err := setIn("c.yml", src, keys, set)
		if err != nil {
			return
		}
		after, err := parseLayer("c.yml", out)
		assert.NoError(t, err, "%q with %q in %q is %q", src, value, path, out)
		for _, name := range slices.Sorted(maps.Keys(before.values)) {
			same := func(place []string) bool {
				n := min(len(place), len(keys))
				return slices.Equal(place[:n], keys[:n])
			}
			if slices.ContainsFunc(before.places[name], same) {
				continue
			}
			a, _ := yaml.Marshal(before.values[name])
			b, _ := yaml.Marshal(after.values[name])
			assert.Equal(t, string(b), string(a), "%q with %q in %q is %q: %s changed", src, value, path, out, name)
		}
	})
}
