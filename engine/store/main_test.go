package store

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/spec"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// Tests see only what they set themselves, whatever the person running them has configured.
	for name, value := range map[string]string{"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

const (
	idA = "2026-11-20-001-aaa"
	idB = "2026-11-20-002-bbb"
	idC = "2026-11-20-003-ccc"
)

// project is a repository on "trunk" whose first commit has the given specs.
type project struct {
	*Store
	t    testing.TB
	home string
}

// newProject takes specs as id and status in turn.
func newProject(t testing.TB, specs ...string) *project {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	assert.NoError(t, err)
	p := &project{t: t, home: home}
	p.git("init", "-q", "-b", "trunk")
	p.git("config", "user.name", "Ann Example")
	p.git("config", "user.email", "ann@example.com")
	p.put("main.go", "package main\n")
	p.put(".chant/specs/.gitkeep", "")
	for i := 0; i < len(specs); i += 2 {
		p.put(SpecPath(specs[i]), withStatus(specs[i+1]))
	}
	p.git("add", "-A")
	p.git("commit", "-qm", "first")
	p.Store = p.openAt(home)
	return p
}

// withStatus is the text of a spec with this status.
func withStatus(status string) string { return "---\nstatus: " + status + " # so\n---\n# A title\n" }

func (p *project) openAt(dir string) *Store {
	p.t.Helper()
	repo, err := gitops.Open(dir)
	if err != nil {
		p.t.Fatal(err)
	}
	s, err := Open(repo, "chant/")
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

func (p *project) git(args ...string) string {
	p.t.Helper()
	return gitIn(p.t, p.home, args...)
}

// gitIn runs git in a folder and returns its output, the last newline cut.
func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	assert.NoError(t, err, "git %q in %s: %s", args, dir, stderr.String())
	return strings.TrimRight(string(out), "\n")
}

func (p *project) put(path, content string) { put(p.t, filepath.Join(p.home, path), content) }

func put(t testing.TB, full, content string) {
	t.Helper()
	assert.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
	assert.NoError(t, os.WriteFile(full, []byte(content), 0o644))
}

func (p *project) file(path string) string { return get(p.t, filepath.Join(p.home, path)) }

// get is the content of a file, "(none)" if it does not exist.
func get(t testing.TB, full string) string {
	t.Helper()
	src, err := os.ReadFile(full)
	if os.IsNotExist(err) {
		return "(none)"
	}
	assert.NoError(t, err)
	return string(src)
}

// runBranch makes the branch of a spec's run on top of trunk, with these bytes
// of the spec, without any worktree.
func (p *project) runBranch(id, content string) {
	p.t.Helper()
	p.git("branch", "chant/"+id)
	repo, err := gitops.Open(p.home)
	if err != nil {
		p.t.Fatal(err)
	}
	o := gitops.CommitOptions{Branch: "chant/" + id, Files: []gitops.File{{Path: SpecPath(id), Content: []byte(content)}}, Message: "start"}
	if _, _, err := repo.CommitFiles(context.Background(), o); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) load() *Set {
	p.t.Helper()
	set, err := p.Load(context.Background())
	if err != nil {
		p.t.Fatal(err)
	}
	return set
}

// brief prints specs as "id status", with the branch of the current version and "landed".
func brief(specs []*spec.Spec) string {
	var out []string
	for _, s := range specs {
		line := s.ID + " " + string(s.Status)
		if s.Branch != "" {
			line += " on " + s.Branch
		}
		if s.Landed {
			line += " landed"
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// leftovers lists the files below a folder except these names.
func leftovers(t testing.TB, dir string, known ...string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	assert.NoError(t, err)
	var out []string
	for _, e := range entries {
		if !strings.Contains(" "+strings.Join(known, " ")+" ", " "+e.Name()+" ") {
			out = append(out, e.Name())
		}
	}
	return out
}
