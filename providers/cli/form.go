package cli

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"chant/providers"
)

// Forms are the forms of an output, each that of the CLI it is named after. Lines is
// that of a CLI without events: exit code 0 is success.
func Forms() []string { return slices.Sorted(maps.Keys(forms())) }

func forms() map[string]func(providers.Invocation) providers.Decoder {
	type in = providers.Invocation
	return map[string]func(in) providers.Decoder{
		"claude": func(in in) providers.Decoder {
			return &claudeDecoder{wantMCP: in.MCP != nil, before: priorCost(in.Before)}
		},
		"codex":    func(in in) providers.Decoder { return &codexDecoder{before: priorUsage(in.Before)} },
		"copilot":  func(in in) providers.Decoder { return newCopilotDecoder(in) },
		"gemini":   func(in in) providers.Decoder { return &geminiDecoder{wantMCP: in.MCP != nil} },
		"lines":    func(in) providers.Decoder { return providers.Lines() },
		"opencode": func(in) providers.Decoder { return &opencodeDecoder{} },
		"qwen": func(in in) providers.Decoder {
			return &qwenDecoder{claudeDecoder{cachedInside: true, before: priorUsage(in.Before)}}
		},
	}
}

func newCopilotDecoder(in providers.Invocation) *copilotDecoder {
	session := in.Session
	if session == "" {
		session = newSession(in)
	}
	return &copilotDecoder{protocol: protocol{session: session}, wantMCP: in.MCP != nil, home: copilotHome(in.Environ)}
}

// newSession names a session in advance, for CLIs that report theirs only at the end: a
// UUID that is another one for each run.
func newSession(in providers.Invocation) string {
	// copilot prints the name only at the end, but a run that is stopped before has to be resumed too.
	h := sha256.Sum256(fmt.Append(nil, in.RunID, " ", in.SpecID, " ", in.Attempt, " ", in.StateDir))
	// This makes it a UUID of version 8, whose rules are free.
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}
