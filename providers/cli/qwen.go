package cli

// qwen is Qwen Code, as its version 0.24 behaves.
func qwen() Definition {
	return Definition{
		Name: "qwen", Command: "qwen",
		Args:     qwenArgs("yolo"),
		Resume:   append(qwenArgs("yolo"), words("--resume", "{{session}}")),
		ReadOnly: qwenArgs("plan"),
		ByHand:   []Group{words("--resume", "{{session}}")},
		Env:      map[string]string{"OPENAI_LOG": "info", "ANTHROPIC_LOG": "info"}, // for qwenDecoder
		State:    []StatePath{{"", ".qwen", ""}}, Terminals: true,
		Pass:  []string{"QWEN_*", "OPENAI_*", "ANTHROPIC_*", "GEMINI_API_KEY", "DASHSCOPE_API_KEY"},
		Hosts: []string{openAIHost, anthropicHost, geminiHost, "dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com", "chat.qwen.ai", "portal.qwen.ai"},
		URLs:  []string{"OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"},
		Stdin: true, MCP: "qwen", Events: "qwen",
		Signs: Signs{
			Variables: []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "DASHSCOPE_API_KEY"},
			Files:     []SignFile{{Path: StatePath{"", ".qwen", "oauth_creds.json"}}},
		},
	}
}

func qwenArgs(mode string) []Group {
	return []Group{
		words("--output-format", "stream-json", "--approval-mode", mode),
		optionalWords("--model", "{{model}}"),
		words("--mcp-config", "{{mcp_config}}"),
	}
}
