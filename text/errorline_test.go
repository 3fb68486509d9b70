package text

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestIsError(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"error: x": true, "Error x": true, "  fatal: x": true, "npm error code E404": true, "npm ERR! x": true, "make: error: x": true,
		"no error": false, "checking error handling": false, "a b error: x": false, "npm warn x": false, "errors: 0": false, "": false,
	} {
		assert.Equal(t, want, IsError(line), "%q", line)
	}
}
