package engine

import (
	"bytes"
	"os"
	"slices"
	"strings"
)

// The lines between which a file of instructions is chant's. They are those of
// the Rust chant, so that its section is replaced and not doubled.
const (
	sectionBegin = "<!-- chant:begin -->"
	sectionEnd   = "<!-- chant:end -->"
)

// mergeGuide puts our section into a file of instructions. A new file opens with
// a pointer to the other one where its mere existence would hide that.
func (i *initializer) mergeGuide(name string, have, ours []byte) ([]byte, error) {
	if have == nil {
		return append([]byte(i.opening(name)), ours...), nil
	}
	return mergeSection(name, have, ours)
}

// opening is what a new file of instructions begins with. Claude Code reads
// AGENTS.md, and others CLAUDE.md, only while the file of their own is missing.
func (i *initializer) opening(name string) string {
	switch {
	case name == claudeGuide && i.hasWords(openGuide):
		return "@" + openGuide + "\n\n"
	case name == openGuide && i.hasWords(claudeGuide):
		return "Read " + claudeGuide + " too: it holds instructions for this repository.\n\n"
	}
	return ""
}

// hasWords tells whether a file says more than our own section.
func (i *initializer) hasWords(name string) bool {
	text, err := os.ReadFile(i.path(name))
	if err != nil {
		return false
	}
	if from, to, err := findSection(name, text); err == nil && from >= 0 {
		text = append(text[:from:from], text[to:]...)
	}
	return len(bytes.TrimSpace(text)) > 0
}

// mergeSection replaces the section between the markers, unless only its line
// ends differ, or adds it at the end.
func mergeSection(name string, have, ours []byte) ([]byte, error) {
	from, to, err := findSection(name, have)
	if err != nil {
		return nil, err
	}
	ours = bytes.TrimSpace(ours)
	newline := newlineOf(have)
	section := strings.ReplaceAll(string(ours), "\n", newline)
	if from >= 0 {
		if bytes.Equal(bytes.ReplaceAll(have[from:to], []byte("\r\n"), []byte("\n")), ours) {
			return have, nil
		}
		return slices.Concat(have[:from], []byte(section), have[to:]), nil
	}
	var out bytes.Buffer
	out.Write(have)
	if len(have) > 0 {
		if !bytes.HasSuffix(have, []byte("\n")) {
			out.WriteString(newline)
		}
		out.WriteString(newline)
	}
	out.WriteString(section + newline)
	return out.Bytes(), nil
}

// findSection is where the section begins and ends, both -1 without one. A marker
// is one only if it has a line to itself. Error: Invalid for markers that do not
// come as one pair.
func findSection(name string, text []byte) (from, to int, err error) {
	from, to = -1, -1
	at := 0
	for line := range bytes.Lines(text) {
		switch marker := string(bytes.TrimSpace(line)); {
		case marker == sectionBegin && from >= 0:
			return -1, -1, notValid(name, lineOf(text, at), "a second "+sectionBegin)
		case marker == sectionBegin:
			from = at + bytes.Index(line, []byte(sectionBegin))
		case marker == sectionEnd && (from < 0 || to >= 0):
			return -1, -1, notValid(name, lineOf(text, at), "a "+sectionEnd+" that ends nothing")
		case marker == sectionEnd:
			to = at + bytes.Index(line, []byte(sectionEnd)) + len(sectionEnd)
		}
		at += len(line)
	}
	if from >= 0 && to < 0 {
		return -1, -1, notValid(name, lineOf(text, from), sectionBegin+" has no "+sectionEnd)
	}
	return from, to, nil
}

// keepFile writes a file of ours that is a person's from then on.
func keepFile(_ string, have, ours []byte) ([]byte, error) {
	if have != nil {
		return have, nil
	}
	return ours, nil
}

// newlineOf is the line end of a text, that of its first line.
func newlineOf(text []byte) string {
	if at := bytes.IndexByte(text, '\n'); at > 0 && text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
