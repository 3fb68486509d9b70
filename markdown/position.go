package markdown

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// matterLine splits a message of the YAML package into the line of the front matter, from 1, and the rest.
// It corrects what the package leaves out: grammar errors count from 0, and errors of bytes and anchors have
// no line. An unknown line is 0, which is the fence.
func matterLine(src []byte, msg string) (int, string) {
	numbered := regexp.MustCompile(`^line (\d+): (?s:(.*))$`).FindStringSubmatch(msg)
	line := 0
	if numbered != nil {
		// They are digits; too many of them read as the largest number.
		line, _ = strconv.Atoi(numbered[1])
		msg = numbered[2]
	}
	switch {
	// The parser counts these lines from 0, the scanner its own from 1.
	case isGrammarError(msg):
		line++
	case numbered == nil && strings.Contains(msg, "control characters"), strings.Contains(msg, "UTF-8"):
		line = lineOf(src, badByte(src))
	case strings.HasPrefix(msg, "unknown anchor '"):
		name := strings.Split(msg, "'")[1]
		line = lineOf(src, bytes.Index(src, []byte("*"+name)))
	case numbered == nil:
		// The package leaves out the line where it is the first.
		line = 1
	}
	return min(line, max(1, bytes.Count(src, []byte("\n")))), msg
}

// quoteHint returns how a line is written right whose value has a colon and no quotes, as titles often have; "" for others.
func quoteHint(src []byte, line int, msg string) string {
	lines := strings.Split(string(src), "\n")
	if !strings.HasPrefix(msg, "mapping values are not allowed") || line < 1 || line > len(lines) {
		return ""
	}
	key, value, _ := strings.Cut(strings.TrimRight(lines[line-1], "\r"), ": ")
	if value = strings.TrimSpace(value); value == "" || strings.HasPrefix(value, ":") || strings.ContainsAny(value, `"'#{}[]`) {
		return ""
	}
	return "; a value with a colon needs quotes: " + strings.TrimSpace(key) + `: "` + value + `"`
}

// isGrammarError reports whether a message is the parser's, whose lines start at 0, and not the
// scanner's.
func isGrammarError(msg string) bool {
	rest, ok := strings.CutPrefix(msg, "did not find expected ")
	if !ok {
		return false
	}
	for _, what := range []string{"',' or", "key", "'-' indicator", "node content", "<"} {
		if strings.HasPrefix(rest, what) {
			return true
		}
	}
	return false
}

// badByte returns the offset of the first byte that YAML does not allow, -1 if there is none.
func badByte(src []byte) int {
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		control := r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7F
		if control || r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// lineOf returns the line of an offset, from 1; 0 for a negative offset.
func lineOf(src []byte, offset int) int {
	if offset < 0 {
		return 0
	}
	return bytes.Count(src[:offset], []byte("\n")) + 1
}
