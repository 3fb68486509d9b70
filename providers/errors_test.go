package providers

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestErrors_text(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&MissingError{"claude", "claude"}, `provider "claude": program "claude" not found`},
		{&MissingError{"", "sh"}, `program "sh" not found`},
		{&ConfigError{"mine", "command is missing", false}, `provider "mine": command is missing`},
	} {
		assert.Equal(t, tt.want, tt.err.Error())
	}
}
