package mcp_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"chant/engine"
	"chant/mcp"

	"github.com/alecthomas/assert/v2"
)

// TestTools: an agent in this process gets what the server's clients get.
func TestTools(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	var logs bytes.Buffer
	open := func() (*engine.Project, error) { return engine.Open(p.dir, engine.Options{}) }
	tools, err := mcp.Tools(&logs, open, mcp.Options{Tools: []string{"chant_spec_get", "chant_ready"}})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(tools))
	assert.Equal(t, "chant_spec_get", tools[0].Name)
	assert.Contains(t, string(tools[0].Schema), `"required":["id"]`)
	for input, want := range map[string]string{
		`{"id":"001"}`:    "echo hello > greeting",
		`{"id":"999"}`:    `!no spec matches "999"`,
		`{}`:              "!Missing required parameter: id",
		`{"id":1,"a":2}`:  "!Invalid parameter: id must be a string",
		`{"id":"","a":2}`: "!Unknown parameter: a",
	} {
		text, err := tools[0].Call(t.Context(), []byte(input))
		want, fails := strings.CutPrefix(want, "!")
		if fails {
			assert.Error(t, err, "%s: %q", input, text)
			assert.Contains(t, err.Error(), want, "%s: %q", input, text)
		} else if err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %q, %v", input, text, err)
		}
	}
	assert.True(t, logs.Len() <= 0, "logged %s", &logs)
}

func TestTools_refused(t *testing.T) {
	t.Parallel()
	var logs bytes.Buffer
	broken := func() (*engine.Project, error) { return nil, errors.New("out of order") }
	tools, err := mcp.Tools(&logs, broken, mcp.Options{Tools: []string{"chant_ready"}})
	assert.NoError(t, err)
	_, err = tools[0].Call(t.Context(), []byte("{}"))
	assert.Error(t, err, "%q", &logs)
	assert.Equal(t, "Internal error", err.Error(), "%q", &logs)
	assert.Contains(t, logs.String(), "out of order", "%q", &logs)
	_, err = mcp.Tools(&logs, broken, mcp.Options{Tools: []string{"chant_none"}})
	assert.Error(t, err, "an unknown tool is taken")
}
