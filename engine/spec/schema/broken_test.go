package schema

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestBroken(t *testing.T) {
	t.Parallel()
	members := "{\"members\":[\n  {\"title\":\"A\"},\n  {\"title\":\"B\"},\n]}"
	for text, want := range map[string]string{
		"":                                    "",
		"nothing here":                        "",
		"x := []int{1}, {not}":                "",
		"so:\n```json\n{\"a\":1}\n```":        "",
		"{\"a\":1} and {\"b\":}":              "",
		"```json\n{,}\n```\n```json\n{}\n```": "",
		"```json\n" + members + "\n```":       "invalid character ']' looking for beginning of value, in line 4 of it, column 1",
		"```\n" + members + "\n```":           "invalid character ']' looking for beginning of value, in line 4 of it, column 1",
		"Here: " + members + " Good luck.":    "invalid character ']' looking for beginning of value, in line 4 of it, column 1",
		"{\"ä\": x}":                          "invalid character 'x' looking for beginning of value, in line 1 of it, column 7",
		"```json\nno\n```":                    "invalid character 'o' in literal null (expecting 'u'), in line 1 of it, column 2",
		"```json\n{\"a\":[":                   "it ends before the value does",
		"```json\n\n```":                      "",
		"\":[1]}, {\"title\":\"B\"}]}\n```":   "it begins within the value: of an answer that is too long only the end is there",
		"{\"a\":1},\n{\"b\":2}, {\"c":         "it begins within the value: of an answer that is too long only the end is there",
		"{\"members\":[" + strings.Repeat("{\"title\":\"A\"},", textLimit/10) + "{}]}": "of 1468014 bytes only the last 1048576 are looked at",
		strings.Repeat("x", textLimit) + "{\"a\":1}":                                   "",
	} {
		assert.Equal(t, want, Broken(text), "%.60q", text)
	}
}

func FuzzBroken(f *testing.F) {
	for _, text := range []string{"", "```json\n{}\n```", "x {\"a\":[1,]} y", "[[{", "\xff{\"\xff\":1,}", "````\n```\n{}", "{\"a\":1}]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Broken(text)
		assert.False(t, got != "" && valid(strings.TrimSpace(text)), "%q is whole, and %q", text, got)
	})
}
