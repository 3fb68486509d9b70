package touched

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestInChant_ofAnyProject(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{
		".chant/config.md": true, "services/api/.chant/config.md": true, "../web/.chant/specs/a.md": true, "../../.chant/prompts/standard.md": true,
		"services/.CHANT/config.md": true, "a/chant~1/config.md": true, ".CHANT": true,
		".chant": false, "a/.chant": false, "a/chant/config.md": false, "a/.chantx/b": false, "../a.go": false,
	} {
		assert.Equal(t, want, InChant(file), "%q", file)
	}
	assert.Equal(t, Settings, KindOf("services/api/.chant/config.md", nil))
	assert.Equal(t, Prompt, KindOf("../.chant/prompts/a.md", nil))
	assert.Equal(t, Kind(""), KindOf("../web/.chant/specs/a.md", nil))
}
