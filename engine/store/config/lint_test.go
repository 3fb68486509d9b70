package config

import (
	"errors"
	"fmt"
	"testing"

	"chant/engine/spec/lint"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// Invariant 9B-35 of the behaviour notes: unknown settings are reported.
func TestConfig_lint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeSettings(t, dir, `---
nonsense: 1
lint:
  thresholds: {criteria: 3, complexity_criteria: 4, complexity_words: 0, simple_words: 2, simple_sizes: 3}
  disable: [overlap, titel, complexity]
  severity: {coupling: ERROR, overlap: warning, model_waste: off, no_such_rule_here: error}
  strict: true
enterprise: {required: ticket}
---
`)
	c, err := ReadConfig(dir, nil)
	assert.NoError(t, err)
	s := c.LintSettings()
	assert.Equal(t, lint.Thresholds{Criteria: 3, Files: 5, SimpleCriteria: 1, SimpleFiles: 1, SimpleWords: 2}, s.Thresholds)
	assert.Equal(t, []string{"ticket"}, s.Required)
	for rule, want := range map[string]lint.Severity{"overlap": lint.Warning, "coupling": lint.Error, "model_waste": lint.Off, "complexity_files": lint.Off, "title": lint.Error} {
		assert.Equal(t, want, s.SeverityOf(rule), "%s", rule)
	}
	var got []string
	for _, f := range c.ConfigFindings() {
		got = append(got, fmt.Sprintf("%s %d %s", f.Severity, f.Line, f.Message))
	}
	want := []string{
		`warning 2 unknown key "nonsense" does nothing`, `warning 4 unknown key "lint.thresholds.simple_sizes" does nothing; did you mean "simple_files"?`,
		`warning 7 unknown key "lint.strict" does nothing`,
		`warning 6 unknown rule "no_such_rule_here"`, `warning 5 unknown rule "titel"; did you mean "title"?`,
	}
	assert.Equal(t, want, got)
}

func TestConfig_lintRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"lint:\n  severity:\n    title: fatal\n":    `config.md:4: unknown severity "fatal"`,
		"lint:\n  thresholds:\n    files: -1\n":     `config.md:4: "-1" is not a whole number from 0`,
		"lint: [a]\n":                               "config.md:2: ",
		"lint:\n  disable: {a: b}\n":                "config.md:3: ",
		"lint:\n  thresholds:\n    words: [1, 2]\n": "config.md:4: ",
	} {
		dir := t.TempDir()
		writeSettings(t, dir, "---\n"+text+"---\n")
		_, err := ReadConfig(dir, nil)
		assert.Error(t, err, "%q", text)
		assert.Contains(t, err.Error(), want, "%q", text)
	}
}

// TestRead_gates refuses settings with a key that would be a gate or a limit and is misspelled.
func TestRead_gates(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]string{
		"approval: {require_aproval_for_agent_work: true}":   `unknown key "approval.require_aproval_for_agent_work" does nothing; did you mean "require_approval_for_agent_work"?`,
		"approvals: {require_approval_for_agent_work: true}": `unknown key "approvals" does nothing; did you mean "approval"?`,
		"Sandbox: {mode: require}":                           `unknown key "Sandbox" does nothing; did you mean "sandbox"?`,
		"evidence: {signd: true}":                            `unknown key "evidence.signd" does nothing; did you mean "signed"?`,
		"limits: {tim: 5m}":                                  `unknown key "limits.tim" does nothing; did you mean "time"?`,
		"nonsense: 1\nlists: {a: 1}":                         "",
	} {
		err := DefaultConfig("/p").Read([]byte("---\n"+front+"\n---\n"), "/p")
		got := ""
		if wrong, ok := errors.AsType[*markdown.SyntaxError](err); ok {
			got = wrong.Msg
		}
		assert.Equal(t, want, got, "%s: %v", front, err)
	}
}

// TestRead_worktreeDir refuses folders that cannot hold worktrees, with the line.
func TestRead_worktreeDir(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]string{
		"..":       "it is or contains the repository",
		".":        "it is or contains the repository",
		"/a/p":     "it is or contains the repository",
		"/":        "it is or contains the repository",
		"$HOME/wt": "variables are not read here",
		"~user/wt": "only ~/ stands for a folder, that of your user",
		`C:\wt`:    "it begins with a drive of Windows",
		"../wt":    "", "wt": "", "~/wt": "", "/b": "", "..wt": "",
	} {
		err := DefaultConfig("/a/p").Read([]byte("---\nworktree:\n  dir: '"+dir+"'\n---\n"), "/a/p")
		if want == "" {
			assert.NoError(t, err, "%s", dir)
			continue
		}
		wrong, ok := errors.AsType[*markdown.SyntaxError](err)
		assert.True(t, ok, "%s: %v", dir, err)
		assert.Equal(t, 3, wrong.Line, "%s", dir)
		assert.Contains(t, wrong.Msg, want, "%s", dir)
	}
}
