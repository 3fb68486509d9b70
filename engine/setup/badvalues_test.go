package setup

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store/config"

	"github.com/alecthomas/assert/v2"
)

// goWords matches words in errors of Go libraries that mean nothing to a user.
func goWords() *regexp.Regexp {
	return regexp.MustCompile(`strconv|Parse(Int|Float|Bool|Uint)|Atoi|unmarshal|time: |\bu?int(8|16|32|64)?\b|float(32|64)|\[\]string|map\[|interface|reflect|%!|\bengine\.|\bspec\.\w|yaml\.|json: |=>`)
}

// badValues returns YAML values that are invalid for nearly every key.
func badValues() []string {
	return []string{"x", "-1", "1.5", "99999999999999999999", "1e400", "true", "[]", "[1, {a: b}]", "{a: {b: 1}}", `""`, `"\u0001"`, "5x", "~", "!!int x", "!!float x", "!!bool 7", "2026-13-45"}
}

// nestings writes a key with dots as YAML: once with mappings only, and once with the last mapping in a list.
func nestings(key, value string) []string {
	parts := strings.Split(strings.ReplaceAll(key, "*", "any"), ".")
	last := len(parts) - 1
	mapping := fmt.Sprintf("{%s: %s}", parts[last], value)
	plain, list := mapping, "["+mapping+"]"
	for i := last - 1; i > 0; i-- {
		plain, list = fmt.Sprintf("{%s: %s}", parts[i], plain), fmt.Sprintf("{%s: %s}", parts[i], list)
	}
	if last == 0 {
		return []string{fmt.Sprintf("%s: %s\n", parts[0], value)}
	}
	return []string{fmt.Sprintf("%s: %s\n", parts[0], plain), fmt.Sprintf("%s: %s\n", parts[0], list)}
}

// TestConfig_badValues sets bad values for every key of the settings. No error has the words of a library.
func TestConfig_badValues(t *testing.T) {
	t.Parallel()
	_, dir := initialized(t)
	keys := map[string]bool{}
	keysRead(reflect.TypeFor[config.Config](), "", keys)
	assert.True(t, len(keys) >= 100, "only %d keys", len(keys))
	refused := map[string]bool{}
	for key := range keys {
		for _, value := range badValues() {
			for _, text := range nestings(key, value) {
				enginetest.Write(t, dir, ".chant/config.md", "---\n"+text+"---\n")
				said := saidOfSettings(t, dir)
				if len(said) > 0 {
					refused[key] = true
				}
				for _, message := range said {
					assert.Equal(t, "", goWords().FindString(strings.ReplaceAll(message, value, "")), "%s %q", text, message)
				}
			}
		}
		assert.True(t, refused[key], "no bad value of %q is refused", key)
	}
}

// saidOfSettings returns the errors of opening the project, and the faults of its settings when they are read
// leniently.
func saidOfSettings(t *testing.T, dir string) (said []string) {
	t.Helper()
	if _, err := engine.Open(dir, engine.Options{}); err != nil {
		said = append(said, err.Error())
	}
	p, err := openLeniently(dir, engine.Options{})
	if err != nil {
		return append(said, err.Error())
	}
	for _, f := range p.Config.Faults {
		said = append(said, f.Msg)
	}
	if p.Config.Broken != nil {
		said = append(said, p.Config.Broken.Error())
	}
	return said
}

// TestSpec_badValues does the same for every key of a spec's front matter.
func TestSpec_badValues(t *testing.T) {
	t.Parallel()
	keys := map[string]bool{}
	keysRead(reflect.TypeFor[spec.Fields](), "", keys)
	assert.True(t, len(keys) >= 30, "only %d keys", len(keys))
	for key := range keys {
		for _, value := range badValues() {
			for _, text := range nestings(key, value) {
				_, err := spec.Parse("2026-01-02-001-abc", "a.md", []byte("---\n"+text+"---\n# A\n"))
				if err == nil {
					continue
				}
				message := engine.Wrap(err, "a").Error()
				assert.Equal(t, "", goWords().FindString(strings.ReplaceAll(message, value, "")), "%s %q", text, message)
			}
		}
	}
}
