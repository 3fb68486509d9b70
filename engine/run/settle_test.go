package run

import (
	"testing"

	"chant/engine/run/attempt"
	"chant/engine/run/launch"

	"github.com/alecthomas/assert/v2"
)

func TestBullets_andFirstLine(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "- a\n- b", launch.Bullets([]string{"a", "b"}, "None."))
	assert.Equal(t, "one", attempt.FirstLine("one\ntwo"))
}
