package mcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"chant/engine"

	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

// orders is a toolset with a dialect of its own.
type orders struct {
	created atomic.Int32
	kinds   atomic.Value // map[string][]string
}

type orderInput struct {
	Kind  string `json:"kind,omitempty" jsonschema:"what is ordered"`
	Count int    `json:"count,omitempty" schema:"default=1"`
}

func newOrders() *orders {
	o := &orders{}
	o.kinds.Store(map[string][]string{"kinds": {"tea", "rice"}})
	return o
}

// set is the toolset. A call fails for the kind "none", and has a bug for the kind "bug".
func (o *orders) set() toolset.Set {
	create := func(_ context.Context, _ *engine.Project, in orderInput) (map[string]any, error) {
		switch in.Kind {
		case "none":
			return nil, &engine.Error{Code: engine.NotFound, Message: `no kind "none"`}
		case "bug":
			return nil, errors.New("details")
		}
		o.created.Add(1)
		return map[string]any{"kind": in.Kind, "count": in.Count}, nil
	}
	count := func(context.Context, *engine.Project, orderInput) (int32, error) { return o.created.Load(), nil }
	texts := func(orderInput, int32) ([]string, error) { return []string{"counted", "again"}, nil }
	params := []toolset.Param{{Name: "kind"}, {Name: "count"}}
	return toolset.Set{
		Name: "orders", About: "orders", Instructions: "Order.",
		Tools: []toolset.Tool{
			{Name: "order_create", Text: "Order.", Effect: toolset.Adds, Params: params, Op: toolset.Operation(create), Foreign: toolset.Foreign{
				Lenient: true, Hints: []toolset.Hint{{Field: "kind", Category: "kinds", Label: "kinds", Multiple: true}},
			}},
			{Name: "order_count_all", Text: "Count.", Op: toolset.WithTexts(count, texts), Foreign: toolset.Foreign{Lenient: true}},
			{Name: "discover", Text: "List tools.", Params: []toolset.Param{{Name: "tool"}}, Op: toolset.Operation(toolset.Discover), Foreign: toolset.Foreign{Lenient: true}},
		},
		Standalone: toolset.Standalone{Server: "orders-mcp"},
		Dialect: &toolset.Dialect{
			Protocol: "2025-06-18", Capabilities: map[string]any{"tools": map[string]bool{"call": true}},
			Fault: func(t toolset.Tool, err error, text string) (toolset.Fault, bool) {
				return toolset.Fault{Code: -32004, Message: t.Name + " failed", Data: map[string]string{"message": text}}, err.Error() != "details"
			},
			Values:     func(context.Context, *engine.Project) (map[string][]string, error) { return o.load(), nil },
			Categories: []string{"sizes", "kinds"},
		},
	}
}

func (o *orders) load() map[string][]string { return o.kinds.Load().(map[string][]string) }

// server serves the orders, beside the tool echo where that is asked for.
func (o *orders) server(t *testing.T, logs io.Writer, beside bool, options Options) *server {
	t.Helper()
	sets := []toolset.Set{o.set()}
	options.Toolsets = []string{"orders"}
	if beside {
		sets = append(sets, toolset.Set{Name: "other", Tools: []toolset.Tool{echo()}})
		options.Toolsets = append(options.Toolsets, "other")
	}
	options.Version = "0"
	if options.Workspace == nil {
		options.Workspace = func(context.Context, string, bool) (*engine.Project, error) { return blank("") }
	}
	c, err := chooseTool(sets, options.choice())
	assert.NoError(t, err)
	return newServer(logs, blank, c, options)
}

// exchange sends messages and returns the replies, in one of the framings.
func exchange(t *testing.T, s *server, framed bool, messages ...string) []string {
	t.Helper()
	var in, out bytes.Buffer
	for _, m := range messages {
		in.Write(messageFrame([]byte(m), framed))
	}
	assert.NoError(t, s.serve(t.Context(), &in, &out))
	var replies []string
	for r := newFrameReader(&out); ; {
		body, asSent, err := r.Next()
		if errors.Is(err, io.EOF) {
			return replies
		}
		assert.NoError(t, err, "%q, framed", body)
		assert.Equal(t, framed, asSent, "%q, framed", body)
		replies = append(replies, string(body))
	}
}

func request(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
}

const (
	ordered = `"content":[{"type":"text","text":"{\n  \"count\": 1,\n  \"kind\": \"tea\"\n}"}]`
	counted = `"content":[{"type":"text","text":"counted"},{"type":"text","text":"again"}]`
)

