package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"chant/engine/store/config"

	"github.com/alecthomas/assert/v2"
)

// TestKeepGitDirs: what tidies a repository leaves the folders that agents write to, as long as their keepers are new.
func TestKeepGitDirs(t *testing.T) {
	t.Parallel()
	f := walled(t, config.SandboxConfig{})
	dirs := append(f.looseDirs(), f.branchDirs()...)
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Env = f.home, append(f.Environ, "PATH="+os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "git %q: %s", args, out)
		return string(out)
	}
	prepare := func(now time.Time) {
		t.Helper()
		assert.NoError(t, makeGitDirs(dirs))
		assert.NoError(t, keepGitDirs(dirs, now))
	}
	there := func() (n int) {
		for _, dir := range dirs {
			if _, err := os.Stat(dir); err == nil {
				n++
			}
		}
		return n
	}
	now := time.Now()
	prepare(now)
	git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "begin")
	git("update-ref", "refs/heads/chant/x", "HEAD")
	git("pack-refs", "--all")
	git("gc", "-q")
	assert.Equal(t, len(dirs), there())
	if out := git("fsck", "--no-dangling", "--no-progress") + git("for-each-ref", "--format=%(refname)", "refs/heads/chant"); out != "refs/heads/chant/x\n" {
		t.Errorf("git says %q", out)
	}
	old := filepath.Join(dirs[0], objectKeeper)
	assert.NoError(t, os.Chtimes(old, now.Add(-2*keeperLife), now.Add(-2*keeperLife)))
	prepare(now)
	info, err := os.Stat(old)
	assert.NoError(t, err, "an old keeper was not made new")
	assert.False(t, info.ModTime().Before(now.Add(-time.Minute)), "an old keeper was not made new: %v, %v", info, err)
	git("prune", "--expire=now")
	assert.NotEqual(t, len(dirs), there(), "git prune --expire=now removes no folder, so keepers are not needed")
}
