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
		"env:\n  \"A=B\": c":                `m.md:3: env: invalid environment variable name "A=B"`,
		"env:\n  A: b\n  CHANT_SPEC_ID: y":  "m.md:4: env: chant itself sets CHANT_SPEC_ID for each run",
		"pass:\n  - A\n  - A=B":             `m.md:4: pass: invalid environment variable name "A=B"`,
		"pass: ['*X']":                      `m.md:2: pass: invalid environment variable name "*X"`,
		"pass: ['A*B']":                     `m.md:2: pass: invalid environment variable name "A*B"`,
		"pass: ['']":                        `m.md:2: pass: invalid environment variable name ""`,
		"pass: 'A B'":                       `m.md:2: pass: invalid environment variable name "A B"`,
	} {
		_, err := ReadProvider("m.md", []byte("---\n"+front+"\n---\n"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", front, err, want)
		}
	}
}
