package lotar

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec/task"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// write writes files below a folder; a name that ends with a slash is a folder.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			at = filepath.Join(at, "x")
		}
		assert.NoError(t, os.MkdirAll(filepath.Dir(at), 0o777))
		if strings.HasSuffix(name, "/") {
			continue
		}
		assert.NoError(t, os.WriteFile(at, []byte(text), 0o666))
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files   map[string]string
		dir     string
		environ []string // with $T for the folder of the test
		want    string
		own     bool
	}{
		"none":                      {map[string]string{"p/sub/": ""}, "p/sub", nil, "p/.chant/tasks", true},
		"nearest parent":            {map[string]string{".tasks/config.yml": "", "p/.tasks/config.yml": "", "p/a/b/": ""}, "p/a/b", nil, "p/.tasks", false},
		"without config, in folder": {map[string]string{"p/.tasks/AUTH/": ""}, "p", nil, "p/.tasks", false},
		"without config, in home":   {map[string]string{"p/.tasks/AUTH/": "", "p/a/": ""}, "p/a", nil, "p/.tasks", false},
		"absolute":                  {map[string]string{"p/.tasks/config.yml": ""}, "p", []string{"LOTAR_TASKS_DIR=$T/x/t"}, "x/t", false},
		"simple name in a parent":   {map[string]string{"plan/": "", "p/": ""}, "p", []string{"LOTAR_TASKS_DIR=plan"}, "plan", false},
		"simple name of no folder":  {map[string]string{"p/": ""}, "p", []string{"LOTAR_TASKS_DIR=no-such-folder"}, "p/no-such-folder", false},
		"relative":                  {map[string]string{"p/": ""}, "p", []string{"LOTAR_TASKS_DIR=../q/t"}, "q/t", false},
		"ignored": {map[string]string{"p/.tasks/config.yml": ""}, "p",
			[]string{"LOTAR_TASKS_DIR=$T/x", "LOTAR_IGNORE_ENV_TASKS_DIR=1"}, "p/.tasks", false},
		"of a test": {map[string]string{"p/.tasks/config.yml": ""}, "p", []string{"LOTAR_TASKS_DIR=$T/x", "LOTAR_TEST_MODE=1"}, "p/.tasks", false},
		"of the person": {map[string]string{"p/.work/config.yml": "", "p/.tasks/config.yml": "", "home/.lotar": "tasks_folder: .work\n"}, "p",
			[]string{"HOME=$T/home"}, "p/.work", false},
		"of the person, absolute": {map[string]string{"p/.tasks/config.yml": "", "home/.lotar": "tasks_folder: ~/t\n"}, "p",
			[]string{"HOME=$T/home"}, "home/t", false},
		"of the person, not here": {map[string]string{"p/.tasks/config.yml": "", "home/.lotar": "tasks_folder: .work\n"}, "p",
			[]string{"HOME=$T/home"}, "p/.tasks", false},
		"LOTAR_HOME": {map[string]string{"p/.work/config.yml": "", "l/config.yml": "tasks_folder: .work\n"}, "p",
			[]string{"HOME=$T/home", "LOTAR_HOME=$T/l"}, "p/.work", false},
		"person ignored": {map[string]string{"p/.work/config.yml": "", "home/.lotar": "tasks_folder: .work\n", "p/.tasks/": ""}, "p",
			[]string{"HOME=$T/home", "LOTAR_IGNORE_HOME_CONFIG=1"}, "p/.tasks", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			write(t, root, c.files)
			var environ []string
			for _, v := range c.environ {
				environ = append(environ, strings.ReplaceAll(v, "$T", root))
			}
			w, err := Find(filepath.Join(root, filepath.FromSlash(c.dir)), environ, filepath.Join(root, "p"))
			assert.NoError(t, err, "found %q", c.want)
			assert.Equal(t, filepath.Join(root, filepath.FromSlash(c.want)), w.Dir, "found %q", c.want)
			assert.Equal(t, c.own, w.Own, "found %q", c.want)
		})
	}
}

