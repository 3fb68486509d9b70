package run

import (
	"testing"

	"chant/engine/run/attempt"
	"chant/engine/run/launch"
)

func TestBullets_andFirstLine(t *testing.T) {
	t.Parallel()
	if got := launch.Bullets([]string{"a", "b"}, "None."); got != "- a\n- b" {
		t.Errorf("bullets %q", got)
	}
	if got := attempt.FirstLine("one\ntwo"); got != "one" {
		t.Errorf("first line %q", got)
	}
}
