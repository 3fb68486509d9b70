package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"strings"
	"sync"
	"sync/atomic"

	"chant/engine"

	"chant/mcp/toolset"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// errInternal is all that a client learns of a bug of ours.
//
//lint:ignore ST1005 the text is a message of the protocol
var errInternal = errors.New("Internal error")

// noProject puts the contract's text in front of a failure to find a project,
// which may name a further reason, such as a missing repository.
func noProject(err error) error {
	var e *engine.Error
	if !errors.As(err, &e) || e.Code != engine.NotFound || errors.Is(err, engine.ErrNotInitialized) {
		return err
	}
	return &engine.Error{Code: e.Code, Message: engine.ErrNotInitialized.Error() + "\n" + e.Message, Next: e.Next, Err: e}
}

// Callable is a tool for an agent that lives in this process. Call gets its arguments as
// an object of JSON and returns what the server would reply as text; its error is the
// text of a reply with isError.
type Callable struct {
	Name, Text string
	Schema     json.RawMessage // of the arguments
	Call       func(ctx context.Context, arguments json.RawMessage) (string, error)
}

// Tools are the tools that the options ask for, without a server. open finds the project
// anew for each call. Details of internal errors go to logs. Error: *engine.Error with
// the code Usage for an unknown toolset or tool.
func Tools(logs io.Writer, open func() (*engine.Project, error), o Options) ([]Callable, error) {
	c, err := chooseTool(toolsets(), o.choice())
	if err != nil {
		return nil, err
	}
	in := inProcess{open, o, c.Tools, log.New(logs, "chant: ", 0)}
	var out []Callable
	for _, t := range c.Tools {
		schema, err := t.InputSchema()
		if err != nil {
			return nil, err
		}
		out = append(out, Callable{
			Name: t.Name, Text: t.Text, Schema: schema,
			Call: func(ctx context.Context, raw json.RawMessage) (string, error) { return in.call(ctx, t, raw) },
		})
	}
	return out, nil
}

// inProcess carries out calls without a protocol.
type inProcess struct {
	open  func() (*engine.Project, error)
	o     Options
	tools []toolset.Tool
	log   *log.Logger
}

func (p inProcess) call(ctx context.Context, t toolset.Tool, raw json.RawMessage) (string, error) {
	text, err := p.run(ctx, t, raw)
	if err == nil {
		return text, nil
	}
	text, ok := refusal(err, p.tools)
	if t.Failure != nil {
		if f, known := t.Failure(err, text); known {
			return "", errors.New(strings.Join(f.Texts, "\n"))
		}
	}
	if ok {
		return "", errors.New(text)
	}
	if t.Dialect != nil {
		if f, ok := t.Dialect.Fault(t, err, ""); ok {
			return "", errors.New(f.Message)
		}
	}
	p.log.Printf("%s: %s", t.Name, err)
	return "", errInternal
}

func (p inProcess) run(ctx context.Context, t toolset.Tool, raw json.RawMessage) (string, error) {
	args, err := toolset.ParseArguments(raw)
	if err != nil {
		return "", err
	}
	in, err := t.Decode(args)
	if err != nil {
		return "", err
	}
	open := p.open
	if t.Dialect != nil && p.o.Workspace != nil {
		open = func() (*engine.Project, error) { return p.o.Workspace(ctx, "", t.Changes(args)) }
	}
	project, err := open()
	var missing *engine.Error
	if t.ProjectOptional && p.o.Folder != nil && errors.As(err, &missing) && missing.Code == engine.NotFound {
		project, err = p.o.Folder(ctx, "")
	}
	if err != nil {
		return "", noProject(err)
	}
	ctx = toolset.WithDefinitions(ctx, func() ([]toolset.Definition, error) { return t.Dialect.Define(ctx, project, p.tools) })
	result, content, err := t.Run(ctx, project, in)
	if err == nil {
		_, content, err = t.NameIgnored(args, result, content)
	}
	var lines []string
	for _, block := range content {
		lines = append(lines, block.Plain())
	}
	return strings.Join(lines, "\n"), err
}

// call is a message of a client on its way through the server.
type call struct {
	message
	ctx    context.Context
	stop   context.CancelFunc
	gone   atomic.Bool // its client cancelled it
	framed bool
	failed *rpcError // it could not be read
}

func newCall(ctx context.Context, m message) *call {
	c := &call{message: m}
	c.ctx, c.stop = context.WithCancel(ctx)
	return c
}

// calls are the requests of a client that are not yet answered, by id.
type calls struct {
	mu    sync.Mutex
	known map[string]*call
}

// register makes a request known to cancellations.
func (c *calls) register(next *call) {
	// The protocol does not let a client cancel initialize.
	if next.id == nil || next.method == string(mcpgo.MethodInitialize) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[string]*call{}
	}
	c.known[string(next.id)] = next
}

// leave ends a request; a cancellation that comes now is ignored.
func (c *calls) leave(done *call) {
	done.stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	// A client may have used the id again, and the later request stays.
	if c.known[string(done.id)] == done {
		delete(c.known, string(done.id))
	}
}

// cancel stops a request whose client no longer wants its reply.
func (c *calls) cancel(id json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.known[string(id)]; found != nil {
		// This comes before the stop, so that a call that ends by it is not answered.
		found.gone.Store(true)
		found.stop()
	}
}

// busy reports whether a request is under way.
func (c *calls) busy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.known) > 0
}
