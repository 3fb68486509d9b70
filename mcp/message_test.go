package mcp

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestServe_badMessages(t *testing.T) {
	t.Parallel()
	const null = "null"
	tests := map[string]struct {
		in   string
		id   string // of the reply; empty = no reply
		code int
		text string
	}{
		"no JSON":             {`invalid json`, null, -32700, "Parse error: invalid character"},
		"cut short":           {`{"jsonrpc":"2.0","id":1,`, null, -32700, "Parse error: unexpected end"},
		"two on a line":       {`{"jsonrpc":"2.0","id":1,"method":"ping"}{}`, null, -32700, "Parse error: "},
		"not UTF-8":           {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\xff\"}", null, -32700, "Parse error: message is not valid UTF-8"},
		"deep":                {strings.Repeat("[", 20000), null, -32700, "Parse error: "},
		"deep and whole":      {strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000), null, -32700, "Parse error: "},
		"batch":               {`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, null, -32600, "Invalid request: batches are not supported"},
		"number":              {`17`, null, -32600, "Invalid request: expected an object"},
		"null":                {`null`, null, -32600, "Invalid request: expected an object"},
		"old version":         {`{"jsonrpc":"1.0","id":5,"method":"ping"}`, "5", -32600, "Invalid JSON-RPC version"},
		"no version":          {`{"id":5,"method":"ping"}`, "5", -32600, "Invalid JSON-RPC version"},
		"version of a number": {`{"jsonrpc":2.0,"id":5,"method":"ping"}`, "5", -32600, "Invalid JSON-RPC version"},
		"other case":          {`{"JSONRPC":"2.0","id":5,"method":"ping"}`, "5", -32600, "Invalid JSON-RPC version"},
		"object as id":        {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, null, -32600, "Invalid request: id must be a string or a number"},
		"bool as id":          {`{"jsonrpc":"2.0","id":true,"method":"ping"}`, null, -32600, "Invalid request: id must be a string or a number"},
		"no method":           {`{"jsonrpc":"2.0","id":5}`, "5", -32600, "Invalid request: method is missing"},
		"method of a number":  {`{"jsonrpc":"2.0","id":5,"method":5}`, "5", -32600, "Invalid request: method must be a string"},
		"unknown method":      {`{"jsonrpc":"2.0","id":5,"method":"no/such"}`, "5", -32601, "Method not found: no/such"},
		"old probe":           {`{"jsonrpc":"2.0","id":"d","method":"server/discover"}`, `"d"`, -32601, "Method not found: server/discover"},
		"params of a list":    {`{"jsonrpc":"2.0","id":5,"method":"ping","params":[1]}`, "5", -32602, "Invalid params: expected an object"},
		"bad params":          {`{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":7}}`, "5", -32602, "Invalid params of initialize"},
		"bad level":           {`{"jsonrpc":"2.0","id":5,"method":"logging/setLevel","params":{"level":"loud"}}`, "5", -32602, "invalid logging level 'loud'"},
		"bad cursor":          {`{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":"%"}}`, "5", -32602, "Invalid cursor"},
		"no address":          {`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{}}`, "5", -32602, "Missing required parameter: uri"},
		"no prompt":           {`{"jsonrpc":"2.0","id":5,"method":"prompts/get"}`, "5", -32602, "Missing required parameter: name"},
		"notification":        {`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", 0, ""},
		"unknown one":         {`{"jsonrpc":"2.0","method":"notifications/no/such"}`, "", 0, ""},
		"call without id":     {`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"chant_status","arguments":{}}}`, "", 0, ""},
		"null as id":          {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "", 0, ""},
		"response":            {`{"jsonrpc":"2.0","id":9,"result":{}}`, "", 0, ""},
		"error response":      {`{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"no"}}`, "", 0, ""},
		"blank":               {" \t\r", "", 0, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			replies := piped(t, nowhere, Options{}, tt.in, pingLine)
			last := readAnswer(t, replies[len(replies)-1])
			assert.Equal(t, `"ping"`, string(last.ID), "server does not live: %q", replies)
			assert.True(t, last.Error == nil, "server does not live: %q", replies)
			if tt.id == "" {
				assert.Equal(t, 1, len(replies), "answered: %q", replies)
				return
			}
			assert.Equal(t, 2, len(replies), "got %q", replies)
			got := readAnswer(t, replies[0])
			assert.True(t, got.Error != nil, "got %s", replies[0])
			assert.Equal(t, tt.code, got.Error.Code, "got %s", replies[0])
			assert.HasPrefix(t, got.Error.Message, tt.text, "got %s", replies[0])
			assert.Equal(t, tt.id, string(got.ID), "got %s", replies[0])
		})
	}
}

func TestServe_idsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	for _, id := range []string{`1`, `-7`, `1.50`, `12345678901234567890123`, `""`, `"a\u00e9/<b>"`} {
		got := piped(t, nowhere, Options{}, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`)
		want := `{"jsonrpc":"2.0","result":{},"id":` + id + `}`
		assert.Equal(t, 1, len(got))
		assert.Equal(t, want, got[0])
	}
}

// TestServe_tooLarge sends a line of 64 MiB, and a frame over the limit.
func TestServe_tooLarge(t *testing.T) {
	t.Parallel()
	long := func(n int64) io.Reader { return io.LimitReader(spaces{}, n) }
	in := io.MultiReader(
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"`), long(64<<20), strings.NewReader("}\n"+pingLine+"\n"),
		strings.NewReader("Content-Length: 16777217\r\n\r\n"), long(maxMessage+1), strings.NewReader(pingLine+"\n"),
	)
	var out bytes.Buffer
	assert.NoError(t, Serve(t.Context(), in, &out, io.Discard, nowhere, Options{}))
	refused := `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: message is longer than 16777216 bytes"},"id":null}`
	pong := `{"jsonrpc":"2.0","result":{},"id":"ping"}` + "\n"
	assert.Equal(t, refused+"\n"+pong+string(messageFrame([]byte(refused), true))+pong, out.String())
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// FuzzServe feeds arbitrary bytes: the server must end, and whatever it prints
// must be replies.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		pingLine, "invalid json\n" + pingLine, "Content-Length: 2\r\n\r\n{}", "Content-Length: 99999999999999999999\n\n", "content-\n\n",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chant_spec_get","arguments":{"id":5}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"toolsListChanged":true}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chant_merge","arguments":{"id":"1"},"_meta":{"progressToken":1}}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/x"}}}`, "\ufeff[]", "{\"a\":\"\xff\"}", `{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		assert.NoError(t, Serve(t.Context(), bytes.NewReader(in), &out, io.Discard, nowhere, Options{}))
		replies := newFrameReader(&out)
		for {
			body, _, err := replies.Next()
			if err == io.EOF {
				return
			}
			assert.NoError(t, err)
			assert.True(t, bytes.HasPrefix(body, []byte(`{"jsonrpc":"2.0",`)), "printed %q", body)
			readAnswer(t, string(body))
		}
	})
}
