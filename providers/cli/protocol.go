package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chant/providers"
)

// protocol is what the decoders of all outputs share whose lines are JSON objects.
type protocol struct {
	session string
	denied  map[string]bool
	said    providers.LastLine // the last line that is not part of the protocol
	err     providers.LastLine // the last line of stderr
}

// Stderr implements providers.StderrListener.
func (p *protocol) Stderr(line string) { p.err.Note(line) }

// read decodes a line. It returns false and the line as text when it is no object; a
// field of an unexpected shape stays empty.
func (p *protocol) read(line []byte, e any) (text string, ok bool) {
	line = bytes.TrimSpace(line)
	var shape *json.UnmarshalTypeError
	if err := json.Unmarshal(line, e); err == nil || errors.As(err, &shape) && len(line) > 0 && line[0] == '{' {
		return "", true
	}
	return providers.Printable(line), false
}

// stray passes on a line that is no event.
func (p *protocol) stray(line []byte, text string) []providers.Event {
	if text == "" {
		text = providers.Printable(bytes.TrimSpace(line))
	}
	if text == "" {
		return nil
	}
	p.said.Note(text)
	return []providers.Event{{Kind: providers.Output, Text: text}}
}

// silence is why a run failed whose last event never came. Its name is what.
func (p *protocol) silence(what string, exit providers.Exit) string {
	return p.err.Or(p.said).After(fmt.Sprintf("no end of the %s, %s", what, exit))
}

func (p *protocol) refuse(tool string) {
	if p.denied == nil {
		p.denied = map[string]bool{}
	}
	p.denied[tool] = true
}

// refused lists the tools that the agent was refused, each once, sorted.
func (p *protocol) refused() []string { return slices.Sorted(maps.Keys(p.denied)) }
