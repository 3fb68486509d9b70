package agentfile

import (
	"bytes"
	"slices"
	"strings"
)

// The markers of chant's section in a file of instructions. The Rust chant uses the same ones, so its section is
// replaced, not duplicated.
const (
	SectionBegin = "<!-- chant:begin -->"
	SectionEnd   = "<!-- chant:end -->"
)

// MergeSection replaces the section between the markers, unless only the line
// ends differ, or appends it.
func MergeSection(name string, have, ours []byte) ([]byte, error) {
	from, to, err := FindSection(name, have)
	if err != nil {
		return nil, err
	}
	ours = bytes.TrimSpace(ours)
	newline := newlineOf(have)
	section := strings.ReplaceAll(string(ours), "\n", newline)
	if from >= 0 {
		// A file that git has checked out with other line ends is not changed for that.
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

// FindSection returns where the section begins and ends, both -1 without one. A marker
// must be on a line of its own. Error: *FileError for markers that are not
// exactly one pair.
func FindSection(name string, text []byte) (from, to int, err error) {
	from, to = -1, -1
	at := 0
	for line := range bytes.Lines(text) {
		switch marker := string(bytes.TrimSpace(line)); {
		case marker == SectionBegin && from >= 0:
			return -1, -1, invalidFile(name, lineOf(text, at), "a second "+SectionBegin)
		case marker == SectionBegin:
			from = at + bytes.Index(line, []byte(SectionBegin))
		case marker == SectionEnd && (from < 0 || to >= 0):
			return -1, -1, invalidFile(name, lineOf(text, at), "a "+SectionEnd+" that ends nothing")
		case marker == SectionEnd:
			to = at + bytes.Index(line, []byte(SectionEnd)) + len(SectionEnd)
		}
		at += len(line)
	}
	if from >= 0 && to < 0 {
		return -1, -1, invalidFile(name, lineOf(text, from), SectionBegin+" has no "+SectionEnd)
	}
	return from, to, nil
}
