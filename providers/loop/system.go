package loop

// system is what the model is told beside the prompt.
func system(readOnly bool) string {
	text := "You are a software engineer at work in a git worktree. Nobody is there to answer questions. " +
		"Work by calling tools; paths are relative to the top of the worktree. Read a file before you edit it. " +
		"When a tool answers with an error, do what it says. "
	if readOnly {
		return text + "You can read, not change anything. Answer in plain text, without calling a tool, when you know enough."
	}
	return text + "When everything is done, answer with a short summary and call no tool."
}
