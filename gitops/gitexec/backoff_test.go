package gitexec

import (
	"errors"
	"fmt"
	"testing"
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
		if got := Contended(fmt.Errorf("wrapped: %w", failed)); got != want {
			t.Errorf("%q: %v", stderr, got)
		}
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
		if got := Contended(&Error{Args: []string{"fetch"}, Stderr: stderr}); got != want {
			t.Errorf("fetch: %q: %v", stderr, got)
		}
		if Contended(&Error{Args: []string{"update-ref"}, Stderr: stderr}) {
			t.Errorf("update-ref: %q is an answer", stderr)
		}
	}
	if Contended(nil) || Contended(errors.New("could not lock config file")) {
		t.Error("an error that is not git's")
	}
}

func TestLocked(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]bool{
		"fatal: Unable to create '/x/.git/index.lock': File exists.": true,
		"error: could not lock config file .git/config.lock":         true,
		"fatal: not a git repository":                                false,
		"":                                                           false,
	} {
		if got := (&Error{Stderr: stderr}).Locked(); got != want {
			t.Errorf("%q: %v", stderr, got)
		}
	}
}
