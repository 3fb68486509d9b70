package screen

import (
	"strings"

	"chant/cmd/tui/prose"
)

// maxProse is the width beyond which lines of prose are hard to read.
const maxProse = 100

// Markdown renders Markdown for a terminal with styles, as wide as that, and prose at most as wide as is easy to read. Code
// and tables keep their lines, so that a command can be copied. Without styles the text is returned unchanged.
func (c Canvas) Markdown(source string) string {
	if !c.Styled || strings.TrimSpace(source) == "" {
		return source
	}
	return splitStyles(strings.Join(prose.Page([]byte(source), min(c.Width, maxProse)), "\n") + "\n")
}

// splitStyles writes each style of several parameters as styles of this package, which Writer passes on.
func splitStyles(styled string) string {
	var out strings.Builder
	for {
		text, rest, found := strings.Cut(styled, "\x1b[")
		out.WriteString(text)
		if !found {
			return out.String()
		}
		parameters, after, ends := strings.Cut(rest, "m")
		if !ends {
			return out.String()
		}
		styled = after
		// Writer passes on only styles with one parameter.
		for one := range strings.SplitSeq(parameters, ";") {
			// Without a parameter, the sequence resets.
			if one == "" {
				one = "0"
			}
			out.WriteString("\x1b[" + one + "m")
		}
	}
}
