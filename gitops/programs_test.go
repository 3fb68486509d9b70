package gitops

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestPrograms(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := context.Background()
	before, err := s.Programs(ctx)
	if err != nil {
		t.Fatal(err)
	}
	hooks := filepath.Join(s.CommonDir(), "hooks")
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pre-commit", "update.sample"} {
		if err := os.WriteFile(filepath.Join(hooks, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, pair := range [][2]string{
		{"core.hooksPath", "x"}, {"alias.st", "status"}, {"filter.a.b.smudge", "cat"}, {"diff.x.textconv", "cat"},
		{"merge.mine.driver", "true"}, {"merge.mine.name", "no program"}, {"branch.trunk.remote", "origin"}, {"core.compression", "9"}, {"core.autocrlf", "false"},
	} {
		s.git("config", pair[0], pair[1])
	}
	s.commit("a.txt", "a")
	s.git("replace", "HEAD", "HEAD~1")
	now, err := s.Programs(ctx)
	if err != nil {
		t.Fatal(err)
	}
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
	if !slices.Equal(more, want) {
		t.Errorf("%q, want %q", more, want)
	}
	others, err := s.OtherSettings(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{"merge.mine.name": true, "core.compression": true, "core.autocrlf": false, "branch.trunk.remote": false} {
		if _, found := others[`git setting "`+key+`"`]; found != want {
			t.Errorf("%s among the other settings: %t", key, found)
		}
	}
	if err := os.Chmod(filepath.Join(hooks, "pre-commit"), 0o644); err != nil {
		t.Fatal(err)
	}
	if after, err := s.Programs(ctx); err != nil || after[want[0]] == now[want[0]] {
		t.Errorf("a hook that is switched off looks the same: %v", err)
	}
}
