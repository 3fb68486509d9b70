package cli

// opencode is OpenCode, as its version 1.18 behaves. All of its settings travel in one
// variable, so the worktree stays clean.
func opencode() Definition {
	return Definition{
		Name: "opencode", Command: "opencode",
		Args:     opencodeArgs(),
		Resume:   append(opencodeArgs(), words("--session", "{{session}}")),
		ReadOnly: opencodeArgs(),
		// Stronger than the settings, which the agent named plan is not.
		ReadOnlyEnv: map[string]string{"OPENCODE_PERMISSION": `{"*":"deny","read":"allow","glob":"allow","grep":"allow","list":"allow"}`},
		ByHand:      []Group{words("--session", "{{session}}")},
		Env: map[string]string{
			"OPENCODE_CONFIG_CONTENT":         "{{mcp_inline}}",
			"OPENCODE_DISABLE_PROJECT_CONFIG": "1",
			"OPENCODE_DISABLE_AUTOUPDATE":     "1",
			"OPENCODE_DISABLE_LSP_DOWNLOAD":   "1",
		},
		State: []StatePath{xdgData("opencode"), xdgState("opencode"), xdgConfig("opencode")},
		Pass:  []string{"OPENCODE_*", "ANTHROPIC_*", "OPENAI_*", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENROUTER_API_KEY", "GROQ_API_KEY", "DEEPSEEK_API_KEY", "MISTRAL_API_KEY", "XAI_API_KEY"},
		Hosts: []string{
			anthropicHost, openAIHost, geminiHost, "opencode.ai", "models.opencode.ai", "openrouter.ai", "api.groq.com", "api.deepseek.com",
			"api.mistral.ai", "api.x.ai",
		},
		URLs:  []string{"ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"},
		Stdin: true, MCP: "opencode", Events: "opencode",
		Signs: Signs{
			Variables: []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENROUTER_API_KEY", "GROQ_API_KEY", "DEEPSEEK_API_KEY", "MISTRAL_API_KEY", "XAI_API_KEY"},
			Files:     []SignFile{{Path: xdgData("opencode/auth.json")}},
		},
	}
}

func opencodeArgs() []Group {
	return []Group{
		words("run", "--format", "json", "--dir", "{{worktree}}", "--print-logs", "--log-level", "ERROR"),
		optionalWords("--model", "{{model}}"),
	}
}
