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
)

// write writes files below a folder; a name that ends with a slash is a folder.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			at = filepath.Join(at, "x")
		}
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			continue
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
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
			if err != nil || w.Dir != filepath.Join(root, filepath.FromSlash(c.want)) || w.Own != c.own {
				t.Errorf("found %q, %v, %v; want %q", w.Dir, w.Own, err, c.want)
			}
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
	if broken, ok := errors.AsType[*markdown.SyntaxError](err); !ok || broken.Line < 1 {
		t.Errorf("broken settings of the person: %v", err)
	}
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
		if !reflect.DeepEqual(st, want) {
			t.Errorf("%s:\n%+v, want\n%+v", name, st, want)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		st, err := w.Settings(c.project, "my-repo", env)
		if err != nil || st.DefaultReporter != c.reporter || st.DefaultAssignee != c.assignee || st.Project != c.resolved || st.DefaultPriority != "Low" {
			t.Errorf("%q: %v, %+v", c.project, err, st)
		}
		if want := []task.Project{{Name: "Auth Service", Prefix: "AUTH"}, {Name: "WEB", Prefix: "WEB"}}; !slices.Equal(st.Projects, want) {
			t.Errorf("the projects are %v", st.Projects)
		}
		if c.resolved == "AUTH" != slices.Equal(st.Statuses, []string{"A", "B"}) || st.Raw["other_a"] != 1 || st.Raw["server_port"] != 9000 {
			t.Errorf("%q: statuses %v, other keys %v", c.project, st.Statuses, st.Raw)
		}
	}
	w, err := Find(root, environ, root)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := w.Show("AUTH", false, "my-repo")
	if err != nil || shown["default_reporter"] != "project" || shown["server_port"] != 9000 || !reflect.DeepEqual(shown["sync_jira"], map[string]any{"url": "u"}) || shown["auto_identity"] != true {
		t.Errorf("shown: %v, %v", err, shown)
	}
	shown, err = w.Show("AUTH", true, "my-repo")
	if err != nil || shown["default_reporter"] != "person" || !reflect.DeepEqual(shown["issue_states"], map[string]any{"values": []string{"Todo", "InProgress", "NeedsReview", "Done"}}) {
		t.Errorf("shown: %v, %v", err, shown)
	}
}

func TestSettings_own(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	w := Workspace{Dir: filepath.Join(root, "none"), Own: true}
	st, err := w.Settings("", "my-repo", nil)
	if err != nil || st.Workspace || st.Project != "MR" || !slices.Contains(st.Statuses, "pending") {
		t.Errorf("%v, %+v", err, st)
	}
	write(t, root, map[string]string{"none/config.yml": "issue_states: [A, B]\n"})
	if st, err = w.Settings("", "my-repo", nil); err != nil || !st.Workspace || !slices.Equal(st.Statuses, []string{"A", "B"}) {
		t.Errorf("%v, %+v", err, st)
	}
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
		if _, ok := errors.AsType[*markdown.SyntaxError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", config, err, want)
		}
	}
}

func TestKeys_haveFields(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, s := range settings() {
		if names[s.name] || flatName(s.name) != s.name || flatName(s.path) != s.name {
			t.Errorf("%s (%s) has another flat form: %s, %s", s.name, s.path, flatName(s.name), flatName(s.path))
		}
		names[s.name] = true
	}
	for _, other := range slices.Sorted(maps.Values(otherNames())) {
		if !names[other] {
			t.Errorf("%q is not a setting", other)
		}
	}
}

func FuzzParseLayer(f *testing.F) {
	f.Add([]byte("default: {project: X}\nissue.states: [a, b]\n"))
	f.Add([]byte("a: &x [1]\nb: *x\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		l, err := parseLayer("config.yml", src)
		if err != nil {
			if _, ok := errors.AsType[*markdown.SyntaxError](err); !ok {
				t.Errorf("%v has no line", err)
			}
			return
		}
		st := task.Defaults(true)
		if err := (layers{l}).resolve(&st); err == nil && len(st.Statuses) == 0 {
			t.Error("there are no statuses")
		}
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
		if _, err := OpenPlain(root).Settings("AUTH", "repo", nil); err != nil {
			b.Fatal(err)
		}
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
		if other, twice := seen[s.into(&st)]; twice {
			t.Errorf("%s and %s have one field", s.name, other)
		}
		seen[s.into(&st)] = s.name
	}
	root := t.TempDir()
	write(t, root, map[string]string{"config.yml": "issue: {states: [], types: ['']}\nauto: {set_reporter: false}\nmembers: []\n"})
	got, err := OpenPlain(root).Settings("", "repo", nil)
	want := task.Defaults(true)
	if err != nil || !slices.Equal(got.Statuses, want.Statuses) || !slices.Equal(got.Types, want.Types) || got.Auto.SetReporter || !got.Auto.Identity {
		t.Errorf("%+v, %v", got, err)
	}
}