func TestFind_broken(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, map[string]string{"file": "", "home/.lotar": "a: [\n"})
	if _, err := Find(root, []string{"LOTAR_TASKS_DIR=" + filepath.Join(root, "file")}, root); err == nil || !strings.Contains(err.Error(), "is not a folder") {
		t.Errorf("a file as directory: %v", err)
	}
	_, err := Find(root, []string{"HOME=" + filepath.Join(root, "home")}, root)
	broken, ok := errors.AsType[*markdown.SyntaxError](err)
	assert.True(t, ok, "broken settings of the person: %v", err)
	assert.True(t, broken.Line >= 1, "broken settings of the person: %v", err)
}

func TestSettings_spellings(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]string{
		"nested": "default:\n  project: AUTH\n  reporter: ada\n  tags: [a, b]\nissue:\n  states: [Open, Doing, Shut]\n  tags: [x]\nauto:\n  identity: false\n" +
			"branch:\n  type_aliases: {spike: Chore}\nsprints:\n  defaults: {capacity_points: 20, length: 2w}\nstrict_members: true\nmembers: [ada]\ncustom: {fields: [f]}\n",
		"dotted": "default.project: AUTH\ndefault.reporter: ada\ndefault.tags: [a, b]\nissue.states: [Open, Doing, Shut]\nissue.tags: [x]\nauto.identity: false\n" +
			"branch.type_aliases: {spike: Chore}\nsprints.defaults.capacity_points: 20\nsprints.defaults.length: 2w\nmembers: [ada]\nstrict_members: yes\ncustom.fields: f\n",
		"flat": "default_project: AUTH\ndefault_reporter: ada\ndefault_tags: a, b\nissue_states: {values: [Open, Doing, Shut]}\ntags: {values: [x]}\nauto_identity: false\n" +
			"branch_type_aliases: spike=Chore\nsprints_defaults_capacity_points: 20\nsprints_defaults_length: 2w\nmembers: ada\nstrict_members: TRUE\ncustom_fields: [f]\n",
		"mixed": "default:\n  project: AUTH\ndefault.reporter: ada\ndefault_tags: [a, b]\nissue:\n  states:\n    values: [Open, Doing, Shut]\ntags: [x]\nauto: {identity: false}\n" +
			"branch: {type_aliases: {spike: Chore}}\nsprint:\n  defaults: {capacity_points: 20, length: 2w}\nmembers: [ada, ada, '']\nstrict_members: on\ncustom-fields: [f]\n",
	} {
		root := t.TempDir()
		write(t, root, map[string]string{"config.yml": config})
		st, err := OpenPlain(root).Settings("", "repo", nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := task.Defaults(true)
		want.Project, want.DefaultProject, want.DefaultReporter = "AUTH", "AUTH", "ada"
		want.DefaultTags, want.Statuses, want.Tags = []string{"a", "b"}, []string{"Open", "Doing", "Shut"}, []string{"x"}
		want.Auto.Identity, want.Members, want.StrictMembers, want.CustomFields = false, []string{"ada"}, true, []string{"f"}
		points := 20
		want.BranchTypes = map[string]string{"spike": "Chore"}
		want.Sprint.CapacityPoints, want.Sprint.Length = &points, "2w"
		want.Raw = map[string]any{}
		assert.Equal(t, want, st, "%s:", name)
	}
}

