package feature

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestRunHook_results: what goes wrong with a hook is a result, and what is wrong with its file an error.
func TestRunHook_results(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("the hooks are POSIX shell lines")
	}
	const token = "abcdefgh12345678"
	_, dir := enginetest.Project(t)
	enginetest.Write(t, dir, "sub/file", "")
	enginetest.Write(t, dir, ".rstn/hooks.json", `{"hooks": {"unread": {"command": "true"}}}`)
	enginetest.Write(t, dir, ".rstn/hooks.yaml", `hooks:
  slow: {command: "echo begun; sleep 60; :", timeout_secs: 1}
  gone: {command: pwd, cwd: none}
  leak: {command: "echo $API_TOKEN; echo $API_TOKEN >&2; :"}
  long: {command: "echo first; yes | head -c 200000; echo last; :"}
  env: {command: 'echo "$OWN $PATH"', env: {OWN: mine, PATH: /usr/bin:/bin}}
  file: {command: pwd, cwd: sub/file}
  both: {command: "(cd sub && ls)"}
  if: {command: "if true; then echo yes; fi"}
  out: {command: pwd, cwd: away}
`)
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "away")); err != nil {
		t.Skip(err)
	}
	p := reopen(t, dir, "API_TOKEN="+token)
	for name, holds := range map[string]func(r RunHookResult) bool{
		"slow": func(r RunHookResult) bool {
			return r.ExitCode == -1 && r.Stderr == "Hook timed out after 1s" && r.Stdout == "begun"
		},
		"gone": func(r RunHookResult) bool {
			return r.ExitCode == -1 && strings.HasPrefix(r.Stderr, "Hook execution failed: ")
		},
		"file": func(r RunHookResult) bool {
			return r.ExitCode == -1 && strings.HasSuffix(r.Stderr, "file: not a folder")
		},
		"both": func(r RunHookResult) bool { return r.ExitCode == 0 && r.Stdout == "file" && r.Stderr == "" },
		"if":   func(r RunHookResult) bool { return r.ExitCode == 0 && r.Stdout == "yes" && r.Stderr == "" },
		"leak": func(r RunHookResult) bool {
			return r.ExitCode == 0 && r.Stdout != "" && r.Stderr != "" && !strings.Contains(r.Stdout+r.Stderr, token)
		},
		"long": func(r RunHookResult) bool {
			return r.ExitCode == 0 && len(r.Stdout) < maxOutput+100 && strings.HasPrefix(r.Stdout, "first\n") && strings.HasSuffix(r.Stdout, "\nlast")
		},
		"env": func(r RunHookResult) bool { return r.Stdout == "mine /usr/bin:/bin" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := RunHook(t.Context(), p, RunHookInput{Name: name})
			assert.NoError(t, err)
			assert.True(t, holds(r), "%.300v, %v", r, err)
			assert.Equal(t, name, r.Name)
		})
	}
	for name, want := range map[string]struct {
		code engine.Code
		text string
	}{
		"out": {engine.Invalid, "leads out of the worktree"}, "unread": {engine.NotFound, "Hook not found: unread. Available: slow, gone, leak, long, env, file, both, if, out"},
		"": {engine.Usage, "Missing 'hook_name' field"},
	} {
		_, err := RunHook(t.Context(), p, RunHookInput{Name: name})
		e, ok := errors.AsType[*engine.Error](err)
		assert.True(t, ok, "%q: %v", name, err)
		assert.Equal(t, want.code, e.Code, "%q: %v", name, err)
		assert.Contains(t, e.Message, want.text, "%q: %v", name, err)
	}
}

// TestRunHook_subfolder: hooks are those of the worktree, wherever below it the caller is.
func TestRunHook_subfolder(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	enginetest.Write(t, dir, "sub/file", "")
	enginetest.Write(t, dir, ".rstn/hooks.json", `{"hooks": {"here": {"command": "ls"}}}`)
	r, err := RunHook(t.Context(), reopen(t, filepath.Join(dir, "sub")), RunHookInput{Name: "here"})
	assert.NoError(t, err)
	assert.Equal(t, "sub", r.Stdout)
}

// TestRunHook_arguments: an argument is never run, also not behind a command that ends in an operator.
func TestRunHook_arguments(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".rstn/hooks.json", `{"hooks": {"and": {"command": "echo a;"}, "behind": {"command": "echo a; true &"}, "plain": {"command": "echo"}}}`)
	p := reopen(t, dir)
	args := []string{"touch", "made"}
	for _, name := range []string{"and", "behind"} {
		_, err := RunHook(t.Context(), p, RunHookInput{Name: name, Args: args})
		e, ok := errors.AsType[*engine.Error](err)
		assert.True(t, ok, "%s: %v", name, err)
		assert.Equal(t, engine.Usage, e.Code, "%s: %v", name, err)
		assert.Contains(t, e.Message, "takes no arguments", "%s: %v", name, err)
		r, err := RunHook(t.Context(), p, RunHookInput{Name: name})
		assert.NoError(t, err, "%s without arguments", name)
		assert.Equal(t, "a", r.Stdout, "%s without arguments", name)
	}
	r, err := RunHook(t.Context(), p, RunHookInput{Name: "plain", Args: args})
	assert.NoError(t, err)
	assert.Equal(t, "touch made", r.Stdout)
	_, err = os.Stat(filepath.Join(dir, "made"))
	assert.IsError(t, err, os.ErrNotExist, "the arguments were run")
}
