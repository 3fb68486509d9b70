package mcp_test

// sameCode is what can be asked about code by a tool and by a command.
func sameCode() []sameThing {
	files := func(p place) {
		p.write("a.go", "package a\n\n// Greet returns a greeting for a name.\nfunc Greet(name string) string { return \"hello \" + name }\n\n// Main greets everybody.\nfunc Main() string { return Greet(\"all\") }\n")
		p.write("docs/guide.md", "# Guide\n\n## Installation\n\nInstall it with one command.\n")
		p.git("add", ".")
		p.git("commit", "-q", "-m", "code")
	}
	indexed := func(p place) {
		files(p)
		p.chant("index")
	}
	ask := func(query string, more ...any) map[string]any {
		args := map[string]any{"query": query}
		for i := 0; i < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		return args
	}
	return []sameThing{
		{"index_codebase", map[string]any{"path": "."}, "index", files},
		{"index_codebase", map[string]any{"path": ".", "force": true}, "index --force", indexed},
		{"search_code", ask("greeting for a name"), "code greeting for a name", indexed},
		{"search_code", ask("greet", "limit", 1, "extensions", ".GO", "path_filter", "*.go", "format", "json"), "code greet --limit 1 --extensions go --path *.go", indexed},
		{"search_docs", ask("installation"), "docs installation", indexed},
		{"search_docs", ask("installation", "path", "docs", "limit", 1, "format", "json"), "docs installation --in docs --limit 1", indexed},
		{"code_research", ask("what calls Greet"), "research what calls Greet", indexed},
		{"code_research", ask("greeting", "depth", 3, "focus", "flow"), "research greeting --depth 3 --focus flow", indexed},
	}
}
