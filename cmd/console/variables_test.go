package console

import (
	"slices"
	"testing"
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
		if got := joinVariables(tc.args); !slices.Equal(got, tc.want) {
			t.Errorf("%q: %q, want %q", tc.args, got, tc.want)
		}
	}
}
