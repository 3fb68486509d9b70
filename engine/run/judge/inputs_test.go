package judge_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestLand_inputs: on a target that has moved, a criterion runs again if something that differs may be an input of it.
func TestLand_inputs(t *testing.T) {
	t.Parallel()
	type settings = func(*attempt.Settings)
	for name, tc := range map[string]struct {
		change func(r *runtest.Run) // of the target
		set    settings
		again  bool
	}{
		"elsewhere":     {change: commit("api/a.txt", "2\n")},
		"another spec":  {change: commit(".chant/specs/2026-01-03-001-zzz.md", "# Z\n")},
		"a label of it": {change: ownSpec("labels: [x]\nverify:", "")},
		"an input":      {change: commit("web/a.txt", "2\n"), again: true},
		"a new input":   {change: commit("web/deep/b.txt", "1\n"), again: true},
		"another case":  {change: commit("WEB/c.txt", "1\n"), again: true},
		"moved away":    {change: func(r *runtest.Run) { move(r, "web/a.txt", "api/b.txt") }, again: true},
		"moved there":   {change: func(r *runtest.Run) { move(r, "api/a.txt", "web/b.txt") }, again: true},
		"behind a link": {change: commit("lib/x.txt", "2\n"), again: true},
		"a link": {change: func(r *runtest.Run) {
			assert.NoError(r.T, os.Symlink("api", filepath.Join(r.Dir, "to")))
			r.Git("add", "to")
			r.Git("commit", "-q", "-m", "link")
		}, again: true},
		"its script": {change: commit("check.sh", "exit 0 # 2\n"), again: true},
		"its text":   {change: ownSpec("verify:", "\nMore.\n"), again: true},
		"settings":   {change: commit(".chant/config.md", "---\nverify: {timeout: 9m}\n---\n"), again: true},
		"attributes": {change: commit("api/.gitattributes", "*.txt -text\n"), again: true},
		"set-up":     {change: commit("api/a.txt", "2\n"), set: func(s *attempt.Settings) { s.SetupCmd = []string{"true"} }, again: true},
		"a copied file": {change: func(r *runtest.Run) {
			enginetest.Write(r.T, r.Dir, ".env", "2\n")
			commit("api/a.txt", "2\n")(r)
		}, set: func(s *attempt.Settings) { s.Copy = []string{".env"} }, again: true},
		"by a variable": {change: commit("api/a.txt", "2\n"), set: func(s *attempt.Settings) { s.Verify.Env = map[string]string{"A": "$ echo 1"} }, again: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			enginetest.Commit(t, dir, map[string]string{"web/a.txt": "1\n", "api/a.txt": "1\n", "lib/x.txt": "1\n", "check.sh": "exit 0\n", ".gitignore": ".env\n"})
			enginetest.Write(t, dir, ".env", "1\n")
			assert.NoError(t, os.Symlink("../lib", filepath.Join(dir, "web", "lib")))
			enginetest.Git(t, dir, "add", ".")
			enginetest.Git(t, dir, "commit", "-q", "-m", "link")
			count := filepath.Join(t.TempDir(), "runs")
			text := strings.Replace(with("a `$ echo x >> "+count+" && sh check.sh`", "b `$ test -f done.txt`"), "pending\n", "pending\nverify:\n  inputs: [web/**]\n", 1)
			landMoved(t, runtest.Of(t, p, dir, text, open, func(s *attempt.Settings) {
				s.Verify.RedFirst = spec.RedOff
				if tc.set != nil {
					tc.set(s)
				}
			}), tc.change, count, tc.again)
		})
	}
}

// TestLand_inputsDerived: with inputs: auto, the sources say which files count.
func TestLand_inputsDerived(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		command, changed string
		again            bool
		words            string // of the run
	}{
		"another package":   {"go vet ./a", "c/c.go", false, "criteria 1 (as on tree "},
		"an import":         {"go vet ./a", "b/b.go", true, ""},
		"a glob beside it":  {"go vet ./a", "docs/x.md", true, ""},
		"a part of a shell": {"go vet ./a && true", "c/c.go", true, "every file is an input of criterion 1, since the command is more than a program and its arguments"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			enginetest.Commit(t, dir, map[string]string{
				"go.mod": "module m\n", "a/a.go": "package a\n\nimport _ \"m/b\"\n", "b/b.go": "package b\n", "c/c.go": "package c\n", "docs/x.md": "1\n",
			})
			// Only what it counts matters, not what go says.
			bin := t.TempDir()
			count := filepath.Join(bin, "runs")
			assert.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\necho x >> "+count+"\n"), 0o755))
			for i, v := range p.Environ {
				if path, ok := strings.CutPrefix(v, "PATH="); ok {
					p.Environ[i] = "PATH=" + bin + string(os.PathListSeparator) + path
				}
			}
			text := strings.Replace(with("a `$ "+tc.command+"`"), "pending\n", "pending\nverify:\n  inputs: [auto, docs]\n", 1)
			r := runtest.Of(t, p, dir, text, open, func(s *attempt.Settings) { s.Verify.RedFirst = spec.RedOff })
			var said []string
			r.Emit = func(e journal.Event) { said = append(said, e.Text) }
			landMoved(t, r, commit(tc.changed, "package c // 2\n"), count, tc.again)
			assert.Contains(t, strings.Join(said, "\n"), tc.words)
		})
	}
}

// landMoved completes and lands a run on a target that changes meanwhile. count has a line for each run of the first criterion.
func landMoved(t *testing.T, r *runtest.Run, change func(*runtest.Run), count string, again bool) {
	t.Helper()
	r.Agent(map[string]string{"done.txt": "yes\n"})
	tree := r.Git("rev-parse", r.Job.Branch+"^{tree}")
	r.Completed()
	change(r)
	assert.NoError(t, r.Lands())
	runs := strings.Count(enginetest.Read(t, filepath.Dir(count), filepath.Base(count)), "x")
	note, err := criteria.ReadNote([]byte(r.Git("notes", "--ref=chant", "show", "main")))
	assert.NoError(t, err)
	assert.True(t, note.Verified)
	assert.Equal(t, r.Git("rev-parse", "main^{tree}"), note.Tree, "the evidence is about another tree")
	if again {
		assert.Equal(t, 2, runs)
		assert.Equal(t, "", note.Criteria[0].Evidence[0].Tree)
		return
	}
	assert.Equal(t, 1, runs)
	assert.Equal(t, tree, note.Criteria[0].Evidence[0].Tree)
}

func commit(name, text string) func(*runtest.Run) {
	return func(r *runtest.Run) { enginetest.Commit(r.T, r.Dir, map[string]string{name: text}) }
}

// ownSpec changes the spec that is worked on the target: its line "verify:", and what it ends with.
func ownSpec(line, end string) func(*runtest.Run) {
	return func(r *runtest.Run) {
		text := strings.Replace(r.Target(runtest.Own), "verify:", line, 1)
		enginetest.Commit(r.T, r.Dir, map[string]string{runtest.Own: strings.Replace(text, "# Do it\n", "# Do it\n"+end, 1)})
	}
}

func move(r *runtest.Run, from, to string) {
	r.Git("mv", from, to)
	r.Git("commit", "-q", "-m", "move")
}
