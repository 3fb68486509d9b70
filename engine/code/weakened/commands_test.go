package weakened

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestUsedFiles_expected: files with which a command compares results are found behind prefixes and brackets, in their folder.
func TestUsedFiles_expected(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"cmp a b":                               "a b",
		"diff <(go run . --help) docs/help.txt": "docs/help.txt",
		"timeout 10 diff a b && sudo -n nice -n 5 cmp c d": "a b c d",
		"(cd lib && cmp a b) && cmp c d":                   "c d lib/a lib/b",
		"f() { cmp a b; }; f":                              "a b",
		"echo 'f(' | cmp - a":                              "- a",
		"cd lib; cmp a $(cd x; cat y)":                     "lib/$ lib/a",
		"sort < a | grep -qxFf want && run < in":           "in want",
	} {
		assert.Equal(t, want, strings.Join(slices.Sorted(maps.Keys(newUsedFiles([]string{line}).expected)), " "), "%s", line)
	}
}
