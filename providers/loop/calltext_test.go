package loop

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestSpoken(t *testing.T) {
	t.Parallel()
	call := `{"name": "search", "arguments": {"pattern": "x"}}`
	for text, want := range map[string]string{
		call:                               `{"pattern": "x"}`,
		"\n " + call + "\n":                `{"pattern": "x"}`,
		"```json\n" + call + "\n```":       `{"pattern": "x"}`,
		"```\n" + call + "\n```":           `{"pattern": "x"}`,
		"Now:\n```json\n" + call + "\n```": `{"pattern": "x"}`,
		`{"name":"search","arguments":"{\"pattern\":\"y\"}"}`: `{"pattern":"y"}`,
		"I call " + call:                   "",
		call + call:                        "",
		`{"name":"other","arguments":{}}`:  "",
		`{"name":"search","arguments":[]}`: "",
		`{"name":"search"}`:                "",
		"```json\n" + call + "\n```\nor\n```json\n" + call + "\n```": "",
		"":      "",
		"Done.": "",
	} {
		got := ""
		for _, c := range parseCallText(text, func(name string) bool { return name == "search" }) {
			got += c.Input
		}
		assert.Equal(t, want, got, "%q", text)
	}
}
