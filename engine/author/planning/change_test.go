package planning

import (
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestEdit_drop names specs by number and by id. A short number is none of an id.
func TestEdit_drop(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"1": "drop 001-a9b", "2": "drop 002-c3d", "002": "drop 002-c3d", "9": "", "3": "", "0": "", "00": ""} {
		d := draft{specs: withEffort(t, "effort: 2h", "effort: 3h")}
		d.specs[0].id, d.specs[1].id = "001-a9b", "002-c3d"
		what, err := d.edit(t.Context(), nil, ChangeInput{Drop: name})
		if want == "" {
			assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err), "%q: %q", name, what)
			continue
		}
		assert.NoError(t, err, "%q", name)
		assert.Equal(t, want, what)
		assert.Equal(t, 1, len(d.specs))
	}
}
