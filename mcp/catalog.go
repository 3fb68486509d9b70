package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/mcp/toolset"
	"chant/text"
)

// This file decides which tools a server offers: those of the chosen toolsets, fewer where the server is
// restricted to some tools or to reading, and finds the tool that a name means.

// toolChoice is the part of the options of a server that selects its tools.
type toolChoice struct {
	Toolsets []string // empty = the first one
	Tools    []string // of these toolsets; empty = all
	ReadOnly bool     // only tools that change nothing
}

// catalog is the tools, prompts and resources of a server.
type catalog struct {
	Tools        []toolset.Tool   // of the chosen toolsets
	Dialect      *toolset.Dialect // of a chosen toolset, nil where none has one
	Standalone   bool             // that toolset is the only one
	Strict       bool             // the only toolset refuses calls of unknown tools by a protocol error
	Server       string           // the name of the server where the only toolset has one, else ""
	Instructions string           // for the model
}

// chooseTool selects the toolsets and tools that a choice names. Errors: *engine.Error with the code Usage for unknown
// names, and where no tool is left.
func chooseTool(all []toolset.Set, choice toolChoice) (catalog, error) {
	c := catalog{}
	var known, names []string
	for _, set := range all {
		known = append(known, set.Name)
	}
	for _, name := range choice.Toolsets {
		if !slices.Contains(known, name) {
			return c, unknownError("toolset", name, known...)
		}
	}
	wanted := choice.Toolsets
	if len(wanted) == 0 {
		wanted = known[:1]
	}
	// Their order is that of the list and not of the flags, so that the same choice gives the same tools.
	chosen := slices.DeleteFunc(slices.Clone(all), func(set toolset.Set) bool { return !slices.Contains(wanted, set.Name) })
	for _, set := range chosen {
		c.add(set.Served(len(chosen) == 1))
	}
	// Names and errors of another server are used only where no other tools would be mistaken for its own.
	if len(chosen) == 1 {
		c.Standalone, c.Server, c.Strict = c.Dialect != nil, chosen[0].Standalone.Server, chosen[0].Standalone.Strict
	}
	for _, t := range c.Tools {
		names = append(names, t.Name)
	}
	for _, name := range choice.Tools {
		if !slices.ContainsFunc(c.Tools, hasName(name)) {
			return c, unknownError("tool", name, names...)
		}
	}
	c.Tools = choice.filter(c.Tools)
	// Some tools change nothing, so only a choice of tools can leave none.
	if len(c.Tools) == 0 {
		named := strings.Join(append(slices.Clone(choice.Tools), choice.Toolsets...), ", ")
		return c, &engine.Error{
			Code: engine.Usage, Next: next.MCP.Help(),
			Message: fmt.Sprintf("no tool is left to serve: a read-only server has none of %s", named),
		}
	}
	return c, nil
}

// add adds a toolset.
func (c *catalog) add(set toolset.Set) {
	c.Dialect = cmp.Or(c.Dialect, set.Dialect)
	c.Tools = append(c.Tools, set.Tools...)
	if c.Instructions != "" && set.Instructions != "" {
		c.Instructions += "\n"
	}
	c.Instructions += set.Instructions
}

// filter returns those of the tools that are asked for.
func (c toolChoice) filter(tools []toolset.Tool) []toolset.Tool {
	var out []toolset.Tool
	for _, t := range tools {
		switch {
		case len(c.Tools) > 0 && !slices.ContainsFunc(c.Tools, t.Named):
		case c.ReadOnly && t.Effect != toolset.Reads:
		case c.ReadOnly:
			out = append(out, t.ReadOnly())
		default:
			out = append(out, t)
		}
	}
	return out
}

// Find returns the tool with this name, or the one that has it beside other toolsets, or the one of a dialect that it
// names in another spelling; false where there is none.
func (c catalog) Find(name string) (toolset.Tool, bool) {
	// Exact names come first: a spelling of the dialect must not hide a tool.
	if i := slices.IndexFunc(c.Tools, hasName(name)); i >= 0 {
		return c.Tools[i], true
	}
	return c.DialectTool(name)
}

// hasName returns a filter for the tool with a name.
func hasName(name string) func(toolset.Tool) bool {
	return func(t toolset.Tool) bool { return t.Named(name) }
}

// DialectTool returns the tool of a dialect that a name means in any spelling.
func (c catalog) DialectTool(name string) (toolset.Tool, bool) {
	for _, t := range c.Tools {
		if t.Dialect != nil && toolset.Canonical(t.Name) == toolset.Canonical(name) {
			return t, true
		}
	}
	return toolset.Tool{}, false
}

func unknownError(what, name string, known ...string) error {
	return &engine.Error{
		Code: engine.Usage, Next: next.MCP.Help(),
		Message: spec.Unknown(what, name, known),
	}
}

// refusal is the text of an error that a model can do something about: bad arguments and the refusals of the engine;
// false for a bug of ours. tools are those that are offered.
func refusal(err error, tools []toolset.Tool) (string, bool) {
	if bad, ok := errors.AsType[*toolset.ArgumentError](err); ok {
		return bad.Error(), true
	}
	var e *engine.Error
	if !errors.As(err, &e) {
		return "", false
	}
	switch e.Code {
	// All codes are listed, so that a new one has to be decided here.
	case engine.Usage, engine.NotFound, engine.Invalid, engine.State, engine.Blocked, engine.Conflict,
		engine.Agent, engine.Unverified, engine.Canceled:
		return e.Message + nextLine(e, tools), true
	case engine.Internal:
	}
	return "", false
}

// nextLine is the line that names the next step: the call of one of these tools, else a command. Help about flags is of
// no use here, and the contract's text for a folder without a project names its own step.
func nextLine(e *engine.Error, tools []toolset.Tool) string {
	// Help about flags is of no use to a model, and the text for a folder without a project names its own step.
	if e.Next.IsZero() || errors.Is(e, engine.ErrNotInitialized) || e.Next.AsksHelp() {
		return ""
	}
	for _, t := range tools {
		if args, ok := t.ArgumentsFor(e.Next); ok {
			return "\nnext: call " + t.Name + argumentText(args)
		}
	}
	return "\nhint: " + e.Next.String()
}

// argumentText is how a text names the arguments of a call.
func argumentText(args toolset.Arguments) string {
	out, err := text.JSON(args, "")
	if err != nil || len(args) == 0 {
		return ""
	}
	return " with " + string(out)
}
