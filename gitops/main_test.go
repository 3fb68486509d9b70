package gitops

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"

	"chant/gitops/layout"
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

// sandbox is a repository on a branch "trunk" with one commit.
type sandbox struct {
	*Repo
	t   testing.TB
	top string
}

func newSandbox(t testing.TB, initArgs ...string) *sandbox {
	t.Helper()
	s := &sandbox{t: t, top: layout.RealPath(t.TempDir())}
	s.git(append([]string{"init", "-q", "-b", "trunk"}, initArgs...)...)
	s.identify()
	s.write("base.txt", "base\n")
	s.write("sub/deep/file.txt", "one\n")
	s.git("add", "-A")
	s.git("commit", "-qm", "first")
	return s.open()
}

func (s *sandbox) identify() {
	s.git("config", "user.name", "Ann Example")
	s.git("config", "user.email", "ann@example.com")
}

func (s *sandbox) open() *sandbox {
	s.t.Helper()
	s.Repo = opened(s.t, s.top)
	return s
}

// opened is a repository whose git processes end with the test.
func opened(t testing.TB, dir string) *Repo {
	t.Helper()
	repo, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repo.objects.Close)
	return repo
}

// git runs the binary in the top and returns its output, trailing newline cut.
func (s *sandbox) git(args ...string) string {
	s.t.Helper()
	return gitIn(s.t, s.top, args...)
}

// fails runs the binary where it must end with an error.
func (s *sandbox) fails(args ...string) {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = s.top
	if out, err := cmd.CombinedOutput(); err == nil {
		s.t.Fatalf("git %q worked\n%s", args, out)
	}
}

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

func (s *sandbox) write(path, content string) {
	s.t.Helper()
	writeFile(s.t, filepath.Join(s.top, filepath.FromSlash(path)), content)
}

func writeFile(t testing.TB, path, content string) {
	t.Helper()
	assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	assert.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	return string(must[[]byte](t)(os.ReadFile(path)))
}

// commit commits one file through the package under test.
func (s *sandbox) commit(path, content string) string {
	s.t.Helper()
	s.write(path, content)
	hash, changed, err := s.CommitFiles(context.Background(), CommitOptions{Files: []File{file(path, content)}, Message: "set " + path})
	if err != nil || !changed {
		s.t.Fatalf("commit of %q: changed %v, %v", path, changed, err)
	}
	return hash
}

func file(path, content string) File { return File{Path: path, Content: []byte(content)} }

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		assert.NoError(t, err)
		return v
	}
}

func timeout(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// pause waits; false when ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func gone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
