package providers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/providers/secret"
)

// TestRunApart passes arguments whole, keeps the streams apart and removes secrets.
func TestRunApart(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		line     string
		args     []string
		exit     int
		out, err string
	}{
		"streams":   {"echo 1; echo 2 >&2; echo 3; exit 4", nil, 4, "1\n3\n", "2\n"},
		"arguments": {`printf '<%s>' "$@"`, []string{"-v", "a b", "$(touch x); y", "'"}, 0, "<-v><a b><$(touch x); y><'>", ""},
		"none":      {`echo $# "$@"`, nil, 0, "0\n", ""},
		"name":      {`echo "$0"`, []string{"x"}, 0, "lint\n", ""},
		"secret":    {`echo "$TOKEN"; echo "$TOKEN" >&2`, nil, 0, "***\n", "***\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := command(t, tt.line)
			c.Env = append(c.Env, "TOKEN=abcdefgh12345678")
			c.Secrets = secret.From("TOKEN=abcdefgh12345678")
			r, err := RunApart(context.Background(), c, 1<<10, "lint", tt.args...)
			if err != nil || r.ExitCode != tt.exit || r.TimedOut {
				t.Errorf("%+v, %v", r, err)
			}
			if name == "secret" {
				if strings.Contains(r.Stdout+r.Stderr, "abcdefgh") || r.Stdout == "" || r.Stderr == "" {
					t.Errorf("%q, %q", r.Stdout, r.Stderr)
				}
				return
			}
			if r.Stdout != tt.out || r.Stderr != tt.err {
				t.Errorf("got %q and %q", r.Stdout, r.Stderr)
			}
			if _, err := os.Stat(filepath.Join(c.Dir, "x")); err == nil {
				t.Error("an argument was run")
			}
		})
	}
}

// TestRunApart_limit ends everything that the command has started.
func TestRunApart_limit(t *testing.T) {
	t.Parallel()
	c := command(t, `sleep 300 & echo begun; wait`)
	c.Timeout = 300 * time.Millisecond
	r, err := RunApart(context.Background(), c, 1<<10, "slow")
	if err != nil || !r.TimedOut || r.Stdout != "begun\n" {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := RunApart(ctx, c, 1<<10, "slow"); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
