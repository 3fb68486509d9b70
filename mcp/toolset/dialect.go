package toolset

import (
	"context"
	"maps"
	"strings"

	"chant/engine"
)

// Dialect is how a set of tools is served to clients that were written for another server which differs from MCP: the
// spellings of its names, its errors, and what it adds to the definitions of tools. A set whose clients are those of
// another server with plain MCP has none, see Standalone and Foreign.Failure. Package mcp carries it out.
type Dialect struct {
	// What the server is where it serves nothing else.
	Protocol     string // the version for clients that ask for none that is known
	Capabilities any    // as JSON

	// Fault makes the JSON-RPC error of an error; false for a bug of ours. text is what a tool without a dialect would
	// report, with the next step.
	Fault func(t Tool, err error, text string) (Fault, bool)

	// Values returns what the hints of the tools name, by category; none where hints would be ambiguous. It is called
	// once a second for each client, whose notification names the Categories that differ, in their order.
	Values     func(ctx context.Context, p *engine.Project) (map[string][]string, error)
	Categories []string
}

// Fault is a JSON-RPC error.
type Fault struct {
	Code    int
	Message string
	Data    any // as JSON; nil for none
}

// Canonical is the name of a tool or method in the spelling of a dialect, in which task_list and task/list are the
// same: the first underscore becomes a slash, unless the name has one.
func Canonical(name string) string {
	if strings.Contains(name, "/") {
		return name
	}
	return strings.Replace(name, "_", "/", 1)
}

// LogLevel is the protocol's name for a level, and info for one that is unknown.
func LogLevel(level string) string {
	switch level = strings.ToLower(strings.TrimSpace(level)); level {
	case "trace":
		return "debug"
	case "warn":
		return "warning"
	case "off":
		return "emergency"
	case "debug", "notice", "warning", "error", "critical", "alert", "emergency":
		return level
	}
	return "info"
}

// Changed returns the categories in which two sets of values differ. The order of the values does not matter.
func (d *Dialect) Changed(before, after map[string][]string) []string {
	var out []string
	for _, category := range d.Categories {
		if !maps.Equal(asSet(before[category]), asSet(after[category])) {
			out = append(out, category)
		}
	}
	return out
}

func asSet(values []string) map[string]bool {
	out := map[string]bool{}
	for _, value := range values {
		out[value] = true
	}
	return out
}
