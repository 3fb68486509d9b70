package commands

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/format/climpt"
	"chant/engine/prompt/library"
	"chant/engine/spec/next"
)

// DescribeInput names a command.
type DescribeInput struct {
	Agent string `json:"agent,omitempty" jsonschema:"Agent name (default climpt)"`
	C1    string `json:"c1" jsonschema:"Domain identifier"`
	C2    string `json:"c2" jsonschema:"Action identifier"`
	C3    string `json:"c3" jsonschema:"Target identifier"`
}

// DescribeResult lists the records of a command: a registry may have several.
type DescribeResult struct {
	Commands []Description `json:"commands"`
	engine.Page
	Agent string `json:"agent"`
}

// Description is a command with the options and variables that it takes.
type Description struct {
	climpt.Command
	Title string `json:"title,omitempty"`
	File  string `json:"file,omitempty"` // the prompt; relative to the top of the project where it is below it
}

// Describe returns what a command takes. Errors: Usage for words that are missing; NotFound with
// *library.NotFoundError; Invalid with *library.ExecutionError for a prompt that cannot be read; NotFound and Invalid
// with *library.RegistryError.
func Describe(ctx context.Context, p *engine.Project, in DescribeInput) (DescribeResult, error) {
	name := climpt.Name{C1: in.C1, C2: in.C2, C3: in.C3}
	if err := name.Check(); err != nil {
		return DescribeResult{}, engine.Fail(engine.Usage, next.CommandList.On(), "%s", err)
	}
	l, err := library.Open(ctx, p, in.Agent)
	if err != nil {
		return DescribeResult{}, err
	}
	r := DescribeResult{Agent: l.Agent}
	records, err := l.Find(name)
	if err != nil {
		return DescribeResult{}, toEngineError(err)
	}
	for _, e := range records {
		r.Commands = append(r.Commands, describe(e))
	}
	// It may exist without a record, and be broken.
	if len(r.Commands) == 0 {
		_, err := l.Text(p, name, climpt.Given{})
		// It exists, and cannot be read.
		if _, broken := errors.AsType[*library.ExecutionError](err); broken {
			return r, toEngineError(err)
		}
		return r, toEngineError(&library.NotFoundError{Agent: l.Agent, Name: name})
	}
	r.Page = engine.Whole(len(r.Commands))
	return r, ctx.Err()
}

// describe describes a record of a command.
func describe(e library.Entry) Description {
	return Description{Command: e.Command, Title: e.Title, File: e.File}
}

// toEngineError makes an error of the engine of one of the library.
func toEngineError(err error) error {
	var e *engine.Error
	if missing, ok := errors.AsType[*library.NotFoundError](err); ok {
		step := next.CommandFind.On(missing.C1 + " " + missing.C2 + " " + missing.C3)
		e = engine.Fail(engine.NotFound, step, "no command %q", missing.Name)
		if missing.Agent != library.DefaultAgent {
			e = engine.Fail(engine.NotFound, step.Set("agent", missing.Agent), "no command %q of agent %q", missing.Name, missing.Agent)
		}
	}
	if failed, ok := errors.AsType[*library.ExecutionError](err); ok {
		e = engine.Fail(engine.Invalid, next.Guide.On("commands"), "%s", failed.Stderr)
	}
	if e == nil {
		return engine.Wrap(err, "")
	}
	// Kept, since callers look for the error of the library.
	e.Err = err
	return e
}
