package console

import (
	"io"
	"strings"
)

// Highlighter returns where a command writes text of which it highlights parts, and the function that highlights one: on
// a terminal with colours the stream as it is, so that the text must be printable; anywhere else Out and no marks.
func (a *App) Highlighter() (w io.Writer, mark func(string) string) {
	if !Terminal(a.Screen.Out) || !wantsColours(a.Environ) {
		return a.Out, func(part string) string { return part }
	}
	return a.Screen.Out, func(part string) string { return "\x1b[1m" + part + "\x1b[22m" } // bold
}

// wantsColours reports whether the terminal of an environment can highlight, and its user wants that.
func wantsColours(environ []string) bool {
	for _, pair := range environ {
		if name, value, _ := strings.Cut(pair, "="); name == "NO_COLOR" && value != "" {
			return false
		}
	}
	return knownTerminal(environ)
}

// knownTerminal reports whether an environment names a terminal that can do more than print lines.
func knownTerminal(environ []string) bool {
	known := false
	for _, pair := range environ {
		if name, value, _ := strings.Cut(pair, "="); name == "TERM" {
			known = value != "" && value != "dumb"
		}
	}
	return known
}
