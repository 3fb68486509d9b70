package cli

// kiro is the Kiro CLI by its documented flags. It prints plain text.
func kiro() Definition {
	return Definition{
		Name: "kiro", Command: "kiro-cli", Experimental: true,
		Args: []Group{
			words("chat", "--no-interactive", "--trust-all-tools"), optionalWords("--model", "{{model}}"),
			words("Read the file {{prompt_file}} and carry out what it says."),
		},
		State:  []StatePath{{"", ".kiro", ""}, xdgData("kiro-cli")},
		Pass:   []string{"KIRO_*", "AWS_*"},
		Hosts:  []string{"q.us-east-1.amazonaws.com", "codewhisperer.us-east-1.amazonaws.com", "oidc.us-east-1.amazonaws.com", "*.kiro.dev"},
		MCP:    "kiro",
		Events: "lines",
		Signs:  Signs{Variables: []string{"KIRO_API_KEY"}, Hidden: true},
	}
}
