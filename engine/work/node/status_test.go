package node

import (
	"testing"

	"chant/engine/fleet"

	"github.com/alecthomas/assert/v2"
)

func TestVersionsOf(t *testing.T) {
	t.Parallel()
	nodes := []fleet.Node{{Name: "a", Version: "0.2.0"}, {Name: "b"}, {Name: "c", Version: "0.2.0"}, {Name: "d", Version: "0.1.0"}}
	assert.Equal(t, []string{"0.1.0", "0.2.0", "unknown"}, versionsOf(nodes))
	assert.Equal(t, []string{"0.2.0"}, versionsOf(nodes[:1]))
}
