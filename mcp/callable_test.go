package mcp_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"chant/engine"
	"chant/mcp"
)

// TestTools: an agent in this process gets what the server's clients get.
func TestTools(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	var logs bytes.Buffer
	open := func() (*engine.Project, error) { return engine.Open(p.dir, engine.Options{}) }
	tools, err := mcp.Tools(&logs, open, mcp.Options{Tools: []string{"chant_spec_get", "chant_ready"}})
	if err != nil || len(tools) != 2 || tools[0].Name != "chant_spec_get" || !strings.Contains(string(tools[0].Schema), `"required":["id"]`) {
		t.Fatalf("%+v, %v", tools, err)
	}
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
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q, %v", input, text, err)
			}
		} else if err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %q, %v", input, text, err)
		}
	}
	if logs.Len() > 0 {
		t.Errorf("logged %s", &logs)
	}
}

func TestTools_refused(t *testing.T) {
	t.Parallel()
	var logs bytes.Buffer
	broken := func() (*engine.Project, error) { return nil, errors.New("out of order") }
	tools, err := mcp.Tools(&logs, broken, mcp.Options{Tools: []string{"chant_ready"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tools[0].Call(t.Context(), []byte("{}")); err == nil || err.Error() != "Internal error" || !strings.Contains(logs.String(), "out of order") {
		t.Errorf("%v, logged %q", err, &logs)
	}
	if _, err := mcp.Tools(&logs, broken, mcp.Options{Tools: []string{"chant_none"}}); err == nil {
		t.Error("an unknown tool is taken")
	}
}
