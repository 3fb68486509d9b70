package console

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestJoinVariables(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ args, want []string }{
		{[]string{"command", "run", "--uv-target=a=b", "x"}, []string{"command", "run", "--uv=target=a=b", "x"}},
		{[]string{"--uv-target", "a b", "x"}, []string{"--uv=target=a b", "x"}},
		{[]string{"--uv-target"}, []string{"--uv=target"}},
		{[]string{"--uv", "target=x", "--uv-"}, []string{"--uv", "target=x", "--uv-"}},
		{[]string{"--", "--uv-target=x"}, []string{"--", "--uv-target=x"}},
	} {
		assert.Equal(t, tc.want, joinVariables(tc.args), "%q", tc.args)
	}
}
