package schema

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/assert/v2"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                    "",
		"nothing here":                        "",
		`{"a":1}`:                             `{"a":1}`,
		" \n[1, 2]\n":                         `[1, 2]`,
		"42":                                  "42",
		"so:\n```json\n{\"a\":1}\n```":        `{"a":1}`,
		"```JSON\n{\"a\":1}\n```\nok":         `{"a":1}`,
		"```\n{\"a\":1}\n```":                 `{"a":1}`,
		"```json\nno\n```\n{\"b\":2}":         `{"b":2}`,
		"{\"x\":0}\n```json\n[1]\n```":        `[1]`,
		"```\n[0]\n```\n```json\n1\n```":      `1`,
		"~\n````json\n\"```\"\n````":          "\"```\"",
		"```json\n{\"a\":1}":                  `{"a":1}`,
		"```go\nx := []int{1}\n```":           `[]`,
		"see [1]: {\"a\":[{}]} {}":            `{"a":[{}]}`,
		"got [ {\"a\":1} ] done":              `[ {"a":1} ]`,
		"the list ['x'] is [\"y\"]":           `["y"]`,
		"ünï {\"ä\":\"日本}\"} ü":               `{"ä":"日本}"}`,
		"{not} {\"a\": \"}\\\"{\"}":           `{"a": "}\"{"}`,
		"\r\n```json\r\n{\"a\":1}\r\n```\r\n": `{"a":1}`,
	} {
		got, ok := Find(text)
		assert.Equal(t, want, string(got), "%q", text)
		assert.Equal(t, want != "", ok, "%q", text)
	}
}

// TestFind_isBounded reads texts that a reader without limits would read once
// for each brace.
func TestFind_isBounded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("{", 4*textLimit), strings.Repeat("[", textLimit), strings.Repeat(`{"`, textLimit/2),
		strings.Repeat(`[{"a":`, textLimit/6), strings.Repeat("`", textLimit), strings.Repeat("```\n", textLimit/4),
	} {
		got, ok := Find(text)
		assert.False(t, ok, "%.10s…: found %d bytes", text, len(got))
	}
	got, ok := Find(strings.Repeat("日", textLimit) + `{"a":1}`)
	assert.True(t, ok, "at the end of a long text: %q, %v", got, ok)
	assert.Equal(t, `{"a":1}`, string(got), "at the end of a long text")
}

func FuzzFind(f *testing.F) {
	for _, text := range []string{"", "```json\n{}\n```", "x {\"a\":[1]} y", "[[{", "\xff{\"\xff\":1}", "````\n```\n{}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found, ok := Find(text)
		assert.Equal(t, len(found) > 0, ok)
		assert.False(t, ok && !json.Valid(found), "%q: %q, %v", text, found, ok)
		assert.Contains(t, text, string(found))
		if utf8.ValidString(text) && !utf8.Valid(found) {
			t.Errorf("%q: %q is cut within a rune", text, found)
		}
	})
}
