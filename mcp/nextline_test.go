package mcp

import (
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/spec/next"

	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

// offeredBy lists the tools that a server with these options offers.
func offeredBy(t *testing.T, o Options) []toolset.Tool {
	t.Helper()
	c, err := chooseTool(toolsets(), o.choice())
	assert.NoError(t, err)
	return c.Tools
}

// A next step is the call of a tool that is served and takes all of it, else a command.
func TestNextLine(t *testing.T) {
	t.Parallel()
	all := offeredBy(t, Options{Toolsets: []string{"specs", "review"}})
	usual := offeredBy(t, Options{})
	reading := offeredBy(t, Options{ReadOnly: true})
	alone, beside := offeredBy(t, Options{Toolsets: []string{"commands"}}), offeredBy(t, Options{Toolsets: []string{"commands", "specs"}})
	for _, tt := range []struct {
		step next.Step
		from []toolset.Tool
		want string
	}{
		{next.Step{}, all, ""},
		{next.Work.Help(), all, ""},
		{next.Help(), all, ""},
		{next.List.On(), all, "next: call chant_spec_list"},
		{next.Work.On("001"), all, `next: call chant_work_start with {"id":"001"}`},
		{next.Work.On("001"), reading, "hint: chant work 001"},
		{next.Work.On("001").Flag("replay"), all, "hint: chant work 001 --replay"},
		{next.Check.On("001", "2"), all, `next: call chant_criterion_check with {"criterion":"2","id":"001"}`},
		{next.Split.On("001").Flag("by-heading"), all, `next: call chant_split with {"by_heading":true,"id":"001"}`},
		{next.Approve.On("001"), all, `next: call chant_approve with {"id":"001"}`},
		{next.Approve.On("001"), usual, "hint: chant approve 001"},
		{next.Verify.On("001"), reading, `next: call chant_verify with {"id":"001"}`},
		{next.Merge.On("001").Flag("auto").Set("provider", "x"), all, "hint: chant merge 001 --auto --provider x"},
		{next.Merge.On("001").After("git stash"), all, "hint: git stash && chant merge 001"},
		{next.Finalize.On("001").Flag("accept-changes"), all, "hint: chant finalize 001 --accept-changes"},
		{next.Log.On("001").Flag("follow"), all, "hint: chant log 001 --follow"},
		{next.Edit.On("001"), all, "hint: chant edit 001"},
		{next.Shell("git status"), all, "hint: git status"},
		{next.EditFile("a.md"), all, "hint: vi a.md"},
		{next.CommandFind.On("group commits"), alone, `next: call search with {"query":"group commits"}`},
		{next.CommandFind.On("group commits").Set("agent", "scout"), beside, `next: call climpt_search with {"agent":"scout","query":"group commits"}`},
		{next.CommandFind.On("group commits"), all, `hint: chant command search "group commits"`},
		{next.Step{Op: next.Verify}, all, "hint: chant verify"}, // the tool needs an id
	} {
		got := strings.TrimPrefix(nextLine(&engine.Error{Next: tt.step}, tt.from), "\n")
		assert.Equal(t, tt.want, got, "%s", tt.step)
	}
}

// A tool takes the arguments of the operation that it offers, and no two tools offer the same one.
func TestTools_operations(t *testing.T) {
	t.Parallel()
	offered := map[next.Op]string{}
	for _, tool := range offeredBy(t, Options{Toolsets: []string{"specs", "review", "commands"}}) {
		if tool.NextOp == "" {
			continue
		}
		other, twice := offered[tool.NextOp]
		assert.False(t, twice, "%s and %s offer %q", other, tool.Name, tool.NextOp)
		offered[tool.NextOp] = tool.Name
		i := slices.IndexFunc(next.Forms(), func(f next.Form) bool { return f.Op == tool.NextOp })
		if i < 0 {
			t.Errorf("%s offers %q, which is not among next.Forms", tool.Name, tool.NextOp)
			continue
		}
		for _, name := range next.Forms()[i].Args {
			if !slices.ContainsFunc(tool.Params, func(p toolset.Param) bool { return p.Name == name }) {
				t.Errorf("%s does not take %q of %q", tool.Name, name, tool.NextOp)
			}
		}
	}
	assert.True(t, len(offered) >= 20, "%d tools offer an operation", len(offered))
}
