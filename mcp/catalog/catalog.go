// Package catalog decides which tools a server offers: those of the chosen toolsets, fewer where the server is
// restricted to some tools or to reading, and finds the tool that a name means.
//
// It opens no project itself: callers pass a function for that, which is called only for toolsets that follow the
// settings of a project.
package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/mcp/toolset"
)

// Choice is what the options of a server say about its tools.
type Choice struct {
	Toolsets []string // empty = the first one
	Tools    []string // of these toolsets; empty = all
	ReadOnly bool     // only tools that change nothing
}

// Catalog is what a server offers: the tools of the chosen toolsets, and the toolsets that have further ones.
type Catalog struct {
	Fixed        []toolset.Tool   // tools that do not depend on the settings
	Dialect      *toolset.Dialect // of a chosen toolset, nil where none has one
	Alone        bool             // that toolset is the only one
	Strict       bool             // the only toolset refuses calls of unknown tools by a protocol error
	Server       string           // the name of the server where the only toolset has one, else ""
	Instructions string           // for the model
	choice       Choice
	dynamic      []toolset.Set
}

// Open opens the project whose settings some toolsets follow.
type Open func() (*engine.Project, error)

// Choose selects the toolsets and tools that a choice names. Errors: *engine.Error with the code Usage for unknown
// names, and where no tool is left.
func Choose(all []toolset.Set, choice Choice) (Catalog, error) {
	c := Catalog{choice: choice}
	var known, names []string
	for _, set := range all {
		known = append(known, set.Name)
	}
	for _, name := range choice.Toolsets {
		if !slices.Contains(known, name) {
			return c, unknown("toolset", name, known...)
		}
	}
	wanted := choice.Toolsets
	if len(wanted) == 0 {
		wanted = known[:1]
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(set toolset.Set) bool { return !slices.Contains(wanted, set.Name) })
	for _, set := range chosen {
		c.add(set.Served(len(chosen) == 1))
	}
	if len(chosen) == 1 {
		c.Alone, c.Server, c.Strict = c.Dialect != nil, chosen[0].Alone.Server, chosen[0].Alone.Strict
	}
	for _, t := range c.Fixed {
		names = append(names, t.Name)
	}
	for _, name := range choice.Tools {
		if !slices.ContainsFunc(c.Fixed, named(name)) && len(c.dynamic) == 0 {
			return c, unknown("tool", name, names...)
		}
	}
	c.Fixed = c.keep(c.Fixed)
	if len(c.Fixed) == 0 && len(c.dynamic) == 0 { // of the named ones: there are tools that change nothing
		named := strings.Join(append(slices.Clone(choice.Tools), choice.Toolsets...), ", ")
		return c, &engine.Error{
			Code: engine.Usage, Next: next.MCP.Help(),
			Message: fmt.Sprintf("no tool is left to serve: a read-only server has none of %s", named),
		}
	}
	return c, nil
}

// add adds a toolset.
func (c *Catalog) add(set toolset.Set) {
	c.Dialect = cmp.Or(c.Dialect, set.Dialect)
	c.Fixed = append(c.Fixed, set.Tools...)
	if set.Follow != nil {
		c.dynamic = append(c.dynamic, set)
	}
	if c.Instructions != "" && set.Instructions != "" {
		c.Instructions += "\n"
	}
	c.Instructions += set.Instructions
}

// Follows reports whether tools depend on the settings of the project.
func (c Catalog) Follows() bool { return len(c.dynamic) > 0 }

// keep returns those tools of the chosen toolsets that the options ask for.
func (c Catalog) keep(tools []toolset.Tool) []toolset.Tool {
	var out []toolset.Tool
	for _, t := range tools {
		switch {
		case len(c.choice.Tools) > 0 && !slices.ContainsFunc(c.choice.Tools, t.Named):
		case c.choice.ReadOnly && t.Effect != toolset.Reads:
		case c.choice.ReadOnly:
			out = append(out, t.ReadOnly())
		default:
			out = append(out, t)
		}
	}
	return out
}

// Offered returns what is offered now. open opens the project, whose settings some toolsets follow; it is not called
// where the tools are fixed.
func (c Catalog) Offered(open Open) ([]toolset.Tool, error) {
	if len(c.dynamic) == 0 {
		return c.Fixed, nil
	}
	p, err := open()
	if err != nil {
		return nil, err
	}
	out := slices.Clone(c.Fixed)
	for _, set := range c.dynamic {
		tools, err := set.Follow(p)
		if err != nil {
			return nil, err
		}
		out = append(out, c.keep(tools)...)
	}
	return out, nil
}

// Find returns the tool with this name, or the one that has it beside other toolsets, or the one of a dialect that it
// names in another spelling; false where there is none.
func (c Catalog) Find(name string, open Open) (toolset.Tool, bool, error) {
	if i := slices.IndexFunc(c.Fixed, named(name)); i >= 0 {
		return c.Fixed[i], true, nil
	}
	all, err := c.Offered(open)
	if i := slices.IndexFunc(all, named(name)); i >= 0 {
		return all[i], true, nil
	}
	if t, ok := c.InDialect(name); ok {
		return t, true, nil
	}
	return toolset.Tool{}, false, err
}

// named selects the tool that a name means.
func named(name string) func(toolset.Tool) bool {
	return func(t toolset.Tool) bool { return t.Named(name) }
}

// InDialect returns the tool of a dialect that a name means in any spelling.
func (c Catalog) InDialect(name string) (toolset.Tool, bool) {
	for _, t := range c.Fixed {
		if t.Dialect != nil && toolset.Canonical(t.Name) == toolset.Canonical(name) {
			return t, true
		}
	}
	return toolset.Tool{}, false
}

func unknown(what, name string, known ...string) error {
	return &engine.Error{
		Code: engine.Usage, Next: next.MCP.Help(),
		Message: fmt.Sprintf("unknown %s %q (one of %s)", what, spec.Echo(name), strings.Join(known, ", ")),
	}
}
