package run

import (
	"testing"

	"chant/engine/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/briefing"
	"chant/engine/spec"
)

func TestBullets_andFirstLine(t *testing.T) {
	t.Parallel()
	if got := briefing.Bullets([]string{"a", "b"}, "None."); got != "- a\n- b" {
		t.Errorf("bullets %q", got)
	}
	if got := attempt.FirstLine("one\ntwo"); got != "one" {
		t.Errorf("first line %q", got)
	}
}

// What becomes of a spec follows the kind of failure.
func TestEventFor(t *testing.T) {
	t.Parallel()
	flags := map[spec.ReasonCode]bool{spec.ReasonTampered: true, spec.ReasonStrayed: true, spec.ReasonOutput: true}
	for _, code := range spec.ReasonCodes() {
		want := spec.Fail
		if flags[code] {
			want = spec.Flag
		}
		if got := eventFor(&journal.Failure{Kind: code, Message: "forbidden changes during the run"}); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}
