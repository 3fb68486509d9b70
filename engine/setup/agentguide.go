package setup

import (
	"bytes"
	"os"

	"chant/engine/agentfile"
)

// mergeGuide puts our section into a file of instructions. A new file opens with
// a pointer to the other one where its mere existence would hide that.
func (i *initializer) mergeGuide(name string, have, ours []byte) ([]byte, error) {
	if have == nil {
		return append([]byte(i.opening(name)), ours...), nil
	}
	return agentfile.MergeSection(name, have, ours)
}

// opening is what a new file of instructions begins with. Claude Code reads
// AGENTS.md, and others CLAUDE.md, only while the file of their own is missing.
func (i *initializer) opening(name string) string {
	switch {
	case name == agentfile.ClaudeGuide && i.hasWords(agentfile.OpenGuide):
		return "@" + agentfile.OpenGuide + "\n\n"
	case name == agentfile.OpenGuide && i.hasWords(agentfile.ClaudeGuide):
		return "Read " + agentfile.ClaudeGuide + " too: it holds instructions for this repository.\n\n"
	}
	return ""
}

// hasWords reports whether a file says more than our own section.
func (i *initializer) hasWords(name string) bool {
	text, err := os.ReadFile(i.path(name))
	if err != nil {
		return false
	}
	if from, to, err := agentfile.FindSection(name, text); err == nil && from >= 0 {
		text = append(text[:from:from], text[to:]...)
	}
	return len(bytes.TrimSpace(text)) > 0
}

// keepFile writes a file of ours that is a person's from then on.
func keepFile(_ string, have, ours []byte) ([]byte, error) {
	if have != nil {
		return have, nil
	}
	return ours, nil
}
