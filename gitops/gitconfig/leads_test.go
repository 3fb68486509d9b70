package gitconfig

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// A remote is a path or an address, no command whose words are names of files.
func TestLeadOf_remotes(t *testing.T) {
	t.Parallel()
	for value, path := range map[string]bool{"/x": true, "vendor/lib.git": true, "https://host/x": true, "ext::sh x": false} {
		for _, key := range []string{"remote.o.url", "remote.o.pushurl"} {
			lead, ok := leadOf(key, value)
			assert.True(t, ok, "%s %s", key, value)
			assert.Equal(t, path, lead.Path, "%s %s", key, value)
		}
	}
	lead, ok := leadOf("remote.o.uploadpack", "sh x")
	assert.True(t, ok && !lead.Path)
}
