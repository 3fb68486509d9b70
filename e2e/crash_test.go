package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"chant/e2e/outputs"

	"github.com/alecthomas/assert/v2"
)

// crashSpec is worked by a script that leaves a commit and an uncommitted file,
// so that both can be looked for afterwards.
const crashSpec = `---
status: pending
---
# Survive

## Script

` + "```sh" + `
echo committed > committed.txt
git add committed.txt
git commit -q -m "chant($CHANT_SPEC_ID): commit" || true
echo uncommitted > uncommitted.txt
` + "```" + `

## Acceptance Criteria

- [ ] both are there ` + "`$ test -s committed.txt && test -s uncommitted.txt`" + `
`

const crashID = "2026-01-02-001-abc"

// project is a repository with one spec, and a way to run chant in it.
type project struct {
	t       *testing.T
	dir     string
	env     []string
	program string // chant, see e2e/killable
}

// newProject is a project whose agents run without a sandbox, so that they can do what a test needs them to do elsewhere.
func newProject(t *testing.T) *project {
	t.Helper()
	p := newOpenProject(t)
	p.env = append(p.env, "CHANT_SANDBOX=off")
	return p
}

// newWalledProject is newProject whose agents run behind the wall, where the system has one. They may write to files in
// HOME of these names.
func newWalledProject(t *testing.T, files ...string) *project {
	t.Helper()
	p := newOpenProject(t)
	if len(files) == 0 {
		return p
	}
	settings := "---\ndefaults: {provider: shell}\nsandbox:\n  write:\n"
	for _, name := range files {
		assert.NoError(t, os.WriteFile(p.home(name), nil, 0o644))
		settings += "    - ~/" + name + "\n"
	}
	p.write(".chant/config.md", settings+"---\n")
	p.git("commit", "-q", "-m", "settle", "--", ".chant/config.md")
	return p
}

// newOpenProject is a project with the settings of chant init.
func newOpenProject(t *testing.T) *project {
	t.Helper()
	p := projectIn(t, t.TempDir())
	t.Cleanup(func() { nobodyLeft(t, filepath.Dir(p.dir)) })
	assert.NoError(t, os.CopyFS(filepath.Dir(p.dir), os.DirFS(initialized.use(t))))
	return p
}

// projectIn is a project in a folder that is its HOME. Nothing is made.
func projectIn(t *testing.T, home string) *project {
	t.Helper()
	p := &project{t: t, dir: filepath.Join(home, "a repo"), env: append(os.Environ(), environment(home)...), program: killableBinary(t)}
	p.env = append(p.env, "PATH="+filepath.Dir(p.program)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return p
}

// initialized is what chant init makes in an empty repository, with HOME around it. Projects are copies of it.
var initialized made

type made struct {
	once sync.Once
	dir  string
}

func (m *made) use(t *testing.T) string {
	t.Helper()
	m.once.Do(func() {
		dir, err := os.MkdirTemp("", "chant-project-")
		if err == nil {
			err = os.Mkdir(filepath.Join(dir, "a repo"), 0o755)
		}
		assert.NoError(t, err)
		p := projectIn(t, dir)
		p.git("init", "-q", "-b", "main")
		p.git("commit", "-q", "--allow-empty", "-m", "begin")
		p.chant("init", "--provider", "shell")
		m.dir = dir
	})
	assert.NotEqual(t, "", m.dir, "there is no project to copy")
	return m.dir
}

func (p *project) addFile(id, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, ".chant", "specs", id+".md")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.git("add", path)
	p.git("commit", "-q", "-m", "add "+id)
}

func (p *project) git(args ...string) string {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), "git", args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, errText(err))
	}
	return strings.TrimSpace(string(out))
}

func errText(err error) string {
	if exit, ok := err.(*exec.ExitError); ok {
		return string(exit.Stderr)
	}
	return ""
}

