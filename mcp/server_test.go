package mcp

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"chant/engine"

	"github.com/alecthomas/assert/v2"
)

// contractTools are the fourteen of the contract and those beyond, in order.
const contractTools = `chant_spec_list chant_spec_get chant_ready chant_status chant_log chant_search chant_diagnose chant_verify
	chant_spec_update chant_add chant_finalize chant_resume chant_cancel chant_archive
	chant_lint chant_reset chant_work_start chant_work_list chant_pause chant_takeover chant_watch_status chant_watch_start chant_watch_stop
	chant_criterion_check chant_merge chant_queue chant_deps chant_ask chant_answer`

// listed is a tool as tools/list shows it.
type listed struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  map[string]bool `json:"annotations"`
}

func listTools(t *testing.T, o Options) []listed {
	t.Helper()
	lines := piped(t, nowhere, o, `{"jsonrpc":"2.0","method":"tools/list","id":1}`)
	var got struct {
		Result struct {
			Tools []listed `json:"tools"`
		} `json:"result"`
	}
	assert.NoError(t, json.Unmarshal([]byte(lines[0]), &got))
	return got.Result.Tools
}

func names(tools []listed) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Name)
	}
	return out
}

func TestToolsList_orderAndSize(t *testing.T) {
	t.Parallel()
	tools := listTools(t, Options{})
	if want := strings.Fields(contractTools); !slices.Equal(names(tools), want) {
		t.Errorf("got %q\nwant %q", names(tools), want)
	}
	size, outputs := 0, 0
	for i, each := range tools {
		size += len(each.Name) + len(each.Description) + len(each.InputSchema)
		outputs += len(each.OutputSchema)
		assert.False(t, i == 13 && size > 6000, "the contract's fourteen take %d bytes", size)
		assert.NotEqual(t, "", each.Title, "%s: title %v", each.Name, each.Annotations)
		assert.Equal(t, 4, len(each.Annotations), "%s: title %v", each.Name, each.Annotations)
	}
	assert.True(t, size <= 10000, "all tools take %d bytes", size)
	t.Logf("all tools take %d bytes, their output schemas %d", size, outputs)
}

func TestToolsList_selection(t *testing.T) {
	t.Parallel()
	if got := names(listTools(t, Options{Tools: []string{"chant_status", "chant_spec_get"}, Toolsets: []string{"specs"}})); !slices.Equal(got, []string{"chant_spec_get", "chant_status"}) {
		t.Errorf("named tools: %q", got)
	}
	got := names(listTools(t, Options{Toolsets: []string{"review"}}))
	assert.NotSliceContains(t, got, "chant_add", "tools of review")
	assert.SliceContains(t, got, "chant_drift", "tools of review")
	assert.NotSliceContains(t, names(listTools(t, Options{})), "chant_drift", "tools when nothing is named")
	for _, each := range listTools(t, Options{ReadOnly: true}) {
		assert.True(t, each.Annotations["readOnlyHint"], "%s is shown by a read-only server: %v %s", each.Name, each.Annotations, each.InputSchema)
		assert.False(t, each.Annotations["openWorldHint"], "%s is shown by a read-only server: %v %s", each.Name, each.Annotations, each.InputSchema)
		assert.NotContains(t, string(each.InputSchema), `"run"`, "%s is shown by a read-only server: %s", each.Name, each.InputSchema)
	}
	got = piped(t, nowhere, Options{ReadOnly: true}, callLine(1, "chant_cancel", map[string]any{"id": "1"}))
	assert.Equal(t, "Unknown tool: chant_cancel", readAnswer(t, got[0]).text(), "a read-only server answers %q", got)
	run := map[string]any{"id": "1", "run": true}
	got = piped(t, nowhere, Options{ReadOnly: true}, callLine(1, "chant_verify", run))
	assert.Equal(t, "Unknown parameter: run (allowed: id)", readAnswer(t, got[0]).text(), "a read-only server answers %q", got)
	for _, o := range []Options{
		{Toolsets: []string{"nonsense"}}, {Tools: []string{"chant_fly"}}, {Tools: []string{"chant_add", "chant_cancel"}, ReadOnly: true},
	} {
		err := Serve(t.Context(), strings.NewReader(""), io.Discard, io.Discard, nowhere, o)
		var e *engine.Error
		assert.True(t, errors.As(err, &e), "%+v: %v", o, err)
		assert.Equal(t, engine.Usage, e.Code, "%+v", o)
	}
}

// TestTable_schemas finds misspelled parameters, parameters that an operation requires and its row does not take, and
// Input structs without a schema.
func TestTable_schemas(t *testing.T) {
	t.Parallel()
	for _, row := range table() {
		_, err := row.InputSchema()
		assert.NoError(t, err)
	}
}

func TestInitialize_versions(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		params, want string
	}{
		"none named": {``, `{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"chant","version":"0.1.0"}}`},
		"first":      {`"protocolVersion":"2024-11-05"`, `"protocolVersion":"2024-11-05","capabilities":{"logging":{},"prompts":{},"resources":{"subscribe":true},"tools":{}}`},
		"second":     {`"protocolVersion":"2025-03-26"`, `"protocolVersion":"2025-03-26","capabilities":{"logging":{},"prompts":{},"resources":{"subscribe":true},"tools":{},"completions":{}}`},
		"third":      {`"protocolVersion":"2025-06-18"`, `"protocolVersion":"2025-06-18"`},
		"fourth":     {`"protocolVersion":"2025-11-25"`, `"protocolVersion":"2025-11-25"`},
		"stateless":  {`"protocolVersion":"2026-07-28"`, `"protocolVersion":"2025-11-25"`},
		"unknown":    {`"protocolVersion":"1999-01-01"`, `"protocolVersion":"2025-11-25"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := piped(t, nowhere, Options{Version: "0.1.0"}, `{"jsonrpc":"2.0","method":"initialize","id":1,"params":{`+tt.params+`}}`)
			assert.Contains(t, got[0], tt.want)
		})
	}
	for _, set := range toolsets() {
		n := len(strings.Fields(set.Instructions))
		assert.True(t, n <= 120, "instructions of %s take %d words", set.Name, n)
	}
}

const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// TestStateless talks as clients of 2026-07-28 do, with no initialize.
func TestStateless(t *testing.T) {
	t.Parallel()
	got := piped(t, nowhere, Options{},
		`{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{`+modern+`}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope",`+modern+`}}`,
		`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{`+modern+`}}`)
	for i, want := range []string{`"supportedVersions":["2026-07-28",`, `"resultType":"complete"`, `"message":"Method not found: initialize"`} {
		assert.Contains(t, got[i], want)
	}
	assert.Equal(t, "Unknown tool: nope", readAnswer(t, got[1]).text())
}
