package toolset

import "testing"

func TestWithMember(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value any
		want  string // "" for what is no object
	}{
		{struct{}{}, `{"answers":1}`}, {struct{ B, A int }{1, 2}, `{"B":1,"A":2,"answers":1}`}, {"text", ""}, {func() {}, ""},
	} {
		if got, ok := withMember(tt.value, "answers", 1); string(got) != tt.want || ok != (tt.want != "") {
			t.Errorf("%v: %s, want %s", tt.value, got, tt.want)
		}
	}
}
