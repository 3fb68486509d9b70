package mcp

import (
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
)

// choose picks the tools that the options ask for.
func choose(all []tool, o Options) ([]tool, error) {
	for _, name := range o.Toolsets {
		if name != specsToolset {
			return nil, unknown("toolset", name, specsToolset)
		}
	}
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
			Message: fmt.Sprintf("no tool is left to serve: a read-only server has none of %s", strings.Join(o.Tools, ", ")),
		}
	}
	return out, nil
}

func unknown(what, name string, known ...string) error {
	return &engine.Error{
		Code: engine.Usage, Hint: "chant mcp --help",
		Message: fmt.Sprintf("unknown %s %q (one of %s)", what, spec.Echo(name), strings.Join(known, ", ")),
	}
}
