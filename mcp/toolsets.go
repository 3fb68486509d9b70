package mcp

import (
	"chant/mcp/code"
	"chant/mcp/commands"
	"chant/mcp/feature"
	"chant/mcp/specs"
	"chant/mcp/tasks"
	"chant/mcp/toolset"
)

// toolsets lists every toolset. The first is the one that is offered by default.
func toolsets() []toolset.Set {
	return []toolset.Set{specs.Set(), specs.Review(), tasks.Set(), commands.Set(), code.Set(), feature.Set()}
}

// Toolset describes a toolset for help and documents.
type Toolset struct {
	Name, About string
	Tools       []string // names, without those that depend on the settings
	Alone       []string // their names where nothing else is served; nil where they are the same
}

// Toolsets describes every toolset. The first is the default.
func Toolsets() []Toolset {
	var out []Toolset
	for _, set := range toolsets() {
		described := Toolset{Name: set.Name, About: set.About}
		for _, t := range set.Tools {
			described.Tools = append(described.Tools, t.Name)
		}
		if set.Alone.Prefix != "" {
			for _, t := range set.Served(true).Tools {
				described.Alone = append(described.Alone, t.Name)
			}
		}
		out = append(out, described)
	}
	return out
}
