package climpt

import (
	"errors"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestParseApp(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"working_dir: \".agent/climpt\"\napp_prompt:\n  base_dir: \"prompts/git\"\napp_schema:\n  base_dir: x\n": ".agent/climpt prompts/git",
		"": " ", "# nothing\n": " ", "app_prompt: ~\n": " ", "\ufeffworking_dir: .\r\n": ". ",
		"- a\n":                       "! a.yml:1: has no keys",
		"working_dir: [x]\n":          `! a.yml:1: "working_dir" must be a string`,
		"x: 1\napp_prompt: prompts\n": `! a.yml:2: "base_dir" is expected in an object`,
		"working_dir: \"x\n":          "! a.yml:",
		"\tx: 1\n":                    "! a.yml:1: invalid YAML",
	} {
		app, err := ParseApp("a.yml", []byte(src))
		got := app.WorkingDir + " " + app.BaseDir
		if err != nil {
			got = "! " + err.Error()
		}
		assert.False(t, got != want && (err == nil || !strings.HasPrefix(got, want)), "%q: %s, want %s", src, got, want)
	}
}

func TestUser(t *testing.T) {
	t.Parallel()
	u, err := ParseUser("u.yml", []byte("options:\n  destination:\n    prefix: out/\nparams:\n  two:\n    directiveType:\n      pattern: \"^(merge|list)$\"\n    layerType:\n      pattern: \"^b\"\n"))
	assert.NoError(t, err)
	assert.Equal(t, "out/", u.Prefix)
	for name, want := range map[Name]string{
		{"git", "merge", "branch"}: "", {"git", "list", "b"}: "",
		{"git", "merges", "b"}: `u.yml:7: c2 "merges" does not match the pattern "^(merge|list)$"`,
		{"git", "merge", "x"}:  `u.yml:9: c3 "x" does not match the pattern "^b"`,
	} {
		got := ""
		if err := u.Check(name); err != nil {
			got = err.Error()
		}
		assert.Equal(t, want, got, "%v", name)
	}
	assert.NoError(t, (User{}).Check(Name{"x", "y", "z"}))
	_, err = ParseUser("u.yml", []byte("params:\n  two:\n    layerType:\n      pattern: \"(?<!x)y\"\n"))
	_, ok := errors.AsType[*Fault](err)
	assert.True(t, ok, "%v", err)
	assert.HasPrefix(t, err.Error(), "u.yml:4: the pattern \"(?<!x)y\" cannot be used: ")
}

// FuzzSettings: any settings are read or refused with their path.
func FuzzSettings(f *testing.F) {
	for _, src := range []string{"", "a: &a {b: *a}\n", "app_prompt: {base_dir: x}\n", "params: {two: {layerType: {pattern: '('}}}\n", "? [a]\n: b\n"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		_, appErr := ParseApp("s.yml", src)
		_, userErr := ParseUser("s.yml", src)
		for _, err := range []error{appErr, userErr} {
			assert.False(t, err != nil && !strings.HasPrefix(err.Error(), "s.yml:"), "%v", err)
		}
	})
}
