package cli

// copilot is the GitHub Copilot CLI, as its version 1.0 behaves.
func copilot() Definition {
	return Definition{
		Name: "copilot", Command: "copilot",
		Args:     append(copilotArgs("--allow-all-tools", "--allow-all-paths"), words("--session-id", "{{new_session}}")),
		Resume:   append(copilotArgs("--allow-all-tools", "--allow-all-paths"), words("--resume", "{{session}}")),
		ReadOnly: copilotArgs("--allow-tool", serverName, "--deny-tool", "write", "--deny-tool", "shell"),
		ByHand:   []Group{words("--resume", "{{session}}")},
		State:    []StatePath{{"", ".copilot", ""}, xdgConfig("github-copilot"), xdgState("copilot"), xdgState(".copilot")},
		Pass:     []string{"COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST"},
		Hides:    []string{"COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN"},
		Hosts:    []string{"*.githubcopilot.com", "api.github.com"},
		URLs:     []string{"COPILOT_PROVIDER_BASE_URL"},
		Stdin:    true, MCP: "copilot", Events: "copilot",
		Signs: Signs{Variables: []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN"}, Hidden: true},
	}
}

func copilotArgs(tools ...string) []Group {
	return []Group{
		words("--output-format", "json", "--no-ask-user", "--no-auto-update", "--disable-builtin-mcps"),
		words(tools...),
		optionalWords("--model", "{{model}}"),
		words("--additional-mcp-config", "@{{mcp_config}}"),
	}
}
