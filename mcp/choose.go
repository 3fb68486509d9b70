package mcp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
)

// choose picks the tools that the options ask for.
func choose(all []tool, o Options) ([]tool, error) {
	known := []string{specsToolset, reviewToolset}
	for _, name := range o.Toolsets {
		if !slices.Contains(known, name) {
			return nil, unknown("toolset", name, known...)
		}
	}
	all = slices.DeleteFunc(all, func(t tool) bool { return !o.has(cmp.Or(t.set, specsToolset)) })
	var names []string
	for _, t := range all {
		names = append(names, t.name)
	}
	for _, name := range o.Tools {
		if !slices.Contains(names, name) {
			return nil, unknown("tool", name, names...)
		}
	}
	var out []tool
	for _, t := range all {
		switch {
		case len(o.Tools) > 0 && !slices.Contains(o.Tools, t.name):
		case o.ReadOnly && t.does != reads:
		case o.ReadOnly:
			out = append(out, t.readOnly())
		default:
			out = append(out, t)
		}
	}
	if len(out) == 0 { // of the named ones: there are tools that change nothing
		return nil, &engine.Error{
			Code: engine.Usage, Hint: "chant mcp --help",
			Message: fmt.Sprintf("no tool is left to serve: a read-only server has none of %s", strings.Join(append(slices.Clone(o.Tools), o.Toolsets...), ", ")),
		}
	}
	return out, nil
}

// has reports whether the options ask for a toolset; none named means the default.
func (o Options) has(set string) bool {
	if len(o.Toolsets) == 0 {
		return set == specsToolset
	}
	return slices.Contains(o.Toolsets, set)
}

func unknown(what, name string, known ...string) error {
	return &engine.Error{
		Code: engine.Usage, Hint: "chant mcp --help",
		Message: fmt.Sprintf("unknown %s %q (one of %s)", what, spec.Echo(name), strings.Join(known, ", ")),
	}
}
