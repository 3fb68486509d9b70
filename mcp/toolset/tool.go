package toolset

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/text"

	"github.com/google/jsonschema-go/jsonschema"
)

// Effect is what a tool may do to the project.
type Effect int

// The effects of tools.
const (
	Reads    Effect = iota // changes nothing
	Adds                   // adds to the project and removes nothing
	Drops                  // removes something
	Executes               // runs the commands of criteria, which may do anything
)

// ResultKey is the key of a reply's metadata for the result of a tool that is TextOnly.
const ResultKey = "chant/result"

// Tool is one row of a toolset. Every row has the first fields, and most have no others.
type Tool struct {
	Name, Title, Text string
	Effect            Effect
	Params            []Param // what it takes of the operation's input, in order
	Op                Op

	NextOp next.Op              // the operation of next steps that the tool offers, "" for none
	Slow   func(Arguments) bool // reports whether a call may take long; nil = never
	Task   bool                 // a call may be made as a task, which runs in the background

	Foreign // only for tools whose clients were written for another server
	Served  // what a server adds; rows leave it out
}

// Foreign is how a tool differs whose name and arguments are those of another server, as its clients expect. The zero
// value is a tool of chant.
type Foreign struct {
	ArgsOptional    bool   // a call may leave out the arguments as a whole
	ProjectOptional bool   // it works in folders without a project, too
	TextOnly        bool   // the text of the reply is all that a model should see: the result is under ResultKey of its metadata
	Icons           []Icon // for lists of tools

	// Failure is how a call that fails is reported, with isError; false = as calls of other tools. text is what other tools
	// would report, with the next step, and "" for a bug of ours. nil = as other tools.
	Failure func(err error, text string) (Failure, bool)

	// NoEffect names flags of the other server that have no meaning here: calls may have them, and the reply names them as
	// ignored. They are not in the schema, so that no model learns of them.
	NoEffect []string

	// Only for tools of a set with a Dialect.
	Lenient bool   // arguments are not checked against the schema, see decodeLeniently
	Hints   []Hint // values that go with parameters
}

// Served is what a tool has on one server, by Set.Served and Tool.ReadOnly.
type Served struct {
	Dialect  *Dialect // of its set; nil = none
	LongName string   // beside tools of other sets, where the tool is served alone; "" where that is Name
	Ignored  []string // parameters that a read-only server does not take
}

// Icon is an image that represents a tool.
type Icon struct {
	Src, MIME string // an https or data address and the type of the image
	Sizes     []string
}

// Failure is the content of a result with isError.
type Failure struct {
	Texts      []string
	Structured any // as JSON; nil for none
}

// Param is a property of the operation's input that a tool takes.
type Param struct {
	Name     string
	Text     string                   // replaces the description of the Input struct
	Brief    bool                     // the schema has only types, enums and upper limits of numbers; for lenient tools
	Plain    bool                     // the schema of an object does not list what is in it, which another tool does
	Executes bool                     // makes the tool run commands or change something
	Integer  bool                     // a string that may also be given as an integer
	Refine   func(*jsonschema.Schema) // adds what depends on the settings; may be nil
}

// Always, Running and Completing are conditions for Tool.Slow.
func Always(Arguments) bool { return true }

// Running reports whether a call asks to run commands.
func Running(args Arguments) bool { return args["run"] == true }

// Completing reports whether a call completes a spec.
func Completing(args Arguments) bool { return args["status"] == "completed" }

// Op is an operation of the engine without its types.
type Op struct {
	Input, Output reflect.Type

	run func(ctx context.Context, p *engine.Project, in any) (result any, content []Block, err error)
}

// Operation wraps an operation whose reply is its result as JSON.
func Operation[I, R any](run func(context.Context, *engine.Project, I) (R, error)) Op {
	return WithText(run, func(_ I, r R) (string, error) { return JSON(r) })
}

// WithText wraps an operation whose reply has a text of its own.
func WithText[I, R any](run func(context.Context, *engine.Project, I) (R, error), text func(I, R) (string, error)) Op {
	return WithTexts(run, func(in I, r R) ([]string, error) {
		reply, err := text(in, r)
		return []string{reply}, err
	})
}

// WithTexts wraps an operation whose reply has several texts.
func WithTexts[I, R any](run func(context.Context, *engine.Project, I) (R, error), write func(I, R) ([]string, error)) Op {
	return WithContent(run, func(in I, r R) ([]Block, error) {
		reply, err := write(in, r)
		return texts(reply), err
	})
}

// WithContent wraps an operation whose reply has content of its own.
func WithContent[I, R any](run func(context.Context, *engine.Project, I) (R, error), content func(I, R) ([]Block, error)) Op {
	return Op{
		Input: reflect.TypeFor[I](), Output: reflect.TypeFor[R](),
		run: func(ctx context.Context, p *engine.Project, in any) (any, []Block, error) {
			typed := in.(I)
			result, err := run(ctx, p, typed)
			if err != nil {
				return nil, nil, err
			}
			// The output schema has no null here, and clients that validate would refuse the reply.
			result = withoutNulls(result)
			reply, err := content(typed, result)
			return result, reply, err
		},
	}
}

// Run carries out the operation with an input that Decode returned. It returns the result and the content of the reply.
func (t Tool) Run(ctx context.Context, p *engine.Project, in any) (result any, content []Block, err error) {
	return t.Op.run(ctx, p, in)
}

// ReadOnly is the tool without the parameters that make it run commands or change something.
func (t Tool) ReadOnly() Tool {
	var params []Param
	for _, p := range t.Params {
		if p.Executes {
			// The slice is capped, so that the tool from which this one was copied keeps its own.
			t.Ignored = append(slices.Clip(t.Ignored), p.Name)
		} else {
			params = append(params, p)
		}
	}
	// What is left is quick.
	if len(params) < len(t.Params) {
		t.Slow, t.Task = nil, false
	}
	t.Params = params
	return t
}

// Runs reports whether the tool may run commands.
func (t Tool) Runs() bool {
	for _, p := range t.Params {
		if p.Executes {
			return true
		}
	}
	return t.Effect == Executes
}

// Changes reports whether a call may change something: by what the tool does, or by a parameter that makes it do so.
func (t Tool) Changes(args Arguments) bool {
	return t.Effect != Reads || slices.ContainsFunc(t.Params, func(p Param) bool {
		return p.Executes && args[p.Name] != nil && fmt.Sprint(args[p.Name]) != "false"
	})
}

// JSON is how data is written in a text.
func JSON(v any) (string, error) {
	out, err := text.JSON(v, "  ")
	return string(out), err
}

// ArgumentsFor returns the arguments with which a call of the tool takes a next step; false if the tool does not offer
// the step's operation, or does not take all that the step says.
func (t Tool) ArgumentsFor(step next.Step) (Arguments, bool) {
	if t.NextOp == "" || t.NextOp != step.Op || step.Shell != "" || step.ByHand != "" {
		return nil, false
	}
	given, ok := step.NamedArgs()
	if !ok {
		return nil, false
	}
	args := Arguments{}
	for _, g := range given {
		args[strings.ReplaceAll(g.Name, "-", "_")] = g.Value
	}
	// A step that the tool would refuse must not be named to a model.
	_, err := t.Decode(args)
	return args, err == nil
}
