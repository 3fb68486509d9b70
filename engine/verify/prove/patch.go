package prove

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxPatch limits the bytes of a patch: it becomes part of a command.
const maxPatch = 4 << 10

// contextLines is the number of lines around a change by which a patch finds its place again.
const contextLines = 3

// patch returns a version as a text for "git apply", "" for one that is too long, moves a file or is binary.
func (v *version) patch() string {
	if len(v.files) != 1 || v.of.Binary || v.of.added && v.files[0].Content == nil || v.of.deleted {
		return ""
	}
	old, now := linesOf(v.of.now), linesOf(v.files[0].Content)
	same, after := equalEnds(old, now)
	from, rest := max(same-contextLines, 0), min(after, contextLines)
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n@@ -%d,%d +%d,%d @@\n", v.file, v.file, from+1, len(old)-after+rest-from, from+1, len(now)-after+rest-from)
	write := func(mark string, lines [][]byte) {
		for _, line := range lines {
			b.WriteString(mark + string(line))
			if !bytes.HasSuffix(line, []byte("\n")) {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
	write(" ", old[from:same])
	write("-", old[same:len(old)-after])
	write("+", now[same:len(now)-after])
	write(" ", old[len(old)-after:len(old)-after+rest])
	if text := b.String(); len(text) <= maxPatch && utf8.ValidString(text) && !strings.ContainsAny(v.file, "\n\t\"\\") {
		return text
	}
	return ""
}

// equalEnds returns how many lines of two texts are the same at their beginning, and how many of the others at their end.
func equalEnds(old, now [][]byte) (same, after int) {
	for same < min(len(old), len(now)) && bytes.Equal(old[same], now[same]) {
		same++
	}
	for after < min(len(old), len(now))-same && bytes.Equal(old[len(old)-1-after], now[len(now)-1-after]) {
		after++
	}
	return same, after
}
