package providers

import (
	"encoding/json"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestCount(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]Count{
		"0": {}, "-0": {}, "null": {}, "300": {N: 300}, "300.0": {N: 300}, "1e3": {N: 1000}, "1.5e1": {N: 15}, "12E+2": {N: 1200},
		"1e300": {N: maxTokens}, "9223372036854775808": {N: maxTokens},
		"1.5": {Odd: true}, "-1": {Odd: true}, "1e-3": {Odd: true}, "1e999": {Odd: true},
		`"300"`: {Odd: true}, `"NaN"`: {Odd: true}, "true": {Odd: true}, "{}": {Odd: true}, "[1]": {Odd: true},
	} {
		got := struct{ N, Next Count }{}
		assert.NoError(t, json.Unmarshal([]byte(`{"N":`+src+`,"Next":7}`), &got), "%s", src)
		assert.Equal(t, want, got.N, "%s", src)
		assert.Equal(t, 7, got.Next.N, "%s", src)
	}
}
