package text

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestJSON(t *testing.T) {
	t.Parallel()
	for indent, want := range map[string]string{"": `{"a":"<b> & c"}`, "  ": "{\n  \"a\": \"<b> & c\"\n}"} {
		got, err := JSON(map[string]string{"a": "<b> & c"}, indent)
		assert.NoError(t, err, "indent %q", indent)
		assert.Equal(t, want, string(got), "indent %q", indent)
	}
	_, err := JSON(func() {}, "")
	assert.Error(t, err, "a function was encoded")
}
