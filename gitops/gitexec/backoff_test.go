package gitexec

import (
	"errors"
	"fmt"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestContended(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]bool{
		"fatal: could not open '.git/worktrees/w/gitdir' for writing: No such file or directory": true,
		"fatal: could not open '.git/worktrees/w/locked' for writing: No such file or directory": true,
		"fatal: could not create directory of '.git/worktrees/w': No such file or directory":     true,
		"fatal: not a git repository: /r/.git/worktrees/w":                                       true,
		"fatal: update_ref failed for ref 'HEAD': couldn't set 'HEAD'":                           true,
		"fatal: Unable to create '/r/.git/index.lock': File exists.":                             true,
		"fatal: could not open 'x' for writing: No such file or directory":                       false,
		"fatal: '.chant/worktrees/x' already exists":                                             false,
	} {
		failed := &Error{Args: []string{"worktree", "add"}, ExitCode: 128, Stderr: stderr}
		assert.Equal(t, want, Contended(fmt.Errorf("wrapped: %w", failed)), "%q", stderr)
	}
	if Contended(&Error{Args: []string{"status"}, Stderr: "fatal: not a git repository: /r/.git/worktrees/w"}) {
		t.Error("a worktree that is gone does not come back")
	}
	for stderr, want := range map[string]bool{
		"error: cannot lock ref 'refs/remotes/origin/main': is at fe18 but expected 0ff8":           true,
		"error: cannot lock ref 'refs/remotes/origin/main': reference is missing but expected 0ff8": true,
		"error: cannot lock ref 'refs/remotes/origin/main': reference already exists":               true,
		"error: cannot lock ref 'refs/remotes/origin/a/b': 'refs/remotes/origin/a' exists":          false,
	} {
		assert.Equal(t, want, Contended(&Error{Args: []string{"fetch"}, Stderr: stderr}), "fetch: %q", stderr)
		assert.False(t, Contended(&Error{Args: []string{"update-ref"}, Stderr: stderr}), "update-ref: %q is an answer", stderr)
	}
	assert.False(t, Contended(nil), "an error that is not git's")
	assert.False(t, Contended(errors.New("could not lock config file")), "an error that is not git's")
}

func TestLocked(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]bool{
		"fatal: Unable to create '/x/.git/index.lock': File exists.": true,
		"error: could not lock config file .git/config.lock":         true,
		"fatal: not a git repository":                                false,
		"":                                                           false,
	} {
		assert.Equal(t, want, (&Error{Stderr: stderr}).Locked(), "%q", stderr)
	}
}
