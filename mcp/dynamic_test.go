package mcp

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"chant/engine"
	"chant/mcp/catalog"
	"chant/mcp/toolset"

	"github.com/google/jsonschema-go/jsonschema"
)

// kinds is a toolset that follows settings: the values of one parameter.
type kinds struct{ now atomic.Value }

func newKinds(values ...string) *kinds {
	k := &kinds{}
	k.now.Store(values)
	return k
}

func (k *kinds) sets() []toolset.Set {
	return []toolset.Set{{Name: "fixed", Tools: []toolset.Tool{echo()}}, {Name: "kinds", Instructions: "Pick a kind.", Follow: k.follow}}
}

func (k *kinds) follow(*engine.Project) ([]toolset.Tool, error) {
	if len(k.now.Load().([]string)) == 0 {
		return nil, errors.New("no kinds")
	}
	pick := toolset.Param{Name: "text", Refine: func(s *jsonschema.Schema) {
		for _, value := range k.now.Load().([]string) {
			s.Enum = append(s.Enum, value)
		}
	}}
	t := echo()
	t.Name, t.Params, t.Slow = "pick", []toolset.Param{pick}, toolset.Always
	return []toolset.Tool{t}, nil
}

func (k *kinds) server(t *testing.T, o Options) *server {
	t.Helper()
	o.Toolsets = []string{"fixed", "kinds"}
	c, err := catalog.Choose(k.sets(), o.choice())
	if err != nil {
		t.Fatal(err)
	}
	return newServer(t.Output(), opener(project(t, nil)), c, o)
}

const listLine = `{"jsonrpc":"2.0","id":"list","method":"tools/list"}`

// shownTools asks for the list of tools.
func (c *peer) shownTools() []listed {
	c.t.Helper()
	c.send(listLine)
	line, err := c.out.ReadString('\n')
	var got struct{ Result struct{ Tools []listed } }
	if err != nil || json.Unmarshal([]byte(line), &got) != nil {
		c.t.Fatalf("%q, %v", line, err)
	}
	return got.Result.Tools
}

// TestDynamic lists, calls and announces tools whose schema follows the settings.
func TestDynamic(t *testing.T) {
	t.Parallel()
	k := newKinds("task", "bug")
	c := dial(t.Context(), t, k.server(t, Options{}))
	c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`)
	if line, err := c.out.ReadString('\n'); err != nil || !strings.Contains(line, `"tools":{"listChanged":true}`) || !strings.Contains(line, `"instructions":"Pick a kind."`) {
		t.Errorf("initialize: %s, %v", line, err)
	}
	tools := c.shownTools()
	if got := names(tools); !slices.Equal(got, []string{"echo", "pick"}) || !strings.Contains(string(tools[1].InputSchema), `"enum":["task","bug"]`) {
		t.Fatalf("%q, %s", got, tools[1].InputSchema)
	}
	pick := func(kind string) string {
		t.Helper()
		c.send(callLine(2, "pick", map[string]any{"text": kind}))
		return c.receive().text()
	}
	if got := pick("epic"); got != `Invalid parameter: text must be one of task, bug, not "epic"` {
		t.Errorf("got %q", got)
	}
	k.now.Store([]string{"task", "epic"})
	if line, err := c.out.ReadString('\n'); err != nil || line != `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`+"\n" {
		t.Errorf("after a change of settings: %q, %v", line, err)
	}
	if got := pick("epic"); !strings.Contains(got, "epic") || strings.HasPrefix(got, "Invalid") {
		t.Errorf("got %q", got)
	}
	c.end()
}

// TestDynamic_choice limits tools that are not known when the server starts.
func TestDynamic_choice(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		o    Options
		want []string
	}{
		"all":       {Options{}, []string{"echo", "pick"}},
		"named":     {Options{Tools: []string{"pick"}}, []string{"pick"}},
		"read only": {Options{ReadOnly: true}, []string{"echo", "pick"}}, // both change nothing
	} {
		c := dial(t.Context(), t, newKinds("a").server(t, tt.o))
		if got := names(c.shownTools()); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
		c.end()
	}
	c := dial(t.Context(), t, newKinds().server(t, Options{})) // its settings cannot be read
	if got := names(c.shownTools()); !slices.Equal(got, []string{"echo"}) {
		t.Errorf("got %q", got)
	}
	c.send(callLine(1, "pick", struct{}{}), callLine(2, "echo", struct{}{}))
	if got := c.receive(); got.text() != "Unknown tool: pick" {
		t.Errorf("got %+v", got)
	}
	if got := c.receive(); got.Result.IsError {
		t.Errorf("got %+v", got)
	}
	c.end()
}

// TestDynamic_noProject offers the fixed tools where there is no project whose settings the others could follow.
func TestDynamic_noProject(t *testing.T) {
	t.Parallel()
	s := newKinds("a").server(t, Options{})
	s.open, s.log = nowhere, log.New(io.Discard, "", 0)
	c := dial(t.Context(), t, s)
	if got := names(c.shownTools()); !slices.Equal(got, []string{"echo"}) {
		t.Errorf("got %q", got)
	}
	c.send(callLine(1, "pick", struct{}{}))
	if got := c.receive(); !got.Result.IsError || got.text() != engine.ErrNotInitialized.Error() {
		t.Errorf("got %+v", got)
	}
	c.end()
}

// TestDynamic_listen notifies a client of the protocol without sessions that asks for it.
func TestDynamic_listen(t *testing.T) {
	t.Parallel()
	k := newKinds("a")
	c := dial(t.Context(), t, k.server(t, Options{}))
	read := func() string {
		t.Helper()
		line, err := c.out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	c.send(`{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + modern + `}}`)
	if first := read(); !strings.Contains(first, "subscriptions/acknowledged") || !strings.Contains(first, `"toolsListChanged":true`) {
		t.Errorf("first message %q", first)
	}
	k.now.Store([]string{"a", "b"})
	if next := read(); !strings.Contains(next, "notifications/tools/list_changed") || !strings.Contains(next, `"io.modelcontextprotocol/subscriptionId":7`) {
		t.Errorf("next message %q", next)
	}
	c.send(`{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{` + modern + `}}`)
	if list := read(); !strings.Contains(list, `"enum":["a","b"]`) || !strings.Contains(list, `"resultType":"complete"`) || !strings.Contains(list, `"ttlMs":0`) {
		t.Errorf("list %q", list)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	c.end()
}
