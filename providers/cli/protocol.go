package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chant/providers"
	"chant/text"
)

// protocol is shared by the decoders of all outputs whose lines are JSON objects.
type protocol struct {
	session string
	denied  map[string]bool
	tools   map[string]string  // the tool of each call, by the CLI's name of the call
	said    providers.LastLine // the last line that is not part of the protocol
	err     providers.LastLine // the last line of stderr
}

// Stderr implements providers.StderrListener.
func (p *protocol) Stderr(line string) []providers.Event {
	p.err.Note(line)
	return nil
}

// read decodes a line. It returns false and the line as text if it is not an object; a
// field of an unexpected shape stays empty.
func (p *protocol) read(line []byte, e any) (stray string, ok bool) {
	line = bytes.TrimSpace(line)
	var shape *json.UnmarshalTypeError
	// A newer CLI may have another type in one field; the others are still right.
	if err := json.Unmarshal(line, e); err == nil || errors.As(err, &shape) && len(line) > 0 && line[0] == '{' {
		return "", true
	}
	return text.Line(line), false
}

// passStray passes on a line that is not an event.
func (p *protocol) passStray(line []byte, words string) []providers.Event {
	if words == "" {
		words = text.Line(bytes.TrimSpace(line))
	}
	if words == "" {
		return nil
	}
	p.said.Note(words)
	return []providers.Event{{Kind: providers.Output, Text: words}}
}

// failWithoutEnd is the verdict of a failed run whose last event, named by what, never arrived. What the CLI itself says on stderr,
// and nothing else, may be an answer of the model's API after which asking again cannot help.
func (p *protocol) failWithoutEnd(v *providers.Verdict, what string, exit providers.Exit) {
	v.Reason = p.err.Or(p.said).After(fmt.Sprintf("no end of the %s, %s", what, exit))
	if why := providers.Refused(0, string(p.err)); why != "" {
		v.Refused, v.Reason = true, why
	}
}

// recordCall records the tool of a call, because the answer contains only the name of the call.
func (p *protocol) recordCall(id, tool string) {
	if p.tools == nil {
		p.tools = map[string]string{}
	}
	p.tools[id] = tool
}

// missingServer reports that the agent lacks our server, under its name in tool
// rules.
func missingServer(name, why string) providers.Event {
	return providers.Event{Kind: providers.Denied, Tool: name, Text: fmt.Sprintf("MCP server %q is not connected: %s", serverName, why)}
}

func (p *protocol) refuse(tool string) {
	if p.denied == nil {
		p.denied = map[string]bool{}
	}
	p.denied[tool] = true
}

// deniedTools lists the tools that were denied to the agent, each once, sorted.
func (p *protocol) deniedTools() []string { return slices.Sorted(maps.Keys(p.denied)) }
