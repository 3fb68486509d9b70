// Package enginetest creates projects for tests of the engine, and contains the tests of several operations together.
package enginetest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/store"
)

// Project creates a repository with a project, as "chant init --provider shell" does, and opens it at a fixed time.
func Project(t testing.TB) (*engine.Project, string) {
	t.Helper()
	dir := t.TempDir()
	template.Copy(t, dir, func(dir string) { fillTemplate(t, dir) })
	o := Options()
	o.Environ = append(o.Environ, "XDG_CACHE_HOME="+t.TempDir())
	o.Environ = append(o.Environ, "XDG_CONFIG_HOME="+t.TempDir()) // without the keys of the user who runs the tests
	p, err := engine.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return p, dir
}

// ProjectWith creates a project with files that are not committed, for a user whose HOME is empty.
func ProjectWith(t testing.TB, files map[string]string) (p *engine.Project, dir, home string) {
	t.Helper()
	p, dir = Project(t)
	home = t.TempDir()
	p.Environ = []string{"HOME=" + home, "USERPROFILE=" + home}
	for name, text := range files {
		Write(t, dir, name, text)
	}
	return p, dir, home
}

// template is the repository of Project, which git creates once.
var template Fixture

func fillTemplate(t testing.TB, dir string) {
	t.Helper()
	Repository(t, dir)
	Write(t, dir, store.ConfigPath, "---\nproject:\n  name: test\ndefaults:\n  provider: shell\n  prompt: standard\n  main_branch: main\n---\n")
	Write(t, dir, store.Dir+"/.gitignore", "/logs/\n/runs/\n/worktrees/\n/locks/\n/cache/\n")
	Write(t, dir, store.SpecsDir+"/.gitkeep", "")
	CommitAll(t, dir)
	Git(t, dir, "pack-refs", "--all")
}

// Repository creates a repository with one empty commit on main, by Ada.
func Repository(t testing.TB, dir string) {
	t.Helper()
	Git(t, dir, "init", "-q", "-b", "main", "--template=")
	for key, value := range map[string]string{"user.name": "Ada", "user.email": "ada@example.com", "commit.gpgsign": "false"} {
		Git(t, dir, "config", key, value)
	}
	Git(t, dir, "commit", "-q", "--allow-empty", "-m", "begin")
}

// Options returns options for tests: the environment of the test, and a fixed time.
func Options() engine.Options {
	return engine.Options{Environ: os.Environ(), Now: func() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) }}
}

// Write writes a file below a folder.
func Write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// CodeOf returns the code of an operation's error, "" without an error.
func CodeOf(t *testing.T, err error) engine.Code {
	t.Helper()
	if err == nil {
		return ""
	}
	e, ok := err.(*engine.Error) //nolint:errorlint // operations return exactly this type
	if !ok {
		t.Fatalf("error %v is not an *Error", err)
	}
	return e.Code
}

// The id and the text of a spec whose second criterion never holds.
const (
	StrictID   = "2026-01-02-001-abc"
	StrictBody = "# Strict\n\n## Acceptance Criteria\n\n- [x] a claim\n- [ ] a result `$ test -f never`\n"
)

// SpecAt creates a project with one committed spec of this status and body.
func SpecAt(t *testing.T, status, body string) (*engine.Project, string) {
	t.Helper()
	p, dir := Project(t)
	Commit(t, dir, map[string]string{".chant/specs/" + StrictID + ".md": "---\nstatus: " + status + "\n---\n" + body})
	return p, dir
}

// StateOf describes what a refusal must not change: the branches and the files in home.
func StateOf(t *testing.T, dir string) string {
	t.Helper()
	return Git(t, dir, "for-each-ref") + "\n" + Git(t, dir, "status", "--porcelain") + "\n" + Read(t, dir, ".chant/specs/"+StrictID+".md")
}

// Refusal formats an error for tables of tests: code, next step and message; "" for none.
func Refusal(err error) string {
	if err == nil {
		return ""
	}
	var e *engine.Error
	if !errors.As(engine.Wrap(err, ""), &e) {
		return "not an *engine.Error: " + err.Error()
	}
	return string(e.Code) + " | " + e.Next.String() + " | " + e.Message
}
