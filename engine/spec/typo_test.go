package spec

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	words := []string{"depends_on", "labels", "model", "log"}
	for text, want := range map[string]string{
		"depend_on": "depends_on", "dependsOn": "depends_on", "Lables": "labels", "modle": "model", "lag": "log", "l": "", "nothing": "", "": "",
	} {
		assert.Equal(t, want, Nearest(text, words), "nearest to %q", text)
	}
}
