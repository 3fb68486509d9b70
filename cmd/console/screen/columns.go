package screen

import (
	"io"
	"strings"
	"unicode/utf8"

	"chant/text"

	"github.com/charmbracelet/x/ansi"
)

// Cell is a text in a style.
type Cell struct {
	Text  string
	Style Style
}

// gap separates columns.
const gap = "  "

// Columns returns the widths of all columns but the last of n rows. row is called for each of them,
// and again by the caller that writes them: the cells of long lists are not kept.
func (c Canvas) Columns(n int, row func(i int) []Cell) Widths {
	var w Widths
	for i := range n {
		cells := row(i)
		for at, cell := range cells[:len(cells)-1] {
			if at == len(w) {
				w = append(w, 0)
			}
			w[at] = max(w[at], c.width(cell.Text))
		}
	}
	return w
}

// Widths are those of columns.
type Widths []int

// WriteRow writes the cells of a row in columns as one line, cut to the width of a terminal with styles. A failed write is
// returned by the writer at its next flush.
func (c Canvas) WriteRow(w io.Writer, widths Widths, cells []Cell) {
	var line strings.Builder
	for at, cell := range cells {
		shown := cell.Text
		if c.Styled {
			shown = visibleText(shown)
		}
		line.WriteString(c.Paint(cell.Style, shown))
		if at < len(cells)-1 {
			line.WriteString(strings.Repeat(" ", max(0, widths[at]-c.width(cell.Text))) + gap)
		}
	}
	out := line.String()
	if c.Styled {
		out = c.Fit(out)
	}
	// A failed write is returned by the writer at its next flush.
	_, _ = io.WriteString(w, out+"\n")
}

// width returns how many columns a text takes: on a terminal with styles those it is shown in, else its characters.
func (c Canvas) width(cell string) int {
	// Scripts have always got columns by the number of characters.
	if c.Styled {
		return ansi.StringWidth(visibleText(cell))
	}
	return utf8.RuneCountInString(cell)
}

// visibleText spells out what a terminal would execute, tabs included.
func visibleText(cell string) string {
	return string(text.Visible([]byte(strings.ReplaceAll(cell, "\t", " "))))
}