// TestDialect_alone is what a client of the dialect sees, in both framings.
func TestDialect_alone(t *testing.T) {
	t.Parallel()
	wants := func(text string) string { return `{"jsonrpc":"2.0",` + text + `,"id":1}` }
	called := func(name, content, structured string) string {
		return wants(`"result":{` + content + `,"functionResponse":{"name":"` + name + `","response":{` + content + `}}` + structured + `}`)
	}
	refused := func(text string) string { return wants(`"error":{` + text + `}`) }
	const tea, structured = `{"kind":"tea","extra":1}`, `,"structuredContent":{"count":1,"kind":"tea"}`
	greeting := func(version string) string {
		return wants(`"result":{"protocolVersion":"` + version + `","capabilities":{"tools":{"call":true}},"serverInfo":{"name":"orders-mcp","version":"0"},"instructions":"Order."}`)
	}
	for sent, want := range map[string]string{
		request("initialize", `{}`):                                                           greeting("2025-06-18"),
		request("initialize", `{"protocolVersion":"2025-03-26"}`):                             greeting("2025-03-26"),
		request("initialize", `{"protocolVersion":"1999-01-01"}`):                             greeting("2025-06-18"),
		request("ping", `{}`):                                                                 wants(`"result":{}`),
		request("logging/setLevel", `{"level":"TRACE"}`):                                      wants(`"result":{}`),
		request("logging_setLevel", `{"level":"loud"}`):                                       wants(`"result":{}`),
		request("logging/setLevel", `{}`):                                                     wants(`"result":{}`),
		request("order/create", tea):                                                          wants(`"result":{` + ordered + `}`),
		request("order_create", tea):                                                          wants(`"result":{` + ordered + `}`),
		request("order/create", `[]`):                                                         refused(`"code":-32602,"message":"Invalid arguments: expected an object"`),
		request("order/count_all", `null`):                                                    wants(`"result":{` + counted + `}`),
		request("order_count/all", `{}`):                                                      refused(`"code":-32601,"message":"Method not found"`),
		request("Order/create", tea):                                                          refused(`"code":-32601,"message":"Method not found"`),
		request("tools/call", `{"name":"order/create","arguments":`+tea+`}`):                  called("order/create", ordered, structured),
		request("tools_call", `{"name":"order_create","arguments":`+tea+`}`):                  called("order_create", ordered, structured),
		request("tools/call", `{"name":"order_count_all"}`):                                   called("order_count_all", counted, ""),
		request("tools/call", `{"name":"order_create","arguments":"tea"}`):                    refused(`"code":-32602,"message":"Invalid arguments: expected an object"`),
		request("tools/call", `{"name":"nope","arguments":{}}`):                               refused(`"code":-32601,"message":"Method not found"`),
		request("tools/call", `{"arguments":{}}`):                                             refused(`"code":-32602,"message":"Missing tool name"`),
		request("tools/call", `{"name":"order_create","arguments":{"kind":"none"}}`):          refused(`"code":-32004,"message":"order_create failed","data":{"message":"no kind \"none\""}`),
		request("order/create", `{"kind":"bug"}`):                                             refused(`"code":-32603,"message":"Internal error"`),
		request("order/create", `{"count":{}}`):                                               refused(`"code":-32004,"message":"order_create failed","data":{"message":"Invalid parameter: count has an invalid value {}"}`),
		`{"jsonrpc":"2.0","id":1,"method":"nope"}`:                                            refused(`"code":-32601,"message":"Method not found"`),
		`{"jsonrpc":"2.0","id":1,"method":"order/create","params":{"kind":2,"count":"7"}}`:    wants(`"result":{` + strings.NewReplacer(": 1", ": 7", "tea", "2").Replace(ordered) + `}`),
		`{"jsonrpc":"2.0","id":1,"method":"order/create","params":{"kind":null,"count":"3"}}`: wants(`"result":{` + strings.NewReplacer(": 1", ": 3", "tea", "").Replace(ordered) + `}`),
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`:                                          `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error","data":{"details":"Invalid request: batches are not supported"}},"id":null}`,
		`{"jsonrpc":`: `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error","data":{"details":"unexpected end of JSON input"}},"id":null}`,
	} {
		for _, framed := range []bool{false, true} {
			got := exchange(t, newOrders().server(t, io.Discard, false, Options{}), framed, sent)
			assert.Equal(t, 1, len(got), "%s", sent)
			assert.Equal(t, want, got[0], "%s", sent)
		}
	}
}

// TestDialect_beside: the other tools of the server keep their names, errors and spelling.
func TestDialect_beside(t *testing.T) {
	t.Parallel()
	s := newOrders().server(t, t.Output(), true, Options{})
	for sent, want := range map[string]string{
		request("initialize", `{"protocolVersion":"2025-06-18"}`):         `"serverInfo":{"name":"chant","version":"0"}`,
		request("tools/call", `{"name":"echo","arguments":{"text":"a"}}`): `"structuredContent":{"text":"a"}`,
		request("tools/call", `{"name":"echo"}`):                          `"isError":true`,
		request("tools/call", `{"name":"nope","arguments":{}}`):           `"isError":true`,
		request("tools_call", `{"name":"echo","arguments":{}}`):           `"message":"Method not found: tools_call"`,
		request("echo", `{}`):                     `"message":"Method not found: echo"`,
		request("order/create", `{"kind":"tea"}`): ordered,
		request("tools/call", `{"name":"order_create","arguments":{"kind":"none"}}`): `"error":{"code":-32004,`,
		request("tools/list", `{"cursor":7}`):                                        `"error":{"code":-32602,`,
		`[]`:                                                                         `"code":-32600`,
	} {
		got := exchange(t, s, false, sent)
		assert.Equal(t, 1, len(got), "%s", sent)
		assert.Contains(t, got[0], want, "%s", sent)
	}
	s.open = nowhere
	got := exchange(t, s, false, request("tools/list", `{}`))
	assert.Contains(t, got[0], `"hints":{"fields":{"kind"`)
	assert.Contains(t, got[0], `"name":"echo","outputSchema"`)
}

