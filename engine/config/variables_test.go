package config

import (
	"strings"
	"testing"
)

// TestReadProvider_variables holds which names and values are refused, with their line.
func TestReadProvider_variables(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]string{
		"env: {A: b, C_1: ''}":              "",
		"pass: [A, B_*, '*', npm_config_x]": "",
		"pass: A":                           "",
		"env:\n  A: b\n  B: \"x\\0y\"":      `m.md:4: env: the value of B has a NUL`,
		"env:\n  \"A=B\": c":                `m.md:3: env: "A=B" is the name of no variable`,
		"env:\n  A: b\n  CHANT_SPEC_ID: y":  "m.md:4: env: chant itself sets CHANT_SPEC_ID for each run",
		"pass:\n  - A\n  - A=B":             `m.md:4: pass: "A=B" is the name of no variable`,
		"pass: ['*X']":                      `m.md:2: pass: "*X"`,
		"pass: ['A*B']":                     `m.md:2: pass: "A*B"`,
		"pass: ['']":                        `m.md:2: pass: ""`,
		"pass: 'A B'":                       `m.md:2: pass: "A B"`,
	} {
		_, err := ReadProvider("m.md", []byte("---\n"+front+"\n---\n"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", front, err, want)
		}
	}
}
