package gitops

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestUnsavedSubmodules(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		work func(s *sandbox, sub func(args ...string) string, top string)
		want string
	}{
		"untouched": {func(*sandbox, func(...string) string, string) {}, "[]"},
		"not initialised": {func(s *sandbox, _ func(...string) string, top string) {
			s.git("-C", top, "submodule", "--quiet", "deinit", "-f", "lib")
		}, "[]"},
		"untracked": {func(s *sandbox, _ func(...string) string, top string) {
			writeFile(t, filepath.Join(top, "lib", "p"), "p")
		}, "[{lib true}]"},
		"changed": {func(s *sandbox, _ func(...string) string, top string) {
			writeFile(t, filepath.Join(top, "lib", "base.txt"), "p")
		}, "[{lib true}]"},
		"stashed": {func(s *sandbox, sub func(...string) string, top string) {
			writeFile(t, filepath.Join(top, "lib", "base.txt"), "p")
			sub("stash", "-q")
		}, "[{lib false}]"},
		"commit": {func(_ *sandbox, sub func(...string) string, _ string) {
			sub("commit", "-q", "--allow-empty", "-m", "alone")
		}, "[{lib false}]"},
		"commit on a branch that was left": {func(_ *sandbox, sub func(...string) string, _ string) {
			sub("switch", "-q", "-c", "mine")
			sub("commit", "-q", "--allow-empty", "-m", "alone")
			sub("switch", "-q", "--detach", "HEAD^")
		}, "[{lib false}]"},
		"pushed": {func(_ *sandbox, sub func(...string) string, _ string) {
			sub("commit", "-q", "--allow-empty", "-m", "shared")
			sub("push", "-q", "origin", "HEAD:refs/heads/shared")
		}, "[]"},
		"in home's store": {func(s *sandbox, sub func(...string) string, _ string) {
			sub("commit", "-q", "--allow-empty", "-m", "shared")
			sub("push", "-q", filepath.Join(s.top, ".git", "modules", "lib"), "HEAD:refs/heads/shared")
		}, "[]"},
		"as home has it, though no remote has": {func(s *sandbox, sub func(...string) string, _ string) {
			sub("commit", "-q", "--allow-empty", "-m", "gone upstream")
			s.git("update-index", "--cacheinfo", "160000,"+sub("rev-parse", "HEAD")+",lib")
			s.git("commit", "-qm", "moved")
		}, "[]"},
		"broken": {func(_ *sandbox, _ func(...string) string, top string) {
			writeFile(t, filepath.Join(top, "lib", ".git"), "gitdir: nowhere")
		}, "[{lib true}]"},
		"within another": {func(_ *sandbox, sub func(...string) string, _ string) {
			sub("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub("remote", "get-url", "origin"), "deep")
			sub("commit", "-qm", "deep")
			sub("push", "-q", "origin", "HEAD:refs/heads/shared")
			sub("-C", "deep", "commit", "-q", "--allow-empty", "-m", "alone")
		}, "[{lib/deep false}]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other, s := newSandbox(t), newSandbox(t)
			s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.top, "lib")
			s.git("commit", "-qm", "lib")
			top := filepath.Join(t.TempDir(), "linked")
			s.git("worktree", "add", "-q", "--detach", top)
			s.git("-C", top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init")
			sub := func(args ...string) string {
				return s.git(append([]string{"-C", filepath.Join(top, "lib"), "-c", "user.name=Ada", "-c", "user.email=ada@example.com"}, args...)...)
			}
			c.work(s, sub, top)
			assert.Equal(t, c.want, fmt.Sprint(must[[]UnsavedSubmodule](t)(s.UnsavedSubmodules(ctx, top))))
		})
	}
	s := newSandbox(t)
	_, err := s.UnsavedSubmodules(ctx, t.TempDir())
	assert.IsError(t, err, ErrNotRepository)
}
