package mcp

import (
	"context"
	"errors"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec/next"
	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

func TestToolsCall_refusals(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ params, want string }{
		"no params":         {``, "Missing tool name"},
		"params of a list":  {`,"params":[]`, "Missing tool name"},
		"no name":           {`,"params":{}`, "Missing required parameter: name"},
		"name of a number":  {`,"params":{"name":3,"arguments":{}}`, "Missing tool name"},
		"empty name":        {`,"params":{"name":"","arguments":{}}`, "Missing tool name"},
		"unknown tool":      {`,"params":{"name":"chant_fly","arguments":{}}`, "Unknown tool: chant_fly"},
		"inner tool":        {`,"params":{"name":"refuse","arguments":{}}`, "Unknown tool: refuse"},
		"no arguments":      {`,"params":{"name":"chant_spec_list"}`, "Missing arguments"},
		"null arguments":    {`,"params":{"name":"chant_spec_list","arguments":null}`, "Missing arguments"},
		"list of arguments": {`,"params":{"name":"chant_spec_list","arguments":[]}`, "Invalid arguments: expected an object"},
		"text as arguments": {`,"params":{"name":"chant_spec_list","arguments":"{}"}`, "Invalid arguments: expected an object"},
		"no id":             {`,"params":{"name":"chant_spec_get","arguments":{}}`, "Missing required parameter: id"},
		"no project":        {`,"params":{"name":"chant_spec_list","arguments":{}}`, "Chant not initialized. Run `chant init` first."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := readAnswer(t, piped(t, nowhere, Options{}, `{"jsonrpc":"2.0","id":1,"method":"tools/call"`+tt.params+`}`)[0])
			assert.True(t, got.Error == nil, "got %+v", got)
			assert.True(t, got.Result.IsError, "got %+v", got)
			assert.Equal(t, tt.want, got.text())
		})
	}
}

// TestToolsCall_noArguments: after initialize, a call needs no arguments where the tool requires none.
func TestToolsCall_noArguments(t *testing.T) {
	t.Parallel()
	dir := project(t, contractSpecs())
	for call, want := range map[string]string{
		`{"name":"chant_ready"}`:                                `"total"`,
		`{"name":"chant_status","arguments":null}`:              `"total": 20`,
		`{"name":"chant_spec_get"}`:                             "Missing arguments",
		`{"name":"chant_spec_get","arguments":{}}`:              "Missing required parameter: id",
		`{"name":"chant_status","_meta":{"progressToken":"x"}}`: `"total": 20`,
	} {
		got := piped(t, opener(dir), Options{},
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":`+call+`}`)
		assert.Contains(t, readAnswer(t, got[1]).text(), want, "%s", call)
	}
}

func TestToolsCall_noRepository(t *testing.T) {
	t.Parallel()
	got := ask(t, opener(t.TempDir()), "chant_spec_list", struct{}{})
	assert.True(t, got.Result.IsError, "got %+v", got)
	assert.HasPrefix(t, got.text(), engine.ErrNotInitialized.Error()+"\n")
	assert.HasSuffix(t, got.text(), "\nhint: git init")
}

func TestToolsCall_noProject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	enginetest.Git(t, dir, "init", "-q")
	got := ask(t, opener(dir), "chant_spec_list", struct{}{})
	assert.True(t, got.Result.IsError, "got %+v", got)
	assert.Equal(t, "Chant not initialized. Run `chant init` first.", got.text())
}

func TestToolsCall_errorsOfTheEngine(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		err  error
		want string // empty = an internal error
	}{
		"usage":      {&engine.Error{Code: engine.Usage, Message: "no", Next: next.Add.Help()}, "no"},
		"not found":  {&engine.Error{Code: engine.NotFound, Message: "no", Next: next.List.On()}, "no\nhint: chant list"},
		"invalid":    {&engine.Error{Code: engine.Invalid, Message: "no"}, "no"},
		"state":      {&engine.Error{Code: engine.State, Message: "no"}, "no"},
		"blocked":    {&engine.Error{Code: engine.Blocked, Message: "no"}, "no"},
		"conflict":   {&engine.Error{Code: engine.Conflict, Message: "no"}, "no"},
		"agent":      {&engine.Error{Code: engine.Agent, Message: "no"}, "no"},
		"unverified": {&engine.Error{Code: engine.Unverified, Message: "no"}, "no"},
		"canceled":   {&engine.Error{Code: engine.Canceled, Message: "no"}, "no"},
		"internal":   {&engine.Error{Code: engine.Internal, Message: "secret detail"}, ""},
		"stranger":   {errors.New("secret detail"), ""},
		"new code":   {&engine.Error{Code: "new", Message: "secret detail"}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connect(t.Context(), t, toolset.Tool{Name: "fails", Op: toolset.Operation(
				func(context.Context, *engine.Project, echoInput) (echoResult, error) { return echoResult{}, tt.err })})
			c.send(callLine(1, "fails", struct{}{}))
			got := c.receive()
			c.end()
			if tt.want != "" {
				assert.True(t, got.Result.IsError, "got %+v", got)
				assert.Equal(t, tt.want, got.text())
				return
			}
			assert.True(t, got.Error != nil, "got %+v", got)
			assert.Equal(t, -32603, got.Error.Code)
			assert.Equal(t, "Internal error", got.Error.Message)
			assert.Contains(t, c.logs.String(), "secret detail")
		})
	}
}
