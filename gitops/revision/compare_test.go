package revision

import (
	"reflect"
	"testing"
)

func TestParseNumstat(t *testing.T) {
	t.Parallel()
	for out, want := range map[string][]FileDiff{
		"":                                    {},
		"1\t2\ta\tb\x00":                      {{Path: "a\tb", Added: 1, Removed: 2}},
		"-\t-\tpicture.png\x00":               {{Path: "picture.png", Binary: true}},
		"0\t3\t\x00old\x00new\x001\t0\tx\x00": {{Path: "new", Old: "old", Removed: 3}, {Path: "x", Added: 1}},
	} {
		if got, err := parseNumstat(out); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", out, got, err)
		}
	}
	for _, out := range []string{"x", "1\t2\ta", "1\tb\ta\x00", "-1\t2\ta\x00", "1\t2\t\x00old\x00", "1\t2\t\x00"} {
		if got, err := parseNumstat(out); err == nil {
			t.Errorf("%q: %+v", out, got)
		}
	}
}

func FuzzParseNumstat(f *testing.F) {
	f.Add("0\t3\t\x00old\x00new\x001\t0\tx\x00")
	f.Fuzz(func(t *testing.T, out string) {
		files, err := parseNumstat(out)
		if err != nil && files != nil {
			t.Errorf("%q: files and an error", out)
		}
		for _, file := range files {
			if file.Added < 0 || file.Removed < 0 {
				t.Errorf("%q: %+v", out, file)
			}
		}
	})
}
