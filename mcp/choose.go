package mcp

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

// catalog is what a server offers: the tools of the chosen toolsets, and the toolsets that have further ones.
type catalog struct {
	o            Options
	fixed        []toolset.Tool
	dynamic      []toolset.Set
	dialect      *toolset.Dialect // of a chosen toolset, nil where none has one
	alone        bool             // that toolset is the only one
	instructions string
}

// choose selects the toolsets and tools that the options ask for.
func choose(all []toolset.Set, o Options) (catalog, error) {
	c := catalog{o: o}
	var known, names []string
	for _, set := range all {
		known = append(known, set.Name)
	}
	for _, name := range o.Toolsets {
		if !slices.Contains(known, name) {
			return c, unknown("toolset", name, known...)
		}
	}
	wanted := o.Toolsets
	if len(wanted) == 0 {
		wanted = known[:1]
	}
	for _, set := range all {
		if slices.Contains(wanted, set.Name) {
			c.add(set)
		}
	}
	for _, t := range c.fixed {
		names = append(names, t.Name)
	}
	for _, name := range o.Tools {
		if !slices.Contains(names, name) && len(c.dynamic) == 0 {
			return c, unknown("tool", name, names...)
		}
	}
	c.fixed = c.keep(c.fixed)
	if len(c.fixed) == 0 && len(c.dynamic) == 0 { // of the named ones: there are tools that change nothing
		return c, &engine.Error{
			Code: engine.Usage, Next: next.MCP.Help(),
			Message: fmt.Sprintf("no tool is left to serve: a read-only server has none of %s", strings.Join(append(slices.Clone(o.Tools), o.Toolsets...), ", ")),
		}
	}
	return c, nil
}

// add adds a toolset.
func (c *catalog) add(set toolset.Set) {
	c.alone = set.Dialect != nil && len(c.fixed) == 0 && len(c.dynamic) == 0
	c.dialect = cmp.Or(c.dialect, set.Dialect)
	c.fixed = append(c.fixed, set.Rows()...)
	if set.Follow != nil {
		c.dynamic = append(c.dynamic, set)
	}
	if c.instructions != "" && set.Instructions != "" {
		c.instructions += "\n"
	}
	c.instructions += set.Instructions
}

// keep returns those tools of the chosen toolsets that the options ask for.
func (c catalog) keep(tools []toolset.Tool) []toolset.Tool {
	var out []toolset.Tool
	for _, t := range tools {
		switch {
		case len(c.o.Tools) > 0 && !slices.Contains(c.o.Tools, t.Name):
		case c.o.ReadOnly && t.Effect != toolset.Reads:
		case c.o.ReadOnly:
			out = append(out, t.ReadOnly())
		default:
			out = append(out, t)
		}
	}
	return out
}

// tools returns what is offered now. open opens the project, whose settings some toolsets follow; it is not called
// where the tools are fixed.
func (c catalog) tools(open func() (*engine.Project, error)) ([]toolset.Tool, error) {
	if len(c.dynamic) == 0 {
		return c.fixed, nil
	}
	p, err := open()
	if err != nil {
		return nil, err
	}
	out := slices.Clone(c.fixed)
	for _, set := range c.dynamic {
		tools, err := set.Follow(p)
		if err != nil {
			return nil, err
		}
		out = append(out, c.keep(tools)...)
	}
	return out, nil
}

// find returns the tool with this name, or the one of a dialect that it names in another spelling; false where there is
// none.
func (c catalog) find(name string, open func() (*engine.Project, error)) (toolset.Tool, bool, error) {
	named := func(t toolset.Tool) bool { return t.Name == name }
	if i := slices.IndexFunc(c.fixed, named); i >= 0 {
		return c.fixed[i], true, nil
	}
	all, err := c.tools(open)
	if i := slices.IndexFunc(all, named); i >= 0 {
		return all[i], true, nil
	}
	if t, ok := c.inDialect(name); ok {
		return t, true, nil
	}
	return toolset.Tool{}, false, err
}

// inDialect returns the tool of a dialect that a name means in any spelling.
func (c catalog) inDialect(name string) (toolset.Tool, bool) {
	for _, t := range c.fixed {
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
