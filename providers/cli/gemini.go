package cli

// gemini is the Gemini CLI, as its version 0.61 behaves. It takes an MCP server from a
// settings file alone, and none at all in a folder that it does not trust.
func gemini() Definition {
	return Definition{
		Name: "gemini", Command: "gemini",
		Args:     geminiArgs("yolo"),
		Resume:   append(geminiArgs("yolo"), words("--resume", "{{session}}")),
		ReadOnly: geminiArgs("default"), // offers no tool that writes; plan offers some
		ByHand:   []Group{words("--resume", "{{session}}")},
		Env: map[string]string{
			"GEMINI_CLI_TRUST_WORKSPACE":      "true",
			"GEMINI_CLI_SYSTEM_SETTINGS_PATH": "{{mcp_config}}",
		},
		State: []StatePath{{"GEMINI_CLI_HOME", "", ".gemini"}},
		Pass:  []string{"GEMINI_*", "GOOGLE_*", "CLOUDSDK_*"},
		Hosts: []string{geminiHost, "aiplatform.googleapis.com", "cloudcode-pa.googleapis.com", "oauth2.googleapis.com"},
		URLs:  []string{"GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "CODE_ASSIST_ENDPOINT"},
		Stdin: true, MCP: "gemini", Events: "gemini",
		Signs: Signs{
			Variables: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_GENAI_USE_VERTEXAI"},
			Files:     []SignFile{{Path: StatePath{"GEMINI_CLI_HOME", "", ".gemini/oauth_creds.json"}}},
		},
	}
}

func geminiArgs(mode string) []Group {
	return []Group{
		words("--output-format", "stream-json", "--approval-mode", mode),
		optionalWords("--model", "{{model}}"),
		words("--allowed-mcp-server-names", serverName),
	}
}
