package mcp

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCall_badValues sends values of every JSON type to every parameter of every tool. No
// answer is in the words of a library of Go.
func TestCall_badValues(t *testing.T) {
	t.Parallel()
	goWords := regexp.MustCompile(`strconv|Parse(Int|Float|Bool)|Atoi|unmarshal|\bu?int(8|16|32|64)\b|float(32|64)|\[\]string|map\[|interface|reflect|%!|engine\.|spec\.|json: |yaml: `)
	dir := project(t, map[string]string{"2026-01-01-001-aaa": "---\nstatus: failed\n---\n# One\n"})
	values := []string{`"\u0000"`, `"a\u0000b"`, `"\u0001"`, `-1`, `1.5`, `99999999999999999999`, `1e400`, `true`, `[]`, `[1]`, `[null]`, `[{"a":1}]`, `{}`, `{"a":{"b":1}}`, `""`}
	for _, row := range table() {
		for _, p := range row.Params {
			for _, value := range values {
				args := map[string]any{p.Name: json.RawMessage(value)}
				if p.Name != "id" {
					args["id"] = "no-such-spec"
				}
				got := ask(t, opener(dir), row.Name, args)
				text := got.text()
				if got.Error != nil {
					text += got.Error.Message
					assert.NotEqual(t, -32603, got.Error.Code, "%s with %s %s: %s", row.Name, p.Name, value, got.Error.Message)
				}
				assert.Equal(t, "", goWords.FindString(text), "%s with %s %s: %.300q", row.Name, p.Name, value, text)
				if got.Error == nil && !got.Result.IsError && value == `{"a":{"b":1}}` {
					t.Errorf("%s takes %s %s: %.300q", row.Name, p.Name, value, text)
				}
			}
		}
	}
}