func TestSettings_layers(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, map[string]string{
		"t/config.yml":      "default: {reporter: global, priority: Low, assignee: global}\nserver: {port: 9000}\nsync: {jira: {url: u, token_env: T}}\nother: {a: 1}\n",
		"t/AUTH/config.yml": "project: {name: Auth Service}\ndefault: {reporter: project, tags: []}\nserver_port: 1\ndefault_project: X\nissue: {states: [A, B]}\n",
		"t/WEB/1.yml":       "title: x\n", "t/EMPTY/": "", "t/@sprints/1.yml": "", "t/.git/config.yml": "", "t/sprints/config.yml": "", "t/notes.yml": "",
		"home/.lotar": "default_reporter: person\ndefault.assignee: person\n",
	})
	environ := []string{"HOME=" + filepath.Join(root, "home"), "LOTAR_TASKS_DIR=" + filepath.Join(root, "t")}
	for _, c := range []struct {
		project, variable, reporter, assignee, resolved string
	}{
		{"WEB", "", "person", "person", "WEB"},
		{"WEB", "env", "env", "person", "WEB"},
		{"auth", "env", "project", "person", "AUTH"},
		{"auth service", "", "project", "person", "AUTH"},
		{"UNKNOWN", "", "person", "person", "UNKNOWN"},
		{"../../home", "", "person", "person", "../../home"},
		{"", "", "person", "person", "MR"},
	} {
		env := environ
		if c.variable != "" {
			env = append(slices.Clone(environ), "LOTAR_DEFAULT_REPORTER="+c.variable)
		}
		w, err := Find(root, env, root)
		assert.NoError(t, err)
		st, err := w.Settings(c.project, "my-repo", env)
		assert.NoError(t, err, "%q", c.project)
		assert.Equal(t, c.reporter, st.DefaultReporter, "%q", c.project)
		assert.Equal(t, c.assignee, st.DefaultAssignee, "%q", c.project)
		assert.Equal(t, c.resolved, st.Project, "%q", c.project)
		assert.Equal(t, "Low", st.DefaultPriority, "%q", c.project)
		assert.Equal(t, []task.Project{{Name: "Auth Service", Prefix: "AUTH"}, {Name: "WEB", Prefix: "WEB"}}, st.Projects)
		assert.Equal(t, slices.Equal(st.Statuses, []string{"A", "B"}), c.resolved == "AUTH", "%q: statuses", c.project)
		assert.True(t, st.Raw["other_a"] == 1, "%q: statuses %v, other keys %v", c.project, st.Statuses, st.Raw)
		assert.True(t, st.Raw["server_port"] == 9000, "%q: statuses %v, other keys %v", c.project, st.Statuses, st.Raw)
	}
	w, err := Find(root, environ, root)
	assert.NoError(t, err)
	shown, err := w.Show("AUTH", false, "my-repo")
	assert.NoError(t, err)
	assert.True(t, shown["default_reporter"] == "project", "shown: %v, %v", err, shown)
	assert.True(t, shown["server_port"] == 9000, "shown: %v, %v", err, shown)
	assert.True(t, reflect.DeepEqual(shown["sync_jira"], map[string]any{"url": "u"}), "shown: %v, %v", err, shown)
	assert.True(t, shown["auto_identity"] == true, "shown: %v, %v", err, shown)
	shown, err = w.Show("AUTH", true, "my-repo")
	assert.NoError(t, err)
	assert.True(t, shown["default_reporter"] == "person", "shown: %v, %v", err, shown)
	assert.True(t, reflect.DeepEqual(shown["issue_states"], map[string]any{"values": []string{"Todo", "InProgress", "NeedsReview", "Done"}}), "shown: %v, %v", err, shown)
}

func TestSettings_own(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	w := Workspace{Dir: filepath.Join(root, "none"), Own: true}
	st, err := w.Settings("", "my-repo", nil)
	assert.NoError(t, err)
	assert.False(t, st.Workspace, "%v, %+v", err, st)
	assert.Equal(t, "MR", st.Project)
	assert.SliceContains(t, st.Statuses, "pending")
	write(t, root, map[string]string{"none/config.yml": "issue_states: [A, B]\n"})
	st, err = w.Settings("", "my-repo", nil)
	assert.NoError(t, err)
	assert.True(t, st.Workspace, "%v, %+v", err, st)
	assert.Equal(t, []string{"A", "B"}, st.Statuses)
}

