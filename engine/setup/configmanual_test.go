package setup

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/store/config"

	"github.com/alecthomas/assert/v2"
	"go.yaml.in/yaml/v3"
)

// The manual's page about settings has every key that is read.
func TestConfig_manualKeys(t *testing.T) {
	t.Parallel()
	block, page := manualSettings(t)
	for _, key := range otherSpellings()[:3] {
		assert.Contains(t, page, "`"+key+"`", "the text does not name %q", key)
	}
	var root yaml.Node
	assert.NoError(t, yaml.Unmarshal([]byte(block), &root))
	have := map[string]bool{}
	keysOf(&root, "", have)
	want := map[string]bool{}
	keysRead(reflect.TypeFor[config.Config](), "", want)
	for _, key := range []string{"limits.day.time", "verify.defaults.dir", "enterprise.derived.*.validate.type", "parallel.agents.weight"} {
		assert.True(t, want[key], "the walk misses %q", key)
	}
	for key := range want {
		if !otherSpelling(key) && !shows(have, key) {
			t.Errorf("the page lacks %q", key)
		}
	}
}

// chant config prints every key that has a value. It names the commands of verify as a spec does and lists derived
// fields.
func TestConfig_showsEveryKey(t *testing.T) {
	t.Parallel()
	block, _ := manualSettings(t)
	_, dir := initialized(t)
	enginetest.Write(t, dir, ".chant/config.md", "---\n"+strings.Replace(block, "env: {}", "env: {CI: '1'}", 1)+"---\n")
	p, err := engine.Open(dir, engine.Options{Environ: []string{"PATH=/nowhere"}})
	assert.NoError(t, err)
	r, err := Config(t.Context(), p, ConfigInput{})
	assert.NoError(t, err)
	var root yaml.Node
	assert.NoError(t, root.Encode(r.Settings))
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

// otherSpelling reports whether a key is an alternative spelling of a setting.
func otherSpelling(key string) bool {
	return slices.ContainsFunc(otherSpellings(), func(a string) bool { return key == a || strings.HasPrefix(key, a+".") })
}

// otherSpellings lists alternative spellings of keys. The text of the manual mentions the first three; the rest are not
// in its list of settings.
func otherSpellings() []string {
	return []string{"defaults.rotation_strategy", "watch.failure", "verify.commands", "verify.run", "verify.name", "verify.defaults.parallel",
		"lint.thresholds.complexity_criteria", "lint.thresholds.complexity_files", "lint.thresholds.complexity_words"}
}

// shows reports whether the page has a key; a * matches any name.
func shows(keys map[string]bool, want string) bool {
	form := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(want), `\*`, `.+`) + "$")
	for key := range keys {
		if form.MatchString(key) {
			return true
		}
	}
	return false
}

// Values that the page does not mark as examples are the defaults.
func TestConfig_manualDefaults(t *testing.T) {
	t.Parallel()
	block, _ := manualSettings(t)
	var root yaml.Node
	assert.NoError(t, yaml.Unmarshal([]byte(block), &root))
	dropExamples(&root, strings.Split(block, "\n"))
	rest, err := yaml.Marshal(&root)
	assert.NoError(t, err)
	text := string(rest)
	assert.NotContains(t, text, "coupling", "not the settings without the examples:")
	assert.Contains(t, text, "poll_interval_ms", "not the settings without the examples:")
	_, dir := initialized(t)
	enginetest.Write(t, dir, ".chant/config.md", "---\n---\n")
	usual := settingsIn(t, dir)
	enginetest.Write(t, dir, ".chant/config.md", "---\n"+string(rest)+"---\n")
	shown := settingsIn(t, dir)
	delete(shown, "providers") // the defaults are those of the built-in loop
	assert.Equal(t, usual, shown, "the page has")
}

// manualSettings returns the settings in the manual, and the whole page.
func manualSettings(t *testing.T) (block, page string) {
	t.Helper()
	text, err := os.ReadFile("../../cmd/guide/settings.md")
	assert.NoError(t, err)
	found := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(text)
	assert.True(t, found != nil, "the manual shows no settings")
	return string(found[1]), string(text)
}

// settingsIn returns the settings in force in a project, without empty ones.
func settingsIn(t *testing.T, dir string) map[string]any {
	t.Helper()
	p, err := engine.Open(dir, engine.Options{Environ: []string{"PATH=/nowhere"}})
	assert.NoError(t, err)
	r, err := Config(t.Context(), p, ConfigInput{})
	assert.NoError(t, err)
	removeEmpty(r.Settings)
	return r.Settings
}

// removeEmpty removes empty values from settings.
func removeEmpty(settings map[string]any) {
	for key, value := range settings {
		inner, nested := value.(map[string]any)
		if nested {
			removeEmpty(inner)
		}
		list, _ := value.([]any)
		v := reflect.ValueOf(value)
		if value == "0" || value == "none" || nested && len(inner) == 0 || list != nil && len(list) == 0 || v.IsZero() {
			delete(settings, key)
		}
	}
}

// dropExamples removes from a tree the values on lines that are marked as examples.
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

// keysRead lists the keys that are decoded into a type in the same way, with * for a key that users choose.
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
