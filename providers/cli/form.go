package cli

import (
	"maps"
	"slices"

	"chant/providers"
)

// Forms are the forms of an output, each that of the CLI it is named after. Lines is
// that of a CLI without events: exit code 0 is success.
func Forms() []string { return slices.Sorted(maps.Keys(forms())) }

func forms() map[string]func(providers.Invocation) providers.Decoder {
	return map[string]func(providers.Invocation) providers.Decoder{
		"claude": func(in providers.Invocation) providers.Decoder { return &claudeDecoder{wantMCP: in.MCP != nil} },
		"lines":  func(providers.Invocation) providers.Decoder { return providers.Lines() },
	}
}
