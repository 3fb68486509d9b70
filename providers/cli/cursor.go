package cli

// cursor is the agent of Cursor by its documented flags. It reads MCP servers from the
// project and from home alone.
func cursor() Definition {
	args := func(more ...Group) []Group {
		return append([]Group{words("-p", "--output-format", "stream-json", "--force", "--approve-mcps"), optionalWords("--model", "{{model}}")}, more...)
	}
	const stub = "Read the file {{prompt_file}} and carry out what it says."
	return Definition{
		Name: "cursor", Command: "cursor-agent", Experimental: true,
		Args:     args(words(stub)),
		Resume:   args(words("--resume", "{{session}}", stub)),
		ReadOnly: []Group{words("-p", "--output-format", "stream-json", "--mode", "ask"), optionalWords("--model", "{{model}}"), words(stub)},
		ByHand:   []Group{words("--resume", "{{session}}")},
		Pass:     []string{"CURSOR_*"},
		State:    []StatePath{{"", ".cursor", ""}, xdgConfig("cursor"), xdgData("cursor-agent")},
		Hosts:    []string{"*.cursor.sh", "api.cursor.com"},
		MCP:      "cursor",
		Events:   "claude",
		Signs:    Signs{Variables: []string{"CURSOR_API_KEY"}, Hidden: true},
	}
}
