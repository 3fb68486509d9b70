package cmd

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestReloads(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{"": true, "1": true, "off": true, "0": false} {
		assert.Equal(t, want, watchedExecutable([]string{"A=b", "LOTAR_MCP_AUTORELOAD=" + value}) != "", "%q", value)
	}
	assert.NotEqual(t, "", watchedExecutable(nil), "it is not on by default")
}
