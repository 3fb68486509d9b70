package e2e

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCodeMCP follows the documents of SwiftIndex: its tools, served alone and without a project of chant.
func TestCodeMCP(t *testing.T) {
	t.Parallel()
	p := newMCPProject(t)
	p.write("Sources/Auth/login.go", "package auth\n\n// Authenticate checks a password.\nfunc Authenticate(password string) bool {\n\treturn verify(password)\n}\n\nfunc verify(p string) bool { return p != \"\" }\n")
	p.write("Sources/app.go", "package app\n\nfunc start() bool { return auth.Authenticate(\"x\") }\n")
	p.write("docs/install.md", "# Installation\n\nInstallation takes one command.\n")
	p.write("docs/deep/more.md", "# More\n\nInstallation in depth.\n")
	p.git("add", ".")
	p.git("commit", "-q", "-m", "code")
	m := p.serve(t, p.dir, "--toolsets", "code")
	server, tools := m.named()
	want := []string{"index_codebase", "search_code", "search_docs", "code_research", "check_indexing_status"}
	assert.Equal(t, "swiftindex", server)
	assert.Equal(t, want, tools)

	exactly := func(want, tool string, args map[string]any) {
		t.Helper()
		if r := m.call(tool, args); !r.Result.IsError || r.text() != want {
			t.Errorf("%s %v: %q, want %q", tool, args, r.text(), want)
		}
	}
	exactly("No index found for path: "+p.dir+". Run 'index_codebase' tool first.", "search_code", map[string]any{"query": "password"})
	exactly("Path does not exist or is not a directory: /nowhere/at/all", "index_codebase", map[string]any{"path": "/nowhere/at/all"})
	first := m.do("index_codebase", map[string]any{"path": p.dir})
	second := m.do("index_codebase", map[string]any{"path": p.dir})
	assert.True(t, first["indexed_files"] != 0.0, "first %v\nthen %v", first, second)
	assert.True(t, second["indexed_files"] == 0.0, "first %v\nthen %v", first, second)
	assert.True(t, second["skipped_files"] == first["indexed_files"], "first %v\nthen %v", first, second)
	p.write("Sources/app.go", "package app\n\nfunc begin() bool { return auth.Authenticate(\"x\") }\n")
	third := m.do("index_codebase", map[string]any{"path": p.dir})
	assert.True(t, third["indexed_files"] == 1.0, "after a change %v", third)
	forced := m.do("index_codebase", map[string]any{"path": p.dir, "force": true})
	assert.True(t, forced["indexed_files"] == first["indexed_files"], "forced %v", forced)

	found := m.do("search_code", map[string]any{"query": "check a password", "path_filter": "Sources/Auth/**", "limit": 5})
	paths := pathsOf(t, found)
	assert.NotEqual(t, 0, len(paths))
	assert.False(t, slices.ContainsFunc(paths, func(path string) bool { return path != "Sources/Auth/login.go" }), "found in %q", paths)
	if r := m.call("search_code", map[string]any{"query": "authenticate", "limit": 1}); !strings.HasPrefix(r.text(), "search:\n  q: authenticate\n  n: 1\n") {
		t.Errorf("TOON %s", r.text())
	}
	assert.Equal(t, []string{"docs/install.md"}, pathsOf(t, m.do("search_docs", map[string]any{"query": "installation", "path_filter": "docs/*.md"})))
	raw, err := json.Marshal(m.do("code_research", map[string]any{"query": "what calls verify()"}))
	assert.NoError(t, err, "callers and their callers: %s", raw)
	assert.Contains(t, string(raw), `"Authenticate"`, "callers and their callers: %s", raw)
	assert.Contains(t, string(raw), `"begin"`, "callers and their callers: %s", raw)
	exactly("Query cannot be empty", "search_code", map[string]any{"query": "  "})
	exactly("Missing required argument: query", "search_docs", map[string]any{})
	m.end()
}

// pathsOf lists the files of results, each once.
func pathsOf(t *testing.T, reply map[string]any) []string {
	t.Helper()
	results, ok := reply["results"].([]any)
	assert.True(t, ok, "no results in %v", reply)
	var out []string
	for _, each := range results {
		if path, _ := each.(map[string]any)["path"].(string); !slices.Contains(out, path) {
			out = append(out, filepath.ToSlash(path))
		}
	}
	return out
}
