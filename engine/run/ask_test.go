package run

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
		out    providers.Outcome
		limits providers.Limits
		want   string
	}{
		{providers.Outcome{}, providers.Limits{}, askAgain},
		{providers.Outcome{Silent: true}, providers.Limits{}, askAgain},
		{used(tokens.Met(OneQuestion, spec.Use{Tokens: 5})), providers.Limits{}, "chant edit abc"},
		{used(tokens.Met("run", spec.Use{Tokens: 5})), providers.Limits{}, "chant status --usage"},
		{used(tokens.Met("day", spec.Use{Tokens: 5})), providers.Limits{}, "chant status --usage"},
		{providers.Outcome{TimedOut: true}, providers.Limits{}, "chant edit abc"},
		{providers.Outcome{TimedOut: true}, providers.Limits{Late: "time limit of the run reached: 1s"}, "chant status --usage"},
	} {
		if got := wayOn(&spec.Spec{ID: "abc"}, tt.out, tt.limits); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.out, got, tt.want)
		}
	}
}
