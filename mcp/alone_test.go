package mcp

import (
	"context"
	"errors"
	"testing"

	"chant/engine"

	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

type lookIn struct {
	Word string `json:"word" jsonschema:"Word, as shop_find has it" schema:"minlen=1"`
}

type found struct {
	Found string `json:"found"`
	Open  bool   `json:"open,omitempty"`
}

// shop is a toolset for clients of another server with plain MCP.
func shop() toolset.Set {
	look := func(_ context.Context, _ *engine.Project, in lookIn) (found, error) {
		switch in.Word {
		case "bug":
			return found{}, errors.New("details")
		case "none":
			return found{}, &engine.Error{Code: engine.NotFound, Message: `no word "none"`}
		}
		return found{Found: in.Word}, nil
	}
	open := func(context.Context, *engine.Project, struct{}) (found, error) { return found{Open: true}, nil }
	failure := func(err error, text string) (toolset.Failure, bool) {
		if text == "" {
			return toolset.Failure{}, false
		}
		if bad, ok := errors.AsType[*toolset.ArgumentError](err); ok {
			text = bad.Param + ": " + text
		}
		return toolset.Failure{Texts: []string{"sorry: " + text}, Structured: map[string]string{"sorry": text}}, true
	}
	return toolset.Set{
		Name: "shop", About: "a shop", Instructions: "First shop_find, then shop_find_more.", Standalone: toolset.Standalone{Server: "shop-mcp", Prefix: "shop_"},
		Tools: []toolset.Tool{
			{Name: "shop_find", Text: "Find. More: shop_find_more.", Params: []toolset.Param{{Name: "word", Text: "Not for shop_find_more"}}, Op: toolset.Operation(look), Foreign: toolset.Foreign{Failure: failure}},
			{Name: "shop_find_more", Text: "Find more.", Op: toolset.Operation(open), Foreign: toolset.Foreign{ArgsOptional: true}},
		},
	}
}

// shopServer serves the shop, and the tool echo where that is asked for.
func shopServer(t *testing.T, open func(string) (*engine.Project, error), o Options, beside bool) (*server, error) {
	t.Helper()
	o.Toolsets = []string{"shop"}
	if beside {
		o.Toolsets = append(o.Toolsets, "other")
	}
	c, err := chooseTool([]toolset.Set{shop(), {Name: "other", Tools: []toolset.Tool{echo()}}}, o.choice())
	return newServer(t.Output(), open, c, o), err
}

// TestAlone: a set is served under its own names where it is served alone.
func TestAlone(t *testing.T) {
	t.Parallel()
	open := opener(project(t, nil))
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}`
	for _, tt := range []struct {
		beside    bool
		line      string
		want, not string
	}{
		{false, hello, `"serverInfo":{"name":"shop-mcp"`, "shop_"},
		{false, hello, `"instructions":"First find, then find_more."`, "shop_"},
		{true, hello, `"serverInfo":{"name":"chant"`, "shop-mcp"},
		{true, hello, `First shop_find, then shop_find_more.`, "then find_more"},
		{false, listLine, `"description":"Find. More: find_more."`, "shop_"},
		{false, listLine, `"description":"Not for find_more"`, "shop_"},
		{false, listLine, `"name":"find","outputSchema":{"type":"object","properties":{"found":{"type":"string"},"open":{"type":"boolean"}}}}`, "shop_"},
		{true, listLine, `"description":"Find. More: shop_find_more."`, `"name":"find"`},
		{false, callLine(1, "find", map[string]string{"word": "a"}), `"found":"a"`, "isError"},
		{false, callLine(1, "shop_find", map[string]string{"word": "a"}), `"found":"a"`, "isError"},
		{true, callLine(1, "shop_find", map[string]string{"word": "a"}), `"found":"a"`, "isError"},
		{true, callLine(1, "find", map[string]string{"word": "a"}), `Unknown tool: find`, "found"},
		{false, callLine(1, "find", map[string]string{"word": "none"}), `"isError":true,"structuredContent":{"sorry":"no word \"none\""}`, "found"},
		{false, callLine(1, "find", map[string]string{"word": "none"}), `"text":"sorry: no word \"none\""`, "found"},
		{false, callLine(1, "find", map[string]string{"word": "bug"}), `"error":{"code":-32603,"message":"Internal error"}`, "sorry"},
		{false, callLine(1, "find", map[string]string{}), `sorry: word: Missing required parameter: word`, "found"},
		{false, callLine(1, "find", map[string]any{"word": []int{}}), `sorry: word: Invalid parameter: word must be a string`, "found"},
		{false, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find"}}`, `sorry: : Missing arguments`, "found"},
		{false, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_more"}}`, `"open":true`, "isError"},
	} {
		s, err := shopServer(t, open, Options{Version: "0"}, tt.beside)
		assert.NoError(t, err)
		c := dial(t.Context(), t, s)
		c.send(tt.line)
		got, err := c.out.ReadString('\n')
		assert.NoError(t, err, "beside %t, %s", tt.beside, tt.line)
		assert.Contains(t, got, tt.want, "beside %t, %s", tt.beside, tt.line)
		assert.NotContains(t, got, tt.not, "beside %t, %s", tt.beside, tt.line)
		c.end()
	}
}

