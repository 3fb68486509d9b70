package gitops

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestPrograms(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := context.Background()
	programs := func() map[string]string {
		r, err := s.ReadGit(ctx, "", "")
		assert.NoError(t, err)
		return r.Programs
	}
	before := programs()
	hooks := filepath.Join(s.CommonDir(), "hooks")
	assert.NoError(t, os.MkdirAll(hooks, 0o755))
	for _, name := range []string{"pre-commit", "update.sample"} {
		assert.NoError(t, os.WriteFile(filepath.Join(hooks, name), []byte("#!/bin/sh\n"), 0o755))
	}
	for _, pair := range [][2]string{
		{"core.hooksPath", "x"}, {"alias.st", "status"}, {"filter.a.b.smudge", "cat"}, {"diff.x.textconv", "cat"},
		{"merge.mine.driver", "true"}, {"merge.mine.name", "no program"}, {"branch.trunk.remote", "origin"}, {"core.compression", "9"}, {"core.autocrlf", "false"},
	} {
		s.git("config", pair[0], pair[1])
	}
	s.commit("a.txt", "a")
	s.git("replace", "HEAD", "HEAD~1")
	now := programs()
	var more []string
	for _, what := range slices.Sorted(maps.Keys(now)) {
		if before[what] != now[what] {
			more = append(more, what)
		}
	}
	want := []string{
		`git hook "pre-commit"`, `git replacement "refs/replace/` + s.git("rev-parse", "HEAD") + `"`, `git setting "alias.st"`, `git setting "core.autocrlf"`,
		`git setting "core.hookspath"`, `git setting "diff.x.textconv"`, `git setting "filter.a.b.smudge"`, `git setting "merge.mine.driver"`,
	}
	assert.Equal(t, want, more)
	others, err := s.OtherSettings(ctx, func(string) bool { return false })
	assert.NoError(t, err)
	for key, want := range map[string]bool{"merge.mine.name": true, "core.compression": true, "core.autocrlf": false, "branch.trunk.remote": false} {
		_, found := others[`git setting "`+key+`"`]
		assert.Equal(t, want, found, "%s among the other settings", key)
	}
	assert.NoError(t, os.Chmod(filepath.Join(hooks, "pre-commit"), 0o644))
	assert.NotEqual(t, now[want[0]], programs()[want[0]], "a hook that is switched off looks the same")
}

// TestReadGit sorts settings and files by what they could do, and leaves out those of the branches of runs.
func TestReadGit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	for _, pair := range [][2]string{
		{"core.sshCommand", "x"}, {"remote.origin.uploadpack", "x"}, {"protocol.ext.allow", "always"}, {"http.extraheader", "secret"},
		{"remote.origin.gh-resolved", "base"}, {"color.ui", "always"}, {"branch.trunk.remote", "origin"}, {"branch.chant/a.remote", "origin"}, {"diff.colorMoved", "no"},
	} {
		s.git("config", pair[0], pair[1])
	}
	for _, name := range []string{"objects/info/http-alternates", "shallow"} {
		assert.NoError(t, os.WriteFile(filepath.Join(s.CommonDir(), filepath.FromSlash(name)), nil, 0o600))
	}
	r, err := s.ReadGit(t.Context(), "", "chant/")
	assert.NoError(t, err)
	for name, c := range map[string]struct {
		found map[string]string
		want  []string
		not   string
	}{
		"programs": {r.Programs, []string{"core.sshcommand"}, "core.bare"},
		"kept":     {r.Kept, []string{"remote.origin.uploadpack", "protocol.ext.allow", "http.extraheader", "git's objects/info/http-alternates"}, "color.ui"},
		"seen":     {r.Seen, []string{"remote.origin.gh-resolved", "color.ui", "branch.trunk.remote", "diff.colormoved", "git's shallow, where history is cut off,"}, "branch.chant/a.remote"},
	} {
		for _, key := range c.want {
			assert.NotEqual(t, "", c.found[key]+c.found[`git setting "`+key+`"`], "%s: %q is missing in %q", name, key, c.found)
		}
		assert.Equal(t, "", c.found[`git setting "`+c.not+`"`], "%s has %q", name, c.not)
		for what, value := range c.found {
			assert.False(t, name != "programs" && (len(value) != 16 || value == "secret"), "%s: %s is recorded as %q", name, what, value)
		}
	}
}
