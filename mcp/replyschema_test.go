package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
	"github.com/google/jsonschema-go/jsonschema"
)

// replySchemas returns the output schemas of all tools by their names, those that are served alone included. Tools
// whose replies have no structured content have none.
var replySchemas = sync.OnceValues(func() (map[string]*jsonschema.Resolved, error) {
	out := map[string]*jsonschema.Resolved{}
	for _, set := range toolsets() {
		for _, t := range slices.Concat(set.Served(false).Tools, set.Served(true).Tools) {
			if t.Dialect != nil || t.TextOnly {
				continue
			}
			var s jsonschema.Schema
			if err := json.Unmarshal(t.OutputSchema(), &s); err != nil {
				return nil, err
			}
			resolved, err := s.Resolve(nil)
			if err != nil {
				return nil, err
			}
			out[t.Name] = resolved
		}
	}
	return out, nil
})

// CheckReply reports structured content that is not what the output schema of its tool says. A client that validates,
// such as one of the TypeScript SDK, refuses such a reply, also one that reports an error.
func CheckReply(t testing.TB, tool string, structured any) {
	t.Helper()
	schemas, err := replySchemas()
	assert.NoError(t, err)
	schema, known := schemas[tool]
	if !known || structured == nil {
		return
	}
	assert.NoError(t, schema.Validate(structured), "the reply of %s is not as its schema", tool)
}

// checkReplies checks those of the replies that answer a call in the lines of a client.
func checkReplies(t testing.TB, requests, replies []string) {
	t.Helper()
	tools := map[string]string{} // by id
	for _, line := range requests {
		var m struct {
			ID     json.RawMessage
			Params struct{ Name string }
		}
		if json.Unmarshal([]byte(line), &m) == nil { // some are broken on purpose
			tools[string(m.ID)] = m.Params.Name
		}
	}
	for _, line := range replies {
		var m struct {
			ID     json.RawMessage
			Result struct{ StructuredContent any }
		}
		if json.NewDecoder(bytes.NewReader([]byte(line))).Decode(&m) == nil {
			CheckReply(t, tools[string(m.ID)], m.Result.StructuredContent)
		}
	}
}

// TestOutputSchema_kinds: what a Go value is in JSON decides its type in the schema.
func TestOutputSchema_kinds(t *testing.T) {
	t.Parallel()
	schemas, err := replySchemas()
	assert.NoError(t, err)
	assert.True(t, len(schemas) >= 40, "%d schemas, want one for each tool with structured content", len(schemas))
	for _, tt := range []struct {
		reply string
		valid bool
	}{
		{`{"spec_id":"x","status":"pending","location":"home","checks":[],"diagnosis":"","suggestion":"chant work x"}`, true},
		{`{"spec_id":"x","status":"pending","location":"home","checks":[],"diagnosis":"","suggestion":{}}`, false},
	} {
		var reply any
		assert.NoError(t, json.Unmarshal([]byte(tt.reply), &reply))
		assert.Equal(t, tt.valid, schemas["chant_diagnose"].Validate(reply) == nil, "%s", tt.reply)
	}
}
