package providers

import (
	"encoding/json"
	"testing"
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
		if err := json.Unmarshal([]byte(`{"N":`+src+`,"Next":7}`), &got); err != nil || got.N != want || got.Next.N != 7 {
			t.Errorf("%s: %+v, %v; want %+v", src, got, err, want)
		}
	}
}
