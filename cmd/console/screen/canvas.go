package screen

import (
	"runtime"
	"strings"
	"time"

	"chant/text"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Canvas is what a command may draw on the stream of its results.
type Canvas struct {
	Width  int       // columns, 0 if lines may have any length
	Height int       // lines, 0 if there may be any number
	Rich   bool      // a terminal that can draw lines, for a person: not a pipe, and not TERM=dumb
	Styled bool      // with colours
	Now    time.Time // for relative dates
}

// PlainWidth is the width of a terminal that does not say how wide it is.
const PlainWidth = 80

// Known reports whether an environment (K=V) names a terminal that can do more than print lines.
func Known(environ []string) bool {
	name := lookUp(environ, "TERM")
	return name != "" && name != "dumb"
}

// Colours reports whether the terminal of an environment has colours, and its user wants them. Any text but the empty one
// in NO_COLOR turns them off: https://no-color.org.
func Colours(environ []string) bool {
	return lookUp(environ, "NO_COLOR") == "" && Known(environ) && colorprofile.Env(environ) >= colorprofile.ANSI
}

// lookUp returns the value of a variable; the last one counts.
func lookUp(environ []string, name string) string {
	value, _ := lookUpSet(environ, name)
	return value
}

// lookUpSet is lookUp for variables whose empty value differs from none.
func lookUpSet(environ []string, name string) (value string, set bool) {
	for _, pair := range environ {
		key, text, _ := strings.Cut(pair, "=")
		// The last one counts, as for programs that are started with such an environment.
		if key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name) {
			value, set = text, true
		}
	}
	return value, set
}

// Fit cuts a line to the width of the terminal, between characters, and marks the cut. Styles in it are kept.
func (c Canvas) Fit(line string) string {
	if c.Width == 0 {
		return line
	}
	end := "..."
	if c.Rich {
		end = "…"
	}
	return ansi.Truncate(line, c.Width, end)
}

// Time names a time, of RFC 3339 or a local one of time.DateTime, in relation to now, for a person at a terminal with styles.
// Elsewhere it is text.LocalTime. What is no such time stays.
func (c Canvas) Time(written string) string {
	at, err := time.Parse(time.RFC3339, written)
	if err != nil {
		if at, err = time.ParseInLocation(time.DateTime, written, time.Local); err != nil {
			return written
		}
	}
	return c.At(at)
}

// At is Time for a time that was read.
func (c Canvas) At(t time.Time) string {
	if c.Styled {
		return text.Ago(t, c.Now)
	}
	return text.LocalTime(t)
}