// try runs chant and returns what it printed and its exit code, -1 when it was
// killed.
func (p *project) try(extra []string, args ...string) (stdout, stderr string, code int) {
	p.t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(p.t.Context(), p.program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.dir, &out, &errs
	cmd.Env = append(slices.Clone(p.env), extra...)
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		p.t.Fatal(err)
	}
	stdout, stderr, code = out.String(), errs.String(), cmd.ProcessState.ExitCode()
	// With --json, what is printed follows the schema of the command.
	assert.NoError(p.t, outputs.Check(args, code, stdout, stderr), "chant %q", args)
	return stdout, stderr, code
}

// chant runs a command that has to succeed.
func (p *project) chant(args ...string) string {
	p.t.Helper()
	out, errs, code := p.try(nil, args...)
	if code != 0 {
		p.t.Fatalf("chant %s: exit %d\n%s%s", strings.Join(args, " "), code, out, errs)
	}
	return out
}

// crashPoints are all records of a run that goes well: between any two of them
// the process may die.
func crashPoints() []string {
	points := []string{"open:begin", "trust:done", "agent:note", "land:note", "drop:done"}
	for _, step := range []string{"branch", "worktree", "setup", "prompt", "agent", "collect", "verify", "complete", "land", "clean"} {
		points = append(points, step+":begin", step+":done")
	}
	return points
}

// TestCrash kills chant at every journaled step. Afterwards status reports it
// if there is something to report, and work continues to the end with nothing
// lost; or reset drops it with everything kept.
func TestCrash(t *testing.T) {
	t.Parallel()
	for _, point := range crashPoints() {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 6)
			t.Run("work", func(t *testing.T) { t.Parallel(); crashThenWork(t, point) })
			t.Run("reset", func(t *testing.T) { t.Parallel(); crashThenReset(t, point) })
		})
	}
}

func crashed(t *testing.T, point string) *project {
	p := newWalledProject(t, "starts")
	p.addFile(crashID, crashSpec)
	out, errs, code := p.try([]string{killAt + "=" + point}, "work", crashID)
	assert.Equal(t, -1, code, "chant was not killed at %s: exit %s %s", point, out, errs)
	return p
}

// landed reports whether the target has the spec completed, and checks that it
// never has the code without it.
func (p *project) landed() bool {
	p.t.Helper()
	status := strings.Contains(p.git("show", "main:.chant/specs/"+crashID+".md"), "status: completed")
	code := strings.Contains(p.git("ls-tree", "--name-only", "main"), "uncommitted.txt")
	if status != code {
		p.t.Fatalf("main has status completed: %t, but code: %t", status, code)
	}
	return status
}

func crashThenWork(t *testing.T, point string) {
	p := crashed(t, point)
	before := p.landed()
	status := p.chant("status")
	if branch := p.git("branch", "--list", "chant/*"); branch != "" && !before && !strings.Contains(status, "interrupted") {
		t.Errorf("status says nothing of the interrupted run:\n%s", status)
	}
	out, errs, code := p.try(nil, "work", crashID)
	if before && code == 5 { // it had landed already: nothing is left to work
		p.chant("cleanup", "--yes")
	} else if code != 0 {
		t.Fatalf("work after a crash at %s: exit %d\n%s%s", point, code, out, errs)
	}
	assert.True(t, p.landed(), "not landed after a crash at %s:\n%s%s", point, out, errs)
	p.nothingLeft()
}

// nothingLeft checks that branch, worktrees and locks are gone and that home is
// clean.
func (p *project) nothingLeft() {
	p.t.Helper()
	for what, out := range map[string]string{
		"branches": p.git("branch", "--list", "chant/*"),
		"status":   p.git("status", "--porcelain"),
		"files":    p.git("ls-files", "--others", "--exclude-standard"),
	} {
		if out != "" {
			p.t.Errorf("%s left: %s", what, out)
		}
	}
	if trees := p.git("worktree", "list"); strings.Count(trees, "\n") > 0 {
		p.t.Errorf("worktrees left:\n%s", trees)
	}
	if n := strings.Count(p.git("log", "--first-parent", "--format=%s", "main"), "Survive"); n != 1 {
		p.t.Errorf("%d landings on main, want 1", n)
	}
}

