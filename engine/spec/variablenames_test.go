package spec

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestVariableName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"HOME": true, "_a1": true, "": false, "1A": false, "A-B": false, "A*": false, "A=B": false, "Ä": false, "A B": false} {
		assert.Equal(t, want, VariableName(name), "VariableName( %v)", !want)
	}
}
