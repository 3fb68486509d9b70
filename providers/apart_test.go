package providers

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chant/providers/secret"

	"github.com/alecthomas/assert/v2"
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
			assert.NoError(t, err)
			assert.Equal(t, tt.exit, r.ExitCode)
			assert.False(t, r.TimedOut, "%+v, %v", r, err)
			if name == "secret" {
				assert.NotContains(t, r.Stdout+r.Stderr, "abcdefgh")
				assert.NotEqual(t, "", r.Stdout)
				assert.NotEqual(t, "", r.Stderr)
				return
			}
			assert.Equal(t, tt.out, r.Stdout)
			assert.Equal(t, tt.err, r.Stderr)
			_, err = os.Stat(filepath.Join(c.Dir, "x"))
			assert.Error(t, err, "an argument was run")
		})
	}
}

// TestRunApart_limit ends everything that the command has started.
func TestRunApart_limit(t *testing.T) {
	t.Parallel()
	c := command(t, `sleep 300 & echo begun; wait`)
	c.Timeout = 300 * time.Millisecond
	r, err := RunApart(context.Background(), c, 1<<10, "slow")
	assert.NoError(t, err)
	assert.True(t, r.TimedOut, "%+v, %v", r, err)
	assert.Equal(t, "begun\n", r.Stdout)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	_, err = RunApart(ctx, c, 1<<10, "slow")
	assert.IsError(t, err, context.Canceled)
}
