package cli

import "runtime"

// claude is Claude Code, as its versions 2.1 behave. bypassPermissions would be refused
// under root, and allow more than the list of tools. Flags that take many values are
// neither last nor next to each other.
func claude() Definition {
	tools := "Bash,Read,Edit,Write,Glob,Grep"
	return Definition{
		Name: "claude", Command: "claude",
		Args:     claudeArgs(tools),
		Resume:   append([]Group{optionalWords("--resume", "{{session}}")}, claudeArgs(tools)...),
		ReadOnly: claudeArgs("Read,Glob,Grep"),
		ByHand:   []Group{words("--resume", "{{session}}")},
		Env:      map[string]string{"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"},
		Pass:     []string{"ANTHROPIC_*", "CLAUDE_*", "DISABLE_*", "ENABLE_TOOL_SEARCH", "MAX_THINKING_TOKENS", "MAX_MCP_OUTPUT_TOKENS", "MCP_TIMEOUT", "MCP_TOOL_TIMEOUT", "BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS", "API_TIMEOUT_MS"},
		Hosts:    []string{anthropicHost, "platform.claude.com", "console.anthropic.com"},
		URLs:     []string{"ANTHROPIC_BASE_URL", "ANTHROPIC_BEDROCK_BASE_URL", "ANTHROPIC_VERTEX_BASE_URL", "ANTHROPIC_FOUNDRY_BASE_URL"},
		Login:    clouds(),
		State:    []StatePath{{"CLAUDE_CONFIG_DIR", ".claude", ""}, {"CLAUDE_CONFIG_DIR", "", ".claude.json"}, xdgData("claude"), xdgState("claude")},
		Stdin:    true, MCP: "claude", Events: "claude",
		Signs: Signs{
			Variables: []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"},
			Files: []SignFile{
				{Path: StatePath{"CLAUDE_CONFIG_DIR", ".claude", ".credentials.json"}},
				{Path: StatePath{"CLAUDE_CONFIG_DIR", "", ".claude.json"}, Holds: `"oauthAccount"`},
				{Path: StatePath{"CLAUDE_CONFIG_DIR", ".claude", "settings.json"}, Holds: `"apiKeyHelper"`},
			},
			Hidden: runtime.GOOS == "darwin", // in the keychain
		},
	}
}

func claudeArgs(tools string) []Group {
	return []Group{
		words("-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"),
		optionalWords("--model", "{{model}}"),
		// The file alone counts: print mode would start the servers of the project's
		// .mcp.json without asking.
		words("--mcp-config", "{{mcp_config}}", "--strict-mcp-config"),
		words("--permission-mode", "dontAsk", "--allowedTools", "mcp__"+serverName+","+tools),
	}
}

// clouds are the logins through which models are reached that are not asked directly.
func clouds() []Login {
	return []Login{
		{When: "CLAUDE_CODE_USE_BEDROCK", Pass: []string{"AWS_*"}},
		{When: "CLAUDE_CODE_USE_VERTEX", Pass: []string{"GOOGLE_*", "CLOUD_ML_REGION", "VERTEX_REGION_*", "CLOUDSDK_*"}},
		{When: "CLAUDE_CODE_USE_FOUNDRY", Pass: []string{"AZURE_*"}},
	}
}
