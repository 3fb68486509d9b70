package local

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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
)

// project is an empty repository with the folder of a project.
type project struct {
	Files
	t    testing.TB
	home string
}

func newProject(t testing.TB) *project {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	assert.NoError(t, err)
	p := &project{FilesIn(filepath.Join(home, ".git"), home), t, home}
	p.git("init", "-q")
	assert.NoError(t, os.Mkdir(filepath.Join(home, Dir), 0o755))
	return p
}

func (p *project) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = p.home
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("git %q: %v\n%s", args, err, stderr.String())
	}
	return strings.TrimRight(string(out), "\n")
}

func put(t testing.TB, full, content string) {
	t.Helper()
	assert.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
	assert.NoError(t, os.WriteFile(full, []byte(content), 0o644))
}

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
