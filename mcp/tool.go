package mcp

import (
	"context"
	"encoding/json"
	"reflect"

	"chant/engine"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// effect says what a tool may do to the project.
type effect int

const (
	reads    effect = iota // changes nothing
	adds                   // adds to the project, takes nothing away
	drops                  // takes something out of the way
	executes               // runs the commands of criteria, which may do anything
)

// tool is one row of the table.
type tool struct {
	name, title, text string
	does              effect
	set               string               // its toolset, specs when empty
	slow              func(arguments) bool // whether a call may take long; nil = never
	takes             []param              // what it takes of the operation's input, in order
	op                op
}

// arguments are those of a call as they came.
type arguments = map[string]json.RawMessage

// When calls may take long.
func always(arguments) bool          { return true }
func running(args arguments) bool    { return string(args["run"]) == "true" }
func completing(args arguments) bool { return string(args["status"]) == `"completed"` }

// param is a field of the operation's input that the tool takes.
type param struct {
	name     string
	text     string // instead of the field's own
	executes bool   // makes the tool run commands
	number   bool   // a text for which an integer does as well
}

// op is an operation of the engine without its types.
type op struct {
	input, output reflect.Type
	run           func(ctx context.Context, e *engine.Engine, in any) (result any, text string, err error)
}

// operation wraps an operation whose reply is its result as JSON.
func operation[I, R any](run func(*engine.Engine, context.Context, I) (R, error)) op {
	return told(run, func(_ I, r R) (string, error) { return pretty(r) })
}

// told wraps an operation whose reply has a text of its own.
func told[I, R any](run func(*engine.Engine, context.Context, I) (R, error), say func(I, R) (string, error)) op {
	return op{
		input: reflect.TypeFor[I](), output: reflect.TypeFor[R](),
		run: func(ctx context.Context, e *engine.Engine, in any) (any, string, error) {
			typed := in.(I)
			result, err := run(e, ctx, typed)
			if err != nil {
				return nil, "", err
			}
			text, err := say(typed, result)
			return result, text, err
		},
	}
}

// readOnly is the tool as a read-only server has it: unable to run commands.
func (t tool) readOnly() tool {
	var takes []param
	for _, p := range t.takes {
		if !p.executes {
			takes = append(takes, p)
		}
	}
	t.takes, t.slow = takes, nil
	return t
}

// describe is the tool as lists show it.
func (t tool) describe() mcpgo.Tool {
	hint := func(b bool) *bool { return &b }
	open := t.does == executes
	for _, p := range t.takes {
		open = open || p.executes
	}
	return mcpgo.Tool{
		Name: t.name, Title: t.title, Description: t.text,
		RawInputSchema:  inputSchema(t.op.input, t.takes),
		RawOutputSchema: outputSchema(t.op.output),
		Annotations: mcpgo.ToolAnnotation{
			ReadOnlyHint:    hint(t.does == reads),
			DestructiveHint: hint(t.does == drops),
			IdempotentHint:  hint(t.does == reads),
			OpenWorldHint:   hint(open),
		},
	}
}
