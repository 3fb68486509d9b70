package spec

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCheckLabel: a label has only characters that need no quotes in a list or a shell.
func TestCheckLabel(t *testing.T) {
	t.Parallel()
	for label, ok := range map[string]bool{
		"gpu": true, "linux/arm64": true, "cuda:12.4": true, "A_b-9": true, strings.Repeat("x", maxLabel): true,
		"": false, "a b": false, "a,b": false, "größe": false, "a\n": false, "*": false, strings.Repeat("x", maxLabel+1): false,
	} {
		assert.Equal(t, ok, CheckLabel(label) == nil, "%q", label)
	}
}
