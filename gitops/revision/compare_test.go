package revision

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestParseNumstat(t *testing.T) {
	t.Parallel()
	for out, want := range map[string][]FileDiff{
		"":                                    {},
		"1\t2\ta\tb\x00":                      {{Path: "a\tb", Added: 1, Removed: 2}},
		"-\t-\tpicture.png\x00":               {{Path: "picture.png", Binary: true}},
		"0\t3\t\x00old\x00new\x001\t0\tx\x00": {{Path: "new", Old: "old", Removed: 3}, {Path: "x", Added: 1}},
	} {
		got, err := parseNumstat(out)
		assert.NoError(t, err, "%q", out)
		assert.Equal(t, want, got, "%q", out)
	}
	for _, out := range []string{"x", "1\t2\ta", "1\tb\ta\x00", "-1\t2\ta\x00", "1\t2\t\x00old\x00", "1\t2\t\x00"} {
		got, err := parseNumstat(out)
		assert.Error(t, err, "%q: %+v", out, got)
	}
}

func FuzzParseNumstat(f *testing.F) {
	f.Add("0\t3\t\x00old\x00new\x001\t0\tx\x00")
	f.Fuzz(func(t *testing.T, out string) {
		files, err := parseNumstat(out)
		assert.False(t, err != nil && files != nil, "%q: files and an error", out)
		for _, file := range files {
			assert.True(t, file.Added >= 0, "%q: %+v", out, file)
			assert.True(t, file.Removed >= 0, "%q: %+v", out, file)
		}
	})
}
