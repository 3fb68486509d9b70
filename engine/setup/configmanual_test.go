package setup

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/config"
	"chant/engine/enginetest"

	"go.yaml.in/yaml/v3"
)

// The manual's page of settings has every key that is read.
func TestConfig_manualKeys(t *testing.T) {
	t.Parallel()
	block, page := manualSettings(t)
	for _, key := range otherSpellings()[:3] {
		if !strings.Contains(page, "`"+key+"`") {
			t.Errorf("the text does not name %q", key)
		}
	}
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(block), &root); err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	keysOf(&root, "", have)
	want := map[string]bool{}
	keysRead(reflect.TypeFor[config.Config](), "", want)
	for _, key := range []string{"limits.day.time", "verify.defaults.dir", "enterprise.derived.*.validate.type", "parallel.agents.weight"} {
		if !want[key] {
			t.Errorf("the walk misses %q", key)
		}
	}
	for key := range want {
		if !otherSpelling(key) && !shows(have, key) {
			t.Errorf("the page lacks %q", key)
		}
	}
}

// chant config prints every key that is read, where it says something. It names the commands of verify as a spec does and
// lists derived fields.
func TestConfig_showsEveryKey(t *testing.T) {
	t.Parallel()
	block, _ := manualSettings(t)
	_, dir := initialized(t)
	enginetest.Write(t, dir, ".chant/config.md", "---\n"+strings.Replace(block, "env: {}", "env: {CI: '1'}", 1)+"---\n")
	p, err := engine.Open(dir, engine.Options{Environ: []string{"PATH=/nowhere"}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Config(t.Context(), p, ConfigInput{})
	if err != nil {
		t.Fatal(err)
	}
	var root yaml.Node
	if err := root.Encode(r.Settings); err != nil {
		t.Fatal(err)
	}
	have, want := map[string]bool{}, map[string]bool{}
	keysOf(&root, "", have)
	keysRead(reflect.TypeFor[config.Config](), "", want)
	for key := range want {
		key = strings.Replace(key, "verify.defaults", "verify.commands", 1)
		if !otherSpelling(key) && !strings.HasPrefix(key, "enterprise.derived.*") && !shows(have, key) {
			t.Errorf("chant config does not print %q", key)
		}
	}
}

// otherSpelling reports whether a key is another way of writing a setting.
func otherSpelling(key string) bool {
	return slices.ContainsFunc(otherSpellings(), func(a string) bool { return key == a || strings.HasPrefix(key, a+".") })
}

// otherSpellings lists other ways of writing a key. The text of the manual names the first three, the rest have no place in
// a list of settings.
func otherSpellings() []string {
	return []string{"defaults.rotation_strategy", "watch.failure", "verify.commands", "verify.run", "verify.name", "verify.defaults.parallel"}
}

// shows reports whether the page has a key; a * stands for any name.
func shows(keys map[string]bool, want string) bool {
	form := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(want), `\*`, `.+`) + "$")
	for key := range keys {
		if form.MatchString(key) {
			return true
		}
	}
	return false
}

// What the page does not mark as an example is in force without a line of settings.
func TestConfig_manualDefaults(t *testing.T) {
	t.Parallel()
	block, _ := manualSettings(t)
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(block), &root); err != nil {
		t.Fatal(err)
	}
	dropExamples(&root, strings.Split(block, "\n"))
	rest, err := yaml.Marshal(&root)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(rest); strings.Contains(text, "coupling") || !strings.Contains(text, "poll_interval_ms") {
		t.Fatalf("not the settings without the examples:\n%s", text)
	}
	_, dir := initialized(t)
	enginetest.Write(t, dir, ".chant/config.md", "---\n---\n")
	usual := settingsIn(t, dir)
	enginetest.Write(t, dir, ".chant/config.md", "---\n"+string(rest)+"---\n")
	told := settingsIn(t, dir)
	delete(told, "providers") // the usual ones are the loop's own
	if !reflect.DeepEqual(told, usual) {
		t.Errorf("the page has\n%v\nand in force is\n%v", told, usual)
	}
}

// manualSettings are the settings that the manual shows, and the text about them.
func manualSettings(t *testing.T) (block, page string) {
	t.Helper()
	text, err := os.ReadFile("../../cmd/guide/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(text)
	if found == nil {
		t.Fatal("the manual shows no settings")
	}
	return string(found[1]), string(text)
}

// settingsIn are the settings in force in a project, of which only those that say something.
func settingsIn(t *testing.T, dir string) map[string]any {
	t.Helper()
	p, err := engine.Open(dir, engine.Options{Environ: []string{"PATH=/nowhere"}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Config(t.Context(), p, ConfigInput{})
	if err != nil {
		t.Fatal(err)
	}
	telling(r.Settings)
	return r.Settings
}

// telling drops from settings what says nothing.
func telling(settings map[string]any) {
	for key, value := range settings {
		inner, nested := value.(map[string]any)
		if nested {
			telling(inner)
		}
		list, _ := value.([]any)
		v := reflect.ValueOf(value)
		if value == "0" || value == "none" || nested && len(inner) == 0 || list != nil && len(list) == 0 || v.IsZero() {
			delete(settings, key)
		}
	}
}

// dropExamples takes out of a tree what stands on a line that is marked as an example.
func dropExamples(node *yaml.Node, lines []string) {
	example := func(n *yaml.Node) bool { return strings.Contains(lines[n.Line-1], "example") }
	step := 1
	if node.Kind == yaml.MappingNode {
		step = 2
	}
	var kept []*yaml.Node
	for i := 0; i+step <= len(node.Content); i += step {
		if node.Kind != yaml.DocumentNode && example(node.Content[i]) {
			continue
		}
		dropExamples(node.Content[i+step-1], lines)
		for _, n := range node.Content[i : i+step] {
			n.LineComment, n.HeadComment, n.FootComment = "", "", ""
			kept = append(kept, n)
		}
	}
	node.Content, node.Style = kept, 0
}

// keysOf lists the keys of a tree from the top, with dots; the items of a list share theirs.
func keysOf(node *yaml.Node, above string, into map[string]bool) {
	for i, n := range node.Content {
		switch {
		case node.Kind != yaml.MappingNode:
			keysOf(n, above, into)
		case i%2 == 1:
			key := strings.TrimPrefix(above+"."+node.Content[i-1].Value, ".")
			into[key] = true
			keysOf(n, key, into)
		}
	}
}

// keysRead lists the keys that are decoded into a type, likewise, with * for a key that
// anybody may choose.
func keysRead(t reflect.Type, above string, into map[string]bool) {
	if form, ok := config.Schema().Outlines[t]; ok {
		t = form
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		keysRead(t.Elem(), above, into)
	case reflect.Map:
		keysRead(t.Elem(), above+".*", into)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			name, rest, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			if strings.Contains(rest, "inline") {
				keysRead(f.Type, above, into)
				continue
			}
			if !f.IsExported() || name == "-" || t.PkgPath() == "regexp" {
				continue
			}
			if name == "" {
				name = strings.ToLower(f.Name)
			}
			key := strings.TrimPrefix(above+"."+name, ".")
			into[key] = true
			keysRead(f.Type, key, into)
		}
	}
}
