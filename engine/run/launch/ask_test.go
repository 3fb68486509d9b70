package launch

import (
	"testing"

	"chant/engine/spec"
	"chant/providers"
)

// A limit that has stopped a question is not looked for in the settings' check, which says
// nothing of it.
func TestWayOn(t *testing.T) {
	t.Parallel()
	used := func(why string) providers.Outcome {
		return providers.Outcome{Overdrawn: true, Verdict: providers.Verdict{Reason: why}}
	}
	tokens := spec.Limits{Tokens: 5}
	for _, tt := range []struct {
		out  providers.Outcome
		want string
	}{
		{providers.Outcome{}, askChecked},
		{providers.Outcome{Silent: true}, askChecked},
		{used(tokens.Met(OneQuestion, spec.Use{Tokens: 5})), "chant edit abc"},
		{used(tokens.Met("run", spec.Use{Tokens: 5})), "chant status --usage"},
		{used(tokens.Met("day", spec.Use{Tokens: 5})), "chant status --usage"},
		{providers.Outcome{TimedOut: true}, "chant edit abc"},
		{providers.Outcome{TimedOut: true, Shared: true}, "chant status --usage"},
	} {
		if got := wayOn(&spec.Spec{ID: "abc"}, tt.out); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.out, got, tt.want)
		}
	}
}
