package tasks

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/taskboard"
	"chant/mcp/toolset"
)

// The categories of values that go with parameters, in the order in which changes are announced.
const (
	projects     = "projects"
	statuses     = "statuses"
	priorities   = "priorities"
	types        = "types"
	members      = "members"
	tags         = "tags"
	customFields = "custom_fields"
)

// dialect is how lotar's clients expect the tools.
func dialect() *toolset.Dialect {
	return &toolset.Dialect{
		Protocol: "2025-06-18",
		Capabilities: map[string]any{
			"tools": map[string]bool{"listChanged": true, "list": true, "call": true}, "logging": struct{}{},
		},
		Fault: fault, Values: values,
		Categories: []string{projects, statuses, priorities, types, members, tags, customFields},
	}
}

// values returns what the settings allow. With several projects there are none: which project is meant is not known.
func values(ctx context.Context, p *engine.Project) (map[string][]string, error) {
	board, err := taskboard.Open(ctx, p, "")
	if err != nil {
		return nil, err
	}
	st := board.Settings
	known := []string{st.DefaultProject}
	for _, each := range st.Projects {
		if !slices.Contains(known, each.Prefix) {
			known = append(known, each.Prefix)
		}
	}
	if len(known) > 1 {
		return nil, nil
	}
	return board.EnumHints(st.DefaultProject), nil
}
