package toolset

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestWithMember(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value any
		want  string // "" for what is no object
	}{
		{struct{}{}, `{"answers":1}`}, {struct{ B, A int }{1, 2}, `{"B":1,"A":2,"answers":1}`}, {"text", ""}, {func() {}, ""},
	} {
		got, ok := withMember(tt.value, "answers", 1)
		assert.Equal(t, tt.want, string(got), "%v", tt.value)
		assert.Equal(t, tt.want != "", ok, "%v", tt.value)
	}
}
