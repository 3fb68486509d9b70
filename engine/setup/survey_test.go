package setup

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/providers/cli"

	"github.com/alecthomas/assert/v2"
)

// TestSurvey finds agents, commands and a CI system, and says what is there already.
func TestSurvey(t *testing.T) {
	t.Parallel()
	dir, tools := t.TempDir(), t.TempDir()
	enginetest.Repository(t, dir)
	enginetest.Git(t, dir, "remote", "add", "origin", "git@github.com:a/b.git")
	enginetest.Write(t, dir, "go.mod", "module x\n")
	enginetest.Write(t, tools, ".codex/auth.json", `{"a": 1}`)
	assert.NoError(t, os.WriteFile(filepath.Join(tools, "codex"), []byte("#!/bin/sh\n"), 0o755))
	o := enginetest.Options()
	o.Environ = []string{"HOME=" + tools, "PATH=" + tools}
	r, err := Survey(t.Context(), dir, o, SurveyInput{})
	assert.NoError(t, err)
	assert.False(t, r.Project, "%+v", r)
	assert.Equal(t, "github", r.CI)
	assert.Equal(t, "", r.NoHooks)
	assert.Equal(t, []string{"go test ./...", "go vet ./..."}, r.Commands)
	assert.Equal(t, len(cli.Names()), len(r.Providers))
	for _, p := range r.Providers {
		switch p.Name {
		case "codex":
			if want := (Provider{Name: "codex", Program: "codex", Installed: runtime.GOOS != "windows", Login: cli.LoggedIn, Sign: "~/.codex/auth.json"}); p != want {
				t.Errorf("%+v", p)
			}
		case "claude":
			assert.False(t, p.Installed, "%+v", p)
			assert.False(t, p.Usable(), "%+v", p)
		case "shell":
			assert.True(t, p.Usable(), "%+v", p)
			assert.Equal(t, "", p.Program)
		}
	}
	assert.False(t, engine.Exists(filepath.Join(dir, ".chant")), "a survey made something")
	_, err = Survey(t.Context(), t.TempDir(), o, SurveyInput{})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err), "outside of a repository")
	_, dir = initialized(t)
	r, err = Survey(t.Context(), dir, o, SurveyInput{})
	assert.NoError(t, err)
	assert.True(t, r.Project, "%+v, %v", r, err)
}
