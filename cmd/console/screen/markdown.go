package screen

import (
	"strings"

	"chant/providers/text"
)

// Markdown highlights Markdown for a terminal with styles: headings, code, quotes and rules of tables. Its words, marks and
// lines stay as they are, so what is seen is what the file says. Without styles the text is returned unchanged.
func (c Canvas) Markdown(source string) string {
	if !c.Styled {
		return source
	}
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(source) {
		body := strings.TrimRight(line, "\r\n")
		shown := string(text.Visible([]byte(body)))
		mark := fenceOf(body)
		switch {
		case fence != "" && strings.HasPrefix(mark, fence) && strings.Trim(strings.TrimSpace(body), fence[:1]) == "":
			fence, shown = "", c.Paint(Dim, shown)
		case fence != "":
			shown = c.Paint(Cyan, shown)
		case mark != "":
			fence, shown = mark, c.Paint(Dim, shown)
		case isHeading(body):
			shown = c.Paint(Bold, shown)
		case strings.HasPrefix(strings.TrimLeft(body, " "), "> "), strings.Trim(body, "|-: ") == "" && strings.Contains(body, "-"):
			shown = c.Paint(Dim, shown)
		default:
			shown = c.codeSpans(shown)
		}
		out.WriteString(shown)
		if len(body) < len(line) {
			out.WriteString("\n")
		}
	}
	return out.String()
}

// fenceOf returns the marks with which a line begins or ends a block of code, "" for none.
func fenceOf(line string) string {
	rest := strings.TrimLeft(line, " ")
	for _, mark := range []string{"`", "~"} {
		if n := len(rest) - len(strings.TrimLeft(rest, mark)); n >= 3 && !(mark == "`" && strings.Contains(rest[n:], "`")) {
			return rest[:n]
		}
	}
	return ""
}

// isHeading reports whether a line is a heading that begins with number signs.
func isHeading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	depth := len(line) - len(rest)
	return depth >= 1 && depth <= 6 && (rest == "" || rest[0] == ' ')
}

// codeSpans highlights the code in a line: what is between two runs of as many backticks.
func (c Canvas) codeSpans(line string) string {
	var out strings.Builder
	for {
		at := strings.IndexByte(line, '`')
		if at < 0 {
			return out.String() + line
		}
		run := len(line[at:]) - len(strings.TrimLeft(line[at:], "`"))
		end := endOfRun(line[at+run:], run)
		if end < 0 {
			out.WriteString(line[:at+run])
			line = line[at+run:]
			continue
		}
		end += at + run
		out.WriteString(line[:at] + c.Paint(Cyan, line[at:end]))
		line = line[end:]
	}
}

// endOfRun returns where the first run of exactly so many backticks ends, -1 if there is none.
func endOfRun(text string, size int) int {
	for at := 0; at < len(text); {
		n := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		if n == size {
			return at + n
		}
		at += max(n, 1)
	}
	return -1
}
