package providers

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestAsks(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"Do you trust the files in this folder?":                      true,
		"Overwrite? [y/N]":                                            true,
		"Continue (yes/no)? ":                                         true,
		"Not logged in · Please run /login":                           true,
		"Press Enter to continue":                                     true,
		"Please sign in with your browser":                            true,
		"Waiting for authorization...":                                true,
		"This command requires approval":                              true,
		"ada@example.com's password: ":                                true,
		"Enter passphrase for key '/home/ada/.ssh/id_ed25519':":       true,
		"Username for 'https://example.com':":                         true,
		"Are you sure you want to continue connecting (yes/no/[f])?":  true,
		"I have read the password field of the form.":                 false,
		"Running the tests:":                                          false,
		"The function asks for permission to write and returns early": false,
		"passwords: 3 checked":                                        false,
		"":                                                            false,
		strings.Repeat("x", pendingLimit) + " [y/n]":                  false,
	} {
		assert.Equal(t, want, Asks(line), "Asks(%q)", line)
	}
}

func TestPending(t *testing.T) {
	t.Parallel()
	p := &pending{}
	for _, step := range []struct{ bytes, want string }{
		{"one\ntwo", "two"},
		{"", ""},
		{" three? ", "two three?"},
		{"\n", ""},
		{strings.Repeat("a", 1000), strings.Repeat("a", pendingLimit)},
		{"b\nName\xff:", "Name\uFFFD:"},
	} {
		if step.bytes != "" {
			p.add([]byte(step.bytes))
		}
		assert.Equal(t, step.want, p.takePending(), "after %q", step.bytes)
	}
}

// TestRun_asking: an agent that stops in the middle of a line, as at a prompt, is
// heard while it still waits, and its line arrives complete when it continues.
func TestRun_asking(t *testing.T) {
	t.Parallel()
	r := recording{}
	l := agent(t, `printf 'Still busy'; echo; printf 'Password: ' >&2; while ! [ -e go ]; do sleep 0.02; done; echo ok >&2`)
	r.on = func(e Event) {
		if e.Kind == Asking {
			if err := os.WriteFile(filepath.Join(l.Dir, "go"), nil, 0o600); err != nil {
				t.Error(err)
			}
		}
	}
	o, err := Run(context.Background(), l, Limits{}, r.watch())
	assert.NoError(t, err)
	assert.True(t, o.OK, "%+v, %v", o, err)
	assert.Equal(t, "Password:", r.texts(Asking))
	assert.Equal(t, "Password: ok", r.texts(Stderr))
}
