package gitexec

import "testing"

// TestError_Unsigned recognizes what git and ssh-keygen print where a commit cannot be signed.
func TestError_Unsigned(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]bool{
		"error: Couldn't load public key /home/a/.ssh/id: No such file or directory?\n": true,
		"error: Load key \"/home/a/.ssh/id\": invalid format\n":                         true,
		"error: gpg failed to sign the data\n":                                          true,
		"fatal: not a valid object name\n":                                              false,
	} {
		e := &Error{Args: []string{"commit-tree"}, Stderr: stderr}
		if got := e.Unsigned(); got != want {
			t.Errorf("%q: got %t, want %t", stderr, got, want)
		}
	}
}
