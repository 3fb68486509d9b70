package mcp

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"chant/engine/enginetest"
	"chant/mcp/tools"
	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

// nulCall is a call with the character NUL in one argument.
type nulCall struct {
	tool, param string
	args        map[string]any
}

// nulCalls lists calls of a tool with NUL in each of its texts and lists of texts. The other arguments are plausible.
func nulCalls(t *testing.T, row toolset.Tool) []nulCall {
	t.Helper()
	raw, err := row.InputSchema()
	assert.NoError(t, err)
	var schema struct {
		Required   []string
		Properties map[string]struct {
			Type  any
			Enum  []any
			Items struct{ Type any }
		}
	}
	assert.NoError(t, json.Unmarshal(raw, &schema))
	isText := func(kind any) bool {
		list, _ := kind.([]any)
		return kind == "string" || slices.Contains(list, any("string"))
	}
	var out []nulCall
	for name, p := range schema.Properties {
		for _, text := range []string{"\x00", "a\x00b"} {
			args := map[string]any{}
			for _, required := range schema.Required {
				switch other := schema.Properties[required]; {
				case other.Enum != nil:
					args[required] = other.Enum[0]
				case other.Type == "array":
					args[required] = []any{"x"}
				default:
					args[required] = "2026-01-01-001-aaa"
				}
			}
			switch {
			case isText(p.Type):
				args[name] = text
			case isText(p.Items.Type):
				args[name] = []any{"x", text}
			default:
				continue
			}
			out = append(out, nulCall{row.Name, name, args})
		}
	}
	return out
}

// TestCall_nul sends NUL in every text to every tool for specs: each answer is an error that names the argument, nothing
// is changed, and the server goes on.
func TestCall_nul(t *testing.T) {
	t.Parallel()
	dir := project(t, map[string]string{"2026-01-01-001-aaa": "---\nstatus: failed\n---\n# One\n"})
	state := func() string {
		t.Helper()
		return enginetest.Git(t, dir, "status", "--porcelain=2", "--branch", "--untracked-files=all")
	}
	before := state()
	var calls []nulCall
	for _, row := range append(tools.Specs().Tools, tools.Review().Tools...) {
		calls = append(calls, nulCalls(t, row)...)
	}
	var lines []string
	for i, c := range calls {
		lines = append(lines, callLine(i, c.tool, c.args))
	}
	assert.True(t, slices.ContainsFunc(calls, func(c nulCall) bool { return c.tool == "chant_drift" && c.param == "at" }), "%d calls, without the one that was answered with an internal error", len(calls))
	assert.True(t, len(calls) >= 60, "%d calls, without the one that was answered with an internal error", len(calls))
	lines = append(lines, callLine(len(calls), "chant_spec_list", struct{}{}))
	replies := piped(t, opener(dir), Options{Toolsets: []string{"specs", "review"}}, lines...)
	assert.Equal(t, len(lines), len(replies))
	answers := map[string]answered{} // calls are answered in any order
	for _, reply := range replies {
		a := readAnswer(t, reply)
		answers[string(a.ID)] = a
	}
	for i, c := range calls {
		got, ok := answers[strconv.Itoa(i)]
		assert.True(t, ok, "%v %v %v", c.tool, c.param, got.Error)
		assert.True(t, got.Error == nil, "%v %v %v", c.tool, c.param, got.Error)
		assert.True(t, got.Result.IsError, "%v %v %v", c.tool, c.param, got.Error)
		assert.HasPrefix(t, got.text(), "Invalid parameter: "+c.param, "%v %v", c.tool, c.param)
		assert.Contains(t, got.text(), "0000", "%v %v", c.tool, c.param)
	}
	last := answers[strconv.Itoa(len(calls))]
	assert.True(t, last.Error == nil, "afterwards: %+v", last)
	assert.False(t, last.Result.IsError, "afterwards: %+v", last)
	assert.Contains(t, last.text(), "aaa")
	assert.Equal(t, before, state(), "something was changed:")
}
