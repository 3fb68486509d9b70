package e2e

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
	if want := []string{"index_codebase", "search_code", "search_docs", "code_research", "check_indexing_status"}; server != "swiftindex" || !slices.Equal(tools, want) {
		t.Errorf("%s serves %q", server, tools)
	}

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
	if first["indexed_files"] == 0.0 || second["indexed_files"] != 0.0 || second["skipped_files"] != first["indexed_files"] {
		t.Errorf("first %v\nthen %v", first, second)
	}
	p.write("Sources/app.go", "package app\n\nfunc begin() bool { return auth.Authenticate(\"x\") }\n")
	if third := m.do("index_codebase", map[string]any{"path": p.dir}); third["indexed_files"] != 1.0 {
		t.Errorf("after a change %v", third)
	}
	if forced := m.do("index_codebase", map[string]any{"path": p.dir, "force": true}); forced["indexed_files"] != first["indexed_files"] {
		t.Errorf("forced %v", forced)
	}

	found := m.do("search_code", map[string]any{"query": "check a password", "path_filter": "Sources/Auth/**", "limit": 5})
	paths := pathsOf(t, found)
	if len(paths) == 0 || slices.ContainsFunc(paths, func(path string) bool { return path != "Sources/Auth/login.go" }) {
		t.Errorf("found in %q", paths)
	}
	if r := m.call("search_code", map[string]any{"query": "authenticate", "limit": 1}); !strings.HasPrefix(r.text(), "search:\n  q: authenticate\n  n: 1\n") {
		t.Errorf("TOON %s", r.text())
	}
	if got := pathsOf(t, m.do("search_docs", map[string]any{"query": "installation", "path_filter": "docs/*.md"})); !slices.Equal(got, []string{"docs/install.md"}) {
		t.Errorf("documents %q", got)
	}
	raw, err := json.Marshal(m.do("code_research", map[string]any{"query": "what calls verify()"}))
	if err != nil || !strings.Contains(string(raw), `"Authenticate"`) || !strings.Contains(string(raw), `"begin"`) {
		t.Errorf("callers and their callers: %s, %v", raw, err)
	}
	exactly("Query cannot be empty", "search_code", map[string]any{"query": "  "})
	exactly("Missing required argument: query", "search_docs", map[string]any{})
	m.end()
}

// pathsOf lists the files of results, each once.
func pathsOf(t *testing.T, reply map[string]any) []string {
	t.Helper()
	results, ok := reply["results"].([]any)
	if !ok {
		t.Fatalf("no results in %v", reply)
	}
	var out []string
	for _, each := range results {
		if path, _ := each.(map[string]any)["path"].(string); !slices.Contains(out, path) {
			out = append(out, filepath.ToSlash(path))
		}
	}
	return out
}
