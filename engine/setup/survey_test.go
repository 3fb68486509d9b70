package setup

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/providers/cli"
)

// TestSurvey finds agents, commands and a CI system, and says what is there already.
func TestSurvey(t *testing.T) {
	t.Parallel()
	dir, tools := t.TempDir(), t.TempDir()
	enginetest.Repository(t, dir)
	enginetest.Git(t, dir, "remote", "add", "origin", "git@github.com:a/b.git")
	write(t, dir, "go.mod", "module x\n")
	write(t, tools, ".codex/auth.json", `{"a": 1}`)
	if err := os.WriteFile(filepath.Join(tools, "codex"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	o := enginetest.Options()
	o.Environ = []string{"HOME=" + tools, "PATH=" + tools}
	r, err := Survey(t.Context(), dir, o, SurveyInput{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Project || r.CI != "github" || r.NoHooks != "" || !slices.Equal(r.Commands, []string{"go test ./...", "go vet ./..."}) {
		t.Errorf("%+v", r)
	}
	if names := len(cli.Names()); len(r.Providers) != names {
		t.Errorf("%d of %d providers", len(r.Providers), names)
	}
	for _, p := range r.Providers {
		switch p.Name {
		case "codex":
			if want := (Provider{Name: "codex", Program: "codex", Installed: runtime.GOOS != "windows", Login: cli.LoggedIn, Sign: "~/.codex/auth.json"}); p != want {
				t.Errorf("%+v", p)
			}
		case "claude":
			if p.Installed || p.Usable() {
				t.Errorf("%+v", p)
			}
		case "shell":
			if !p.Usable() || p.Program != "" {
				t.Errorf("%+v", p)
			}
		}
	}
	if engine.Exists(filepath.Join(dir, ".chant")) {
		t.Error("a survey made something")
	}
	if _, err := Survey(t.Context(), t.TempDir(), o, SurveyInput{}); enginetest.CodeOf(t, err) != engine.NotFound {
		t.Errorf("outside of a repository: %v", err)
	}
	_, dir = initialized(t)
	if r, err := Survey(t.Context(), dir, o, SurveyInput{}); err != nil || !r.Project {
		t.Errorf("%+v, %v", r, err)
	}
}
