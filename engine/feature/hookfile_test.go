package feature

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// TestParse reads the example of the contract, and every key.
func TestParse(t *testing.T) {
	t.Parallel()
	seconds := func(n int) time.Duration { return time.Duration(n) * time.Second }
	for name, tt := range map[string]struct {
		path, src string
		want      []Hook
	}{
		"contract": {HookYAML, "hooks:\n  lint:\n    command: \"uv run ruff check .\"\n    timeout_secs: 60\n  test:\n    command: \"uv run pytest\"\n    timeout_secs: 300\n  format:\n    command: \"uv run ruff format .\"\n    timeout_secs: 60\n", []Hook{
			{Name: "lint", Command: "uv run ruff check .", Timeout: seconds(60)},
			{Name: "test", Command: "uv run pytest", Timeout: seconds(300)},
			{Name: "format", Command: "uv run ruff format .", Timeout: seconds(60)},
		}},
		"all keys": {HookYAML, "hooks:\n  a: {command: x, cwd: sub/dir, env: {B: 2, A: 'no'}}\n", []Hook{{Name: "a", Command: "x", Timeout: seconds(120), Dir: "sub/dir", Env: []string{"B=2", "A=no"}}}},
		"alias":    {HookYAML, "hooks:\n  a: &a {command: x}\n  b: *a\n", []Hook{{Name: "a", Command: "x", Timeout: seconds(120)}, {Name: "b", Command: "x", Timeout: seconds(120)}}},
		"json":     {JSON, "{\n\t\"hooks\": {\"z\": {\"command\": \"y\", \"cwd\": null},\n\t\"a\": {\"command\": \"x\"}}}", []Hook{{Name: "z", Command: "y", Timeout: seconds(120)}, {Name: "a", Command: "x", Timeout: seconds(120)}}},
		"empty":    {HookYAML, "", nil},
		"comment":  {HookYAML, "# none yet\n", nil},
		"no hooks": {HookYAML, "hooks:\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseHooks(tt.path, []byte(tt.src))
			assert.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

// TestParse_broken names file and line of each fault.
func TestParse_broken(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ path, src, want string }{
		"not YAML":     {HookYAML, "hooks:\n  a: {command: x\n", ".rstn/hooks.yaml:"},
		"list":         {HookYAML, "- a\n", ".rstn/hooks.yaml:1: the file must be a mapping"},
		"top key":      {HookYAML, "\nhook: {}\n", `.rstn/hooks.yaml:2: unknown key "hook"`},
		"text":         {HookYAML, "hooks:\n  a: x\n", `.rstn/hooks.yaml:2: hook "a" must be a mapping`},
		"key":          {HookYAML, "hooks:\n  a:\n    command: x\n    timeout: 5\n", `.rstn/hooks.yaml:4: unknown key "timeout" of hook "a"`},
		"no command":   {HookYAML, "hooks:\n  a: {cwd: b}\n", `.rstn/hooks.yaml:2: hook "a" has no command`},
		"command list": {HookYAML, "hooks:\n  a: {command: [x, y]}\n", ".rstn/hooks.yaml:2: command must be a text"},
		"timeout":      {HookYAML, "hooks:\n  a: {command: x, timeout_secs: 0}\n", ".rstn/hooks.yaml:2: timeout_secs of hook"},
		"timeout text": {HookYAML, "hooks:\n  a: {command: x, timeout_secs: '5'}\n", ".rstn/hooks.yaml:2: timeout_secs of hook"},
		"cwd above":    {HookYAML, "hooks:\n  a: {command: x, cwd: ../b}\n", ".rstn/hooks.yaml:2: cwd of hook"},
		"cwd absolute": {HookYAML, "hooks:\n  a: {command: x, cwd: /tmp}\n", ".rstn/hooks.yaml:2: cwd of hook"},
		"env":          {HookYAML, "hooks:\n  a: {command: x, env: {A: [1]}}\n", ".rstn/hooks.yaml:2: env of hook"},
		"twice":        {HookYAML, "hooks:\n  a: {command: x}\n  a: {command: y}\n", `.rstn/hooks.yaml:3: key "a" appears twice, first on line 2`},
		"not JSON":     {JSON, "{\n  \"hooks\": {},\n}\n", ".rstn/hooks.json:3: "},
		"YAML in JSON": {JSON, "hooks: {}\n", ".rstn/hooks.json:1: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseHooks(tt.path, []byte(tt.src))
			where, ok := errors.AsType[*markdown.SyntaxError](err)
			assert.True(t, ok, "got %v, want %q", err, tt.want)
			assert.HasPrefix(t, where.Error(), tt.want, "got %v", err)
		})
	}
}

func TestHook_line(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{ // "" if it takes no arguments
		"go vet ./...\n":        `go vet ./... "$@"`,
		`check "$@" | tee x`:    `check "$@" | tee x`,
		"a && b":                `a && b "$@"`,
		`find . -exec rm {} \;`: `find . -exec rm {} \; "$@"`,
		`echo "a;"`:             `echo "a;" "$@"`,
		`echo a#b`:              `echo a#b "$@"`,
		`echo '# no'`:           `echo '# no' "$@"`,
		"# first\necho a":       "# first\necho a \"$@\"",
		"a;":                    "",
		"a &":                   "",
		"a ||":                  "",
		"a # all of it":         "",
		"a;#":                   "",
		`a "b`:                  "",
		`a \`:                   "",
		`a "\"";`:               "",
	} {
		got, ok := (Hook{Command: command}).Line(true)
		assert.Equal(t, want != "", ok, "%q", command)
		assert.False(t, ok && got != want, "%q: got %q, %v, want %q", command, got, ok, want)
		got, ok = (Hook{Command: command}).Line(false)
		assert.True(t, ok, "%q without arguments: %q, %v", command, got, ok)
		assert.Equal(t, strings.TrimSpace(command), got)
	}
	assert.Equal(t, "none", HookNames(nil))
}

// FuzzParse: what is read has a name, a command, a limit and a folder below the worktree; all else is an error with a
// line.
func FuzzParse(f *testing.F) {
	f.Add(true, "{\"hooks\":{\"a\":{\"command\":\"x\"}}}")
	f.Add(false, "hooks:\n  a: &a {command: x, cwd: b, env: {C: d}}\n  b: *a\n")
	f.Add(false, "hooks: &h {a: *h}\n")
	f.Fuzz(func(t *testing.T, isJSON bool, src string) {
		path := HookYAML
		if isJSON {
			path = JSON
		}
		hooks, err := ParseHooks(path, []byte(src))
		where, ok := errors.AsType[*markdown.SyntaxError](err)
		assert.False(t, err != nil && (!ok || where.Line < 1), "error %v", err)
		if err != nil {
			return
		}
		for _, h := range hooks {
			found, ok := FindHook(hooks, h.Name)
			assert.True(t, ok, "%q is not found", h.Name)
			assert.Equal(t, h, found, "%q is not found", h.Name)
			assert.NotEqual(t, "", h.Name)
			assert.NotEqual(t, "", strings.TrimSpace(h.Command))
			assert.True(t, h.Timeout >= time.Second, "hook %+v", h)
			assert.False(t, h.Dir != "" && !filepath.IsLocal(h.Dir), "hook %+v", h)
		}
	})
}
