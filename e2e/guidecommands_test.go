package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// codeBlock finds the code blocks of a page: language, file and text.
var codeBlock = regexp.MustCompile("(?ms)^```(\\w+)(?: (\\S+))?\n(.*?)^```$")

// runBlocks runs the shell blocks of a text as a reader pastes them, and returns what they print.
func (p *project) runBlocks(text string) string {
	p.t.Helper()
	var out strings.Builder
	env := append(slices.Clone(p.env), "PATH="+filepath.Dir(chantBinary(p.t))+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, block := range codeBlock.FindAllStringSubmatch(text, -1) {
		if block[1] != "sh" {
			continue
		}
		r := execute(p.t, p.dir, env, "sh", "-e", "-c", block[3])
		if r.code != 0 {
			p.t.Fatalf("exit %d from\n%s%s%s", r.code, block[3], r.out, r.stderr)
		}
		out.WriteString(r.out)
	}
	return out.String()
}

// TestGuide_commands pastes what the manual says of commands.
func TestGuide_commands(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the examples are for sh")
	}
	page := guidePage(t, "commands")
	p := newProject(t)
	got := p.runBlocks(page)
	for _, want := range []string{
		"Created .agent/climpt/prompts/go/review/package/f_default.md\n", "  go/review/package  Review a Go package for races, leaks and unclear names\n",
		"\n--uv-package=VALUE  Path of the package\n", "- package: ./engine\n", "\nLook at the cache first.\n", "go  review  package  Review a Go package",
	} {
		assert.Contains(t, got, want)
	}

	for _, block := range codeBlock.FindAllStringSubmatch(page, -1) {
		switch language, file, text := block[1], block[2], block[3]; language {
		case "markdown":
			assert.NoError(t, os.WriteFile(filepath.Join(p.dir, filepath.FromSlash(file)), []byte(text), 0o644))
			out, _, _ := p.try(nil, "command", "run", "go/review/package", "--uv-package=.")
			assert.Equal(t, "Review .. What to look for:\n\n{input_text}\n", out, "the prompt is rendered")
			_, warnings, _ := p.try(nil, "command", "list")
			assert.Equal(t, "", warnings, "the prompt has warnings")
		case "json":
			var config struct {
				MCPServers map[string]struct{ Args []string }
			}
			assert.NoError(t, json.Unmarshal([]byte(text), &config), "%s", text)
			assert.Equal(t, "mcp --toolsets commands", strings.Join(config.MCPServers["climpt"].Args, " "), "%s", text)
		}
	}
}
