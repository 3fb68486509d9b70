package providers

import "testing"

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
		if tt.err.Error() != tt.want {
			t.Errorf("got %q, want %q", tt.err, tt.want)
		}
	}
}
