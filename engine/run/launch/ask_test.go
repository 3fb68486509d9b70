package launch

import (
	"testing"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// A limit that has stopped a question is not looked for in the settings' check, which says
// nothing of it.
func TestNextWithoutAnswer(t *testing.T) {
	t.Parallel()
	used := func(why string) providers.Outcome {
		return providers.Outcome{Overdrawn: true, Verdict: providers.Verdict{Reason: why}}
	}
	const words = "token limit of the question reached: 5 of 5" // which decide nothing
	for _, tt := range []struct {
		out  providers.Outcome
		met  LimitMet
		want string
	}{
		{providers.Outcome{}, LimitMet{}, "chant config --validate"},
		{providers.Outcome{Silent: true}, LimitMet{}, "chant config --validate"},
		{used("it used 5"), LimitMet{"it used 5", true}, "chant edit abc"},
		{used(words), LimitMet{words, false}, "chant status --usage"},
		{providers.Outcome{Verdict: providers.Verdict{Reason: words}}, LimitMet{}, "chant config --validate"},
		{providers.Outcome{TimedOut: true}, LimitMet{}, "chant edit abc"},
		{providers.Outcome{TimedOut: true, Shared: true}, LimitMet{}, "chant status --usage"},
	} {
		assert.Equal(t, tt.want, nextWithoutAnswer("abc", tt.out, tt.met).String(), "%+v", tt.out)
	}
}