// TestAlone_strict: a set can refuse unknown tools by an error of the protocol, alone and not beside other sets.
func TestAlone_strict(t *testing.T) {
	t.Parallel()
	strict := shop()
	strict.Standalone.Strict = true
	sets := []toolset.Set{strict, {Name: "other", Tools: []toolset.Tool{echo()}}}
	for _, tt := range []struct {
		toolsets   []string
		line, want string
	}{
		{[]string{"shop"}, callLine(1, "nope", struct{}{}), `"error":{"code":-32602,"message":"Unknown tool: nope"}`},
		{[]string{"shop"}, callLine(1, "", struct{}{}), `"error":{"code":-32602,"message":"Missing tool name"}`},
		{[]string{"shop"}, `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `"error":{"code":-32602,`},
		{[]string{"shop"}, callLine(1, "find", map[string]string{}), `"isError":true`},
		{[]string{"shop", "other"}, callLine(1, "nope", struct{}{}), `"isError":true`},
	} {
		o := Options{Version: "0", Toolsets: tt.toolsets}
		c, err := chooseTool(sets, o.choice())
		assert.NoError(t, err)
		client := dial(t.Context(), t, newServer(t.Output(), blank, c, o))
		client.send(tt.line)
		got, err := client.out.ReadString('\n')
		assert.NoError(t, err, "%q, %s", tt.toolsets, tt.line)
		assert.Contains(t, got, tt.want, "%q, %s", tt.toolsets, tt.line)
		client.end()
	}
}

// TestAlone_tools: where a set is served alone, its tools are chosen by either of their names.
func TestAlone_tools(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		beside bool
		tool   string
		want   string // the name that is served, "" for none
	}{
		{false, "find", "find"}, {false, "shop_find", "find"}, {true, "shop_find", "shop_find"}, {true, "find", ""}, {false, "", ""}, {false, "nope", ""},
	} {
		s, err := shopServer(t, blank, Options{Tools: []string{tt.tool}}, tt.beside)
		if tt.want == "" {
			assert.Error(t, err, "beside %t: the tool %q is served", tt.beside, tt.tool)
			continue
		}
		assert.NoError(t, err, "beside %t: for the tool %q served", tt.beside, tt.tool)
		assert.Equal(t, 1, len(s.catalog.Tools), "beside %t: for the tool %q served", tt.beside, tt.tool)
		assert.Equal(t, tt.want, s.catalog.Tools[0].Name, "beside %t: for the tool %q served", tt.beside, tt.tool)
	}
}
