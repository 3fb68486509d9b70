package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCommandsMCP_inspector lists the tools of commands with the inspector and calls each of them.
func TestCommandsMCP_inspector(t *testing.T) {
	t.Parallel()
	forRelease(t, "mcp")
	node, modules := npmPackage(t, "@modelcontextprotocol/inspector")
	c := serveCommands(t)
	inspector := filepath.Join(modules, ".bin", "mcp-inspector")
	words := []string{"c1=git", "c2=group-commit", "c3=unstaged-changes"}
	for want, args := range map[string][]string{
		`"name": "search"`:             nil,
		`\"c2\": \"group-commit\"`:     {"search", "query=group changes and commit"},
		`"usage": "climpt-git`:         append([]string{"describe"}, words...),
		`# Group the changes of a`:     append([]string{"execute", "agent=climpt", `options={"uv-scope":"a"}`}, words...),
		`"commandCount":`:              {"reload", "agent=climpt"},
		`"error": "Command not found"`: {"describe", "c1=git", "c2=invalid-command", "c3=target"},
	} {
		method := []string{"--method", "tools/list"}
		if len(args) > 0 {
			method = []string{"--method", "tools/call", "--tool-name", args[0]}
			for _, arg := range args[1:] {
				method = append(method, "--tool-arg", arg)
			}
		}
		r := execute(t, c.dir, c.env, node, append([]string{inspector, "--cli", chantBinary(t), "mcp", "--toolsets", "commands"}, method...)...)
		assert.Equal(t, strings.Contains(want, "error"), r.code != 0, "%q: exit %s", method, r.stderr)
		assert.Contains(t, r.out, want, "%q: exit %s", method, r.stderr)
	}
}
