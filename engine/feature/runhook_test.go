package feature

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
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
			if r, err := RunHook(t.Context(), p, RunHookInput{Name: name}); err != nil || !holds(r) || r.Name != name {
				t.Errorf("%.300v, %v", r, err)
			}
		})
	}
	for name, want := range map[string]struct {
		code engine.Code
		text string
	}{
		"out": {engine.Invalid, "leads out of the worktree"}, "unread": {engine.NotFound, "Hook not found: unread. Available: slow, gone, leak, long, env, out"},
		"": {engine.Usage, "Missing 'hook_name' field"},
	} {
		_, err := RunHook(t.Context(), p, RunHookInput{Name: name})
		if e, ok := errors.AsType[*engine.Error](err); !ok || e.Code != want.code || !strings.Contains(e.Message, want.text) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestRunHook_subfolder: hooks are those of the worktree, wherever below it the caller is.
func TestRunHook_subfolder(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	enginetest.Write(t, dir, "sub/file", "")
	enginetest.Write(t, dir, ".rstn/hooks.json", `{"hooks": {"here": {"command": "ls"}}}`)
	r, err := RunHook(t.Context(), reopen(t, filepath.Join(dir, "sub")), RunHookInput{Name: "here"})
	if err != nil || r.Stdout != "sub" {
		t.Errorf("%+v, %v", r, err)
	}
}
