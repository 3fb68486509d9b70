package spec

import "chant/markdown"

// Written is the document without the sections that runs and takeovers append: what
// someone asked for, and not what came of it.
func (s *Spec) Written() *markdown.Document {
	return s.Doc.DropSections("Agent Conversation", "Agent Output", "Execution Result", "Output", "Takeover Analysis")
}