// TestDialect_stateless answers clients of the protocol without sessions.
func TestDialect_stateless(t *testing.T) {
	t.Parallel()
	s := newOrders().server(t, t.Output(), false, Options{})
	s.open = nowhere
	got := exchange(t, s, false, request("tools/call", `{"name":"order_create","arguments":{},`+modern+`}`), request("tools/list", `{`+modern+`}`))
	for i, want := range []string{`"resultType":"complete","content"`, `"resultType":"complete"`} {
		assert.Contains(t, got[i], want)
		assert.Contains(t, got[i], `"name":"orders-mcp"`)
	}
}

// TestDialect_withoutID carries out requests that want no reply.
func TestDialect_withoutID(t *testing.T) {
	t.Parallel()
	o := newOrders()
	got := exchange(t, o.server(t, t.Output(), false, Options{}), true,
		`{"jsonrpc":"2.0","method":"order/create","params":{}}`,
		`{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"order_create"}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, request("ping", `{}`))
	if len(got) != 1 || o.created.Load() != 2 {
		t.Errorf("got %q, %d orders", got, o.created.Load())
	}
}

// TestDialect_stickyFraming answers in frames after the first framed request, and beside other tools in the framing of
// each.
func TestDialect_stickyFraming(t *testing.T) {
	t.Parallel()
	for _, beside := range []bool{false, true} {
		var in, out bytes.Buffer
		for _, framed := range []bool{false, true, false} {
			in.Write(messageFrame([]byte(pingLine), framed))
		}
		in.WriteString("Content-Length: many\r\n\r\n")
		assert.NoError(t, newOrders().server(t, t.Output(), beside, Options{}).serve(t.Context(), &in, &out))
		var got []bool
		r := newFrameReader(&out)
		for range 4 {
			body, framed, err := r.Next()
			assert.NoError(t, err)
			if got = append(got, framed); len(got) == 4 && !beside && !strings.Contains(string(body), `{"code":-32700,"message":"Parse error","data":{"details":`) {
				t.Errorf("the bad header is answered with %s", body)
			}
		}
		assert.Equal(t, [...]bool{false, true, !beside, true}, [4]bool(got), "beside %v", beside)
	}
}

// TestTools_dialect calls the tools without a server.
func TestTools_dialect(t *testing.T) {
	t.Parallel()
	tools := newOrders().set().Served(true).Tools
	in := inProcess{open: func() (*engine.Project, error) { return blank("") }, tools: tools}
	for i, want := range []string{"{\n  \"count\": 1,\n  \"kind\": \"\"\n}", "counted\nagain"} {
		got, err := in.call(t.Context(), tools[i], []byte(`{}`))
		assert.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := in.call(t.Context(), tools[0], []byte(`{"kind":"none"}`))
	assert.Error(t, err)
	assert.Equal(t, `no kind "none"`, err.Error())
	got, err := in.call(t.Context(), tools[2], []byte(`{"tool":"order/create"}`))
	assert.NoError(t, err)
	assert.Contains(t, got, "Available kinds: tea, rice.")
}

// FuzzServe_dialect feeds arbitrary bytes: the server must end, what it prints must be replies, and after one in a
// frame all must be in frames.
func FuzzServe_dialect(f *testing.F) {
	for _, seed := range []string{
		pingLine + "\nContent-Length: 2\r\n\r\n{}", "nonsense\n" + string(messageFrame([]byte(request("order_create", `[]`)), true)) + pingLine,
		request("tools_call", `{"name":"order/create","arguments":{"kind":null,"count":"x"}}`), request("order/create", `{"count":{"a":[1]}}`),
		request("tools/call", `{"name":7}`), request("schema_discover", `"x"`), request("logging_setLevel", `7`), request("initialize", `{}`),
		`{"jsonrpc":"2.0","method":"order_count_all","params":null}`, request("_", `{}`), request("discover", `{"tool":"/"}`),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		s := newOrders().server(t, io.Discard, false, Options{})
		s.open = nowhere
		var out bytes.Buffer
		assert.NoError(t, s.serve(t.Context(), bytes.NewReader(in), &out))
		replies, sticky := newFrameReader(&out), false
		for {
			body, framed, err := replies.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			assert.NoError(t, err)
			assert.False(t, sticky && !framed, "printed %q, framed %v, %v", body, framed, err)
			assert.True(t, bytes.HasPrefix(body, []byte(`{"jsonrpc":"2.0",`)), "printed %q, framed %v, %v", body, framed, err)
			sticky = framed
			readAnswer(t, string(body))
		}
	})
}
