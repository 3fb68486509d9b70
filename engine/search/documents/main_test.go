package documents

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"chant/engine/store"
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
	*store.Store
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
		p.put(store.SpecPath(specs[i]), "---\nstatus: "+specs[i+1]+"\n---\n# A title\n")
	}
	p.git("add", "-A")
	p.git("commit", "-qm", "first")
	p.Store = p.openAt(home)
	return p
}

// indexed makes queries use the index, and every stamp count as settled.
func indexed(p *project) {
	p.Index = store.IndexAlways
	p.Clock = func() time.Time { return time.Now().Add(time.Hour) }
}

func (p *project) openAt(dir string) *store.Store {
	p.t.Helper()
	repo, err := gitops.Open(dir)
	if err != nil {
		p.t.Fatal(err)
	}
	s, err := store.Open(repo, "chant/")
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

func (p *project) git(args ...string) {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = p.home
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func (p *project) put(path, content string) {
	p.t.Helper()
	full := filepath.Join(p.home, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		p.t.Fatal(err)
	}
}
