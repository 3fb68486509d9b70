package prove

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chant/text"
)

// hunk is a run of lines that differ, each side by its first line, 1-based, and the number of lines. A side without lines
// begins where they would be.
type hunk struct{ oldAt, oldLines, newAt, newLines int }

// section is what a patch says about one file.
type section struct {
	added, deleted bool
	hunks          []hunk
}

// errPatch is returned for a text that is not a patch of git.
var errPatch = errors.New("the output of git diff has another form than expected")

var hunkHeader = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)
})

// parsePatch reads the sections of a patch, in its order. Lines of context divide hunks.
func parsePatch(patch []byte) ([]section, error) {
	var out []section
	header := ""
	lines := strings.Split(string(patch), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "diff --git "):
			// A file that became a link is removed and added, which is one change of it.
			if line != header {
				out = append(out, section{})
			}
			header = line
		case len(out) == 0:
			if line != "" {
				return nil, errPatch
			}
		case strings.HasPrefix(line, "new file mode "):
			out[len(out)-1].added = true
		case strings.HasPrefix(line, "deleted file mode "):
			out[len(out)-1].deleted = true
		case strings.HasPrefix(line, "@@ "):
			found, used, err := parseHunks(lines[i:])
			if err != nil {
				return nil, err
			}
			out[len(out)-1].hunks = append(out[len(out)-1].hunks, found...)
			i += used
		}
	}
	return out, nil
}

// parseHunks reads the lines after a header, which says how many of them there are, and returns how many those are.
func parseHunks(lines []string) (out []hunk, used int, err error) {
	m := hunkHeader().FindStringSubmatch(lines[0])
	if m == nil {
		return nil, 0, errPatch
	}
	oldAt, oldLeft, newAt, newLeft := number(m[1]), 1, number(m[3]), 1
	if m[2] != "" {
		oldLeft = number(m[2])
	}
	if m[4] != "" {
		newLeft = number(m[4])
	}
	// Git names the line before a side without lines.
	if oldLeft == 0 {
		oldAt++
	}
	if newLeft == 0 {
		newAt++
	}
	if oldAt < 1 || newAt < 1 {
		return nil, 0, errPatch
	}
	open := false
	for oldLeft > 0 || newLeft > 0 {
		if used++; used >= len(lines) || lines[used] == "" {
			return nil, 0, errPatch
		}
		mark := lines[used][0]
		if (mark == '-' || mark == '+') && !open {
			out, open = append(out, hunk{oldAt: oldAt, newAt: newAt}), true
		}
		switch mark {
		case ' ':
			oldAt, oldLeft, newAt, newLeft, open = oldAt+1, oldLeft-1, newAt+1, newLeft-1, false
		case '-':
			oldAt, oldLeft = oldAt+1, oldLeft-1
			out[len(out)-1].oldLines++
		case '+':
			newAt, newLeft = newAt+1, newLeft-1
			out[len(out)-1].newLines++
		case '\\': // "No newline at end of file" is about the line before
		default:
			return nil, 0, errPatch
		}
	}
	return out, used, nil
}

func number(digits string) int {
	// A number that is too large for an int makes a hunk that its lines contradict.
	n, _ := strconv.Atoi(digits)
	return n
}

// revert returns the new content with one hunk as it was in the old one.
func revert(before, now []byte, h hunk) []byte {
	was, is := linesOf(before), linesOf(now)
	from, to := min(h.newAt-1, len(is)), min(h.newAt-1+h.newLines, len(is))
	return bytes.Join(slices.Concat(is[:from], h.replaced(was), is[to:]), nil)
}

// replaced returns the lines that a hunk replaces.
func (h hunk) replaced(lines [][]byte) [][]byte {
	return lines[min(h.oldAt-1, len(lines)):min(h.oldAt-1+h.oldLines, len(lines))]
}

// added returns the lines of a hunk.
func (h hunk) added(lines [][]byte) [][]byte {
	return lines[min(h.newAt-1, len(lines)):min(h.newAt-1+h.newLines, len(lines))]
}

// linesOf returns the lines of a text with their ends.
func linesOf(text []byte) [][]byte { return slices.Collect(bytes.Lines(text)) }

// maxShown limits the lines of each side of a diff that is shown, and maxWidth the characters of each line.
const (
	maxShown = 12
	maxWidth = 500
)

// diffOf shows lines that replace others.
func diffOf(old, now [][]byte) string {
	var b strings.Builder
	for _, side := range []struct {
		mark  string
		lines [][]byte
	}{{"-", old}, {"+", now}} {
		for _, line := range side.lines[:min(len(side.lines), maxShown)] {
			b.WriteString(side.mark + text.Clip(strings.ToValidUTF8(strings.TrimRight(string(line), "\r\n"), "\uFFFD"), maxWidth) + "\n")
		}
		if more := len(side.lines) - maxShown; more > 0 {
			b.WriteString(side.mark + "… " + strconv.Itoa(more) + " more lines\n")
		}
	}
	return b.String()
}
