package setup

import (
	"bytes"
	"os"

	"chant/engine/format/agentfile"
)

// mergeGuide puts our section into a file of instructions. A new file begins with a pointer to the other file of
// instructions if agents would no longer read that one.
func (i *initializer) mergeGuide(name string, have, ours []byte) ([]byte, error) {
	// Its own file would keep the agent from reading the other one.
	if have == nil {
		return append([]byte(i.guideOpening(name)), ours...), nil
	}
	return agentfile.MergeSection(name, have, ours)
}

// guideOpening returns the beginning of a new file of instructions. Claude Code reads AGENTS.md, and other agents read
// CLAUDE.md, only if their own file is missing.
func (i *initializer) guideOpening(name string) string {
	switch {
	case name == agentfile.ClaudeGuide && i.hasWords(agentfile.OpenGuide):
		return "@" + agentfile.OpenGuide + "\n\n"
	case name == agentfile.OpenGuide && i.hasWords(agentfile.ClaudeGuide):
		return "Read " + agentfile.ClaudeGuide + " too: it holds instructions for this repository.\n\n"
	}
	return ""
}

// hasWords reports whether a file has text other than our own section.
func (i *initializer) hasWords(name string) bool {
	text, err := os.ReadFile(i.path(name))
	if err != nil {
		return false
	}
	// Our section alone says nothing that the other file has to point to.
	if from, to, err := agentfile.FindSection(name, text); err == nil && from >= 0 {
		text = append(text[:from:from], text[to:]...)
	}
	return len(bytes.TrimSpace(text)) > 0
}

// keepFile returns our text for a new file, and never changes an existing file, which may belong to a person.
func keepFile(_ string, have, ours []byte) ([]byte, error) {
	if have != nil {
		return have, nil
	}
	return ours, nil
}
