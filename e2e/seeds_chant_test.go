package e2e

import "testing"

// TestSeeds_chant: what the document of chant's own server says.
func TestSeeds_chant(t *testing.T) {
	t.Parallel()
	seed{
		name: "chant", over: []transport{overLines, overHeaders, overHTTP},
		project: newMCPProject,
		says: []statement{
			{lines: "46", says: "the tools are listed without initialize", method: "tools/list", want: `{"result":{"tools":["...",{"name":"chant_verify"},"..."]}}`},
			{lines: "55", says: "a part of an id names a spec", tool: "chant_spec_get", args: `{"id":"007"}`, data: `{"id":"2026-01-03-007-mcp","title":"Greet the reader"}`},
		},
	}.run(t)
}
