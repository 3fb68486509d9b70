package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestReading_noProcess: list, ready, status and show start no git, not even
// where branches of runs speak.
func TestReading_noProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the guard on PATH is a POSIX shell script")
	}
	p := newProject(t)
	p.addFile(crashID, crashSpec)
	p.chant("work", crashID, "--no-merge")
	guard := t.TempDir()
	assert.NoError(t, os.WriteFile(filepath.Join(guard, "git"), []byte("#!/bin/sh\necho git was started >&2\nexit 1\n"), 0o755))
	for _, args := range [][]string{{"list"}, {"ready"}, {"status"}, {"show", "abc"}, {"search", "survive"}, {"lint"}, {"log", "abc"}, {"prep", "abc"}} {
		out, errs, code := p.try([]string{"PATH=" + guard}, args...)
		assert.Equal(t, 0, code, "chant %s without git: exit %s %s", strings.Join(args, " "), out, errs)
	}
	_, errs, code := p.try([]string{"PATH=" + guard}, "merge", "abc")
	assert.NotEqual(t, 0, code, "the guard does not guard")
	assert.Contains(t, errs, "git", "the guard does not guard")
}

// TestReading_corpus lists specs from other projects and hides none. They lie
// in the folder that CHANT_CORPUS names, or beside the project.
func TestReading_corpus(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CHANT_CORPUS")
	if dir == "" {
		dir = filepath.Join(root, "..", "shared", "corpus", "chant-specs")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(files) == 0 {
		t.Skipf("no corpus of specs in %q (set CHANT_CORPUS to a folder of spec files)", dir)
	}
	p := newProject(t)
	for _, file := range files {
		src, err := os.ReadFile(file)
		assert.NoError(t, err)
		assert.NoError(t, os.WriteFile(filepath.Join(p.dir, ".chant", "specs", filepath.Base(file)), src, 0o644))
	}
	var list struct {
		Specs []struct{ ID, Status, Error string }
		Total int
	}
	assert.NoError(t, json.Unmarshal([]byte(p.chant("list", "--json")), &list))
	assert.Equal(t, len(files), list.Total)
	assert.Equal(t, len(files), len(list.Specs))
	for _, s := range list.Specs {
		assert.NotEqual(t, "invalid", s.Status, "%s: %s", s.ID, s.Error)
	}
	t.Logf("%d specs listed", len(list.Specs))
}

// TestGuide_transitions compares the table in the manual with the machine.
func TestGuide_transitions(t *testing.T) {
	t.Parallel()
	want := "|---|---|---|\n"
	for _, tr := range spec.Transitions() {
		from := make([]string, len(tr.From))
		for i, s := range tr.From {
			from[i] = string(s)
		}
		want += fmt.Sprintf("| %s | %s | %s |\n", tr.Event, strings.Join(from, ", "), tr.To)
	}
	assert.Contains(t, guidePage(t, "specs"), want+"\n", "the manual does not hold this table:\n%s", want)
}
