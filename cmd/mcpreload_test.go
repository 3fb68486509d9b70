package cmd

import "testing"

func TestReloads(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{"": true, "1": true, "off": true, "0": false} {
		if got := watchedExecutable([]string{"A=b", "LOTAR_MCP_AUTORELOAD=" + value}); (got != "") != want {
			t.Errorf("%q: %q", value, got)
		}
	}
	if watchedExecutable(nil) == "" {
		t.Error("it is not on by default")
	}
}
