package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"

	"chant/engine"
)

// Callable is a tool for an agent that lives in this process. Call gets its arguments as
// an object of JSON and returns what the server would reply as text; its error is what a
// reply with isError says.
type Callable struct {
	Name, Text string
	Schema     json.RawMessage // of the arguments
	Call       func(ctx context.Context, arguments json.RawMessage) (string, error)
}

// Tools are the tools that the options ask for, without a server. open finds the project
// anew for each call. Details of internal errors go to logs. Error: *engine.Error with
// the code Usage for an unknown toolset or tool.
func Tools(logs io.Writer, open func() (*engine.Engine, error), o Options) ([]Callable, error) {
	tools, err := choose(table(), o)
	if err != nil {
		return nil, err
	}
	in := inProcess{open, log.New(logs, "chant: ", 0)}
	var out []Callable
	for _, t := range tools {
		out = append(out, Callable{
			Name: t.name, Text: t.text, Schema: inputSchema(t.op.input, t.takes),
			Call: func(ctx context.Context, raw json.RawMessage) (string, error) { return in.call(ctx, t, raw) },
		})
	}
	return out, nil
}

// inProcess carries out calls where no protocol is between.
type inProcess struct {
	open func() (*engine.Engine, error)
	log  *log.Logger
}

func (p inProcess) call(ctx context.Context, t tool, raw json.RawMessage) (string, error) {
	in, err := t.decode(raw)
	if err != nil {
		return "", err
	}
	e, err := p.open()
	if err != nil {
		return "", p.failed(t, noProject(err))
	}
	_, text, err := t.op.run(ctx, e, in)
	if err != nil {
		return "", p.failed(t, err)
	}
	return text, nil
}

func (p inProcess) failed(t tool, err error) error {
	if text, ok := refused(err); ok {
		return errors.New(text)
	}
	p.log.Printf("%s: %s", t.name, err)
	return errInternal
}