func crashThenReset(t *testing.T, point string) {
	p := crashed(t, point)
	work := p.everSaw()
	if p.landed() {
		return // nothing to reset: TestCrash/work covers it
	}
	out, errs, code := p.try(nil, "reset", crashID)
	branch := p.git("branch", "--list", "chant/*")
	assert.False(t, branch != "" && code == 0, "reset left %s", branch)
	assert.False(t, code != 0 && code != 5, "reset after a crash at %s: exit %d\n%s%s", point, code, out, errs)
	for file, text := range work {
		assert.True(t, p.kept(file, text), "%s is lost after a reset; output was\n%s%s", file, out, errs)
	}
	if code == 0 && !strings.Contains(p.chant("list"), "pending (ready)") {
		t.Errorf("not ready after a reset:\n%s", p.chant("list"))
	}
}

// everSaw lists what the agent had made when chant died.
func (p *project) everSaw() map[string]string {
	found := map[string]string{}
	for _, name := range []string{"committed.txt", "uncommitted.txt"} {
		if text, err := os.ReadFile(filepath.Join(p.dir, ".chant", "worktrees", crashID, name)); err == nil {
			found[name] = string(text)
		}
	}
	return found
}

// kept looks for a file in every ref.
func (p *project) kept(name, text string) bool {
	for ref := range strings.FieldsSeq(p.git("for-each-ref", "--format=%(refname)")) {
		cmd := exec.CommandContext(p.t.Context(), "git", "show", ref+":"+name)
		cmd.Dir, cmd.Env = p.dir, p.env
		if out, err := cmd.Output(); err == nil && string(out) == text {
			return true
		}
	}
	return false
}

// TestCrash_completedUnlanded: what is completed and has not landed can be landed.
func TestCrash_completedUnlanded(t *testing.T) {
	t.Parallel()
	p := crashed(t, "complete:done")
	p.chant("merge", crashID)
	assert.True(t, p.landed(), "merge did not land it")
	assert.Equal(t, "", p.git("status", "--porcelain"), "home is not clean")
}

// TestCrash_twice kills the run, and then the command that resumes it. The
// agent, once it had ended, is not run again.
func TestCrash_twice(t *testing.T) {
	t.Parallel()
	for first, seconds := range map[string][]string{
		"agent:done":    {"collect:begin", "verify:begin", "verify:done", "complete:begin", "land:begin", "clean:begin"},
		"complete:done": {"land:begin", "land:note", "land:done", "clean:begin"},
		"land:done":     {"clean:begin", "drop:done"},
	} {
		for _, second := range seconds {
			t.Run(first+"/"+second, func(t *testing.T) {
				t.Parallel()
				oneOf(t, 3)
				p := newWalledProject(t, "starts")
				p.addFile(crashID, strings.Replace(crashSpec, "echo committed", `echo start >> "$HOME/starts"`+"\necho committed", 1))
				for _, point := range []string{first, second} {
					out, errs, code := p.try([]string{killAt + "=" + point}, "work", crashID)
					assert.Equal(t, -1, code, "chant was not killed at %s: exit %s %s", point, out, errs)
				}
				out, errs, code := p.try(nil, "work", crashID)
				assert.False(t, code != 0 && code != 5, "work after two crashes: exit %d\n%s%s", code, out, errs)
				assert.True(t, p.landed(), "work after two crashes: exit %d\n%s%s", code, out, errs)
				p.chant("cleanup", "--yes")
				p.nothingLeft()
				starts, err := os.ReadFile(filepath.Join(filepath.Dir(p.dir), "starts"))
				assert.NoError(t, err, "the agent was started more than once")
				assert.Equal(t, "start\n", string(starts), "the agent was started more than once")
			})
		}
	}
}
