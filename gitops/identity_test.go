package gitops

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestIdentity_isNeverMadeUp(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.git("config", "--unset", "user.email")
	who, err := s.Identity(t.Context())
	assert.IsError(t, err, ErrNoIdentity, "got %q", who)
}

// Settings that cannot be read are no missing identity.
func TestIdentity_brokenSettings(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	config := filepath.Join(s.Home(), ".git", "config")
	text, err := os.ReadFile(config)
	assert.NoError(t, err)
	assert.NoError(t, os.WriteFile(config, append(text, "[user\n"...), 0o644))
	_, err = s.Identity(t.Context())
	failed, ok := errors.AsType[*GitError](err)
	assert.True(t, ok && !errors.Is(err, ErrNoIdentity), "got %v", err)
	assert.HasSuffix(t, failed.SettingsFile(), ".git/config")
}

func TestWorkID(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := t.Context()
	id := func(from, to string, except ...string) string {
		t.Helper()
		got, err := s.WorkID(ctx, from, to, except...)
		assert.NoError(t, err)
		return got
	}
	s.git("checkout", "-q", "-b", "work")
	s.commit("a", "a")
	s.commit("spec", "text")
	first := id("trunk", "work", "spec")
	s.commit("spec", "approved")
	assert.Equal(t, first, id("trunk", "work", "spec"), "what is left out counts, or what is not does not")
	assert.NotEqual(t, first, id("trunk", "work"), "what is left out counts, or what is not does not")
	s.git("checkout", "-q", "trunk")
	s.commit("other", "o")
	s.git("checkout", "-q", "work")
	s.git("rebase", "-q", "trunk")
	assert.Equal(t, first, id("trunk", "work", "spec"), "a clean rebase changes the work")
	s.commit("a", "b")
	assert.NotEqual(t, first, id("trunk", "work", "spec"), "another content is the same work")
	s.git("rm", "-q", "base.txt")
	s.git("commit", "-q", "-m", "gone")
	if id("trunk", "work", "spec") == id("trunk", "work~1", "spec") {
		t.Error("a removal is no work")
	}
}
