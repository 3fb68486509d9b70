package cli

// codex is the Codex CLI, as its version 0.169 behaves. It takes an MCP server and its
// settings by flags alone. In its sandbox a linked worktree can be committed to only
// when both folders of git are writable, and a folder that is named there without being
// there keeps every command from starting; tools of a server that it does not trust fail,
// and a server that does not start is skipped, unless it is configured otherwise.
func codex() Definition {
	return Definition{
		Name: "codex", Command: "codex",
		Args:   append([]Group{words("exec")}, codexArgs("workspace-write", "-")...),
		Resume: append([]Group{words("exec", "resume", "{{session}}")}, codexArgs("workspace-write", "-")...),
		// Its own sandbox cannot start behind a wall, and every command would fail.
		Walled:   codexArgs("danger-full-access", "-"),
		State:    []StatePath{{"CODEX_HOME", ".codex", ""}},
		ReadOnly: append([]Group{words("exec")}, codexArgs("read-only", "-")...),
		ByHand:   []Group{words("resume", "{{session}}")},
		Pass:     []string{"CODEX_*", "OPENAI_*", "AZURE_OPENAI_API_KEY"},
		Hosts:    []string{openAIHost, "chatgpt.com", "auth.openai.com"},
		URLs:     []string{"OPENAI_BASE_URL"},
		Stdin:    true, MCP: "codex", Events: "codex",
		Signs: Signs{Variables: []string{"CODEX_API_KEY"}, Files: []SignFile{{Path: StatePath{"CODEX_HOME", ".codex", "auth.json"}}}},
	}
}

func codexArgs(sandbox string, last ...string) []Group {
	return []Group{
		words("--json", "--skip-git-repo-check", "--disable", "plugins"),
		optionalWords("-m", "{{model}}"),
		words("-c", `sandbox_mode="`+sandbox+`"`, "-c", `approval_policy="never"`),
		optionalWords("-c", "sandbox_workspace_write.writable_roots={{writable_dirs}}"),
		words("-c", "sandbox_workspace_write.network_access=true"),
		words("-c", "check_for_update_on_startup=false", "-c", "analytics.enabled=false"),
		optionalWords("-c", "mcp_servers."+serverName+"={{mcp_inline}}"),
		words(last...),
	}
}