func TestSettings_broken(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		"a: [\n":                                       "config.yml:",
		"a: 1\nmembers: {a: b}\n":                      "config.yml:2: members: a mapping is not a list",
		"- a\n":                                        "config.yml:1: the file is not a mapping",
		"\nauto:\n  identity: maybe\n":                 `config.yml:3: auto_identity: "maybe" is not true or false`,
		"default: {reporter: [a]}\n":                   "config.yml:1: default_reporter: a list or a mapping",
		"issue:\n  states: [[a]]\n":                    "config.yml:2: issue_states: an item is not a single text",
		"a: 1\nb: 2\na: 3\n":                           `config.yml:3: `,
		"branch:\n  type_aliases: [a]\n":               "config.yml:2: branch_type_aliases",
		"sprints: {defaults: {capacity_points: -1}}\n": `config.yml:1: sprints_defaults_capacity_points: "-1"`,
	} {
		root := t.TempDir()
		write(t, root, map[string]string{"config.yml": config})
		_, err := OpenPlain(root).Settings("", "repo", nil)
		_, ok := errors.AsType[*markdown.SyntaxError](err)
		assert.True(t, ok, "%q: %v, want %s", config, err, want)
		assert.Contains(t, err.Error(), want, "%q", config)
	}
}

func TestKeys_haveFields(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, s := range settings() {
		assert.False(t, names[s.name], "%v %v", s.name, s.path)
		assert.Equal(t, s.name, flatName(s.name))
		assert.Equal(t, s.name, flatName(s.path))
		names[s.name] = true
	}
	for _, other := range slices.Sorted(maps.Values(otherNames())) {
		assert.True(t, names[other], "%q is not a setting", other)
	}
}

func FuzzParseLayer(f *testing.F) {
	f.Add([]byte("default: {project: X}\nissue.states: [a, b]\n"))
	f.Add([]byte("a: &x [1]\nb: *x\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		l, err := parseLayer("config.yml", src)
		if err != nil {
			_, ok := errors.AsType[*markdown.SyntaxError](err)
			assert.True(t, ok, "%v has no line", err)
			return
		}
		st := task.Defaults(true)
		assert.False(t, (layers{l}).resolve(&st) == nil && len(st.Statuses) == 0, "there are no statuses")
		ShowSettings(&st)
	})
}

func BenchmarkSettings(b *testing.B) {
	root := b.TempDir()
	write(b, root, map[string]string{
		"config.yml":      "default: {reporter: global, priority: Low}\nissue: {states: [Todo, Doing, Done]}\nmembers: [ada, bob]\n",
		"AUTH/config.yml": "project: {name: Auth Service}\n", "AUTH/1.yml": "", "WEB/1.yml": "",
	})
	for b.Loop() {
		_, err := OpenPlain(root).Settings("AUTH", "repo", nil)
		assert.NoError(b, err)
	}
}

// TestSettings_ownFields: each key has a field of its own, which is that of its name for what chant fills in by itself; a
// list that cannot be empty keeps its defaults.
func TestSettings_ownFields(t *testing.T) {
	t.Parallel()
	var st task.Settings
	seen := map[any]string{}
	for _, s := range settings() {
		if s.into == nil {
			continue
		}
		other, twice := seen[s.into(&st)]
		assert.False(t, twice, "%s and %s have one field", s.name, other)
		seen[s.into(&st)] = s.name
	}
	root := t.TempDir()
	write(t, root, map[string]string{"config.yml": "issue: {states: [], types: ['']}\nauto: {set_reporter: false}\nmembers: []\n"})
	got, err := OpenPlain(root).Settings("", "repo", nil)
	want := task.Defaults(true)
	assert.NoError(t, err)
	assert.Equal(t, want.Statuses, got.Statuses)
	assert.Equal(t, want.Types, got.Types)
	assert.False(t, got.Auto.SetReporter, "%+v, %v", got, err)
	assert.True(t, got.Auto.Identity, "%+v, %v", got, err)
}
