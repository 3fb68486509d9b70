package screen

import (
	"bytes"
	"fmt"
	"strings"

	"chant/text"
)

// Patch gives the lines of a patch the styles that git gives them.
type Patch struct {
	On   Canvas
	hunk bool // the line is one of a file, not of a header
	next int  // the number of the next line of the file after the change
	last int  // that of the last line, 0 if the file does not have it
}

// Number returns the number that the last line has in the file after the change, 0 if it is not in it.
func (p *Patch) Number() int { return p.last }

// Line styles the next line. On a terminal with styles it is made printable first.
func (p *Patch) Line(line []byte) string {
	shown := string(line)
	// Files could contain styles, which hide what they say.
	if p.On.Styled {
		shown = string(text.Visible(line))
	}
	first := byte(' ')
	if len(line) > 0 {
		first = line[0]
	}
	p.last = 0
	if p.hunk && (first == '+' || first == ' ') {
		p.last, p.next = p.next, p.next+1
	}
	switch {
	case bytes.HasPrefix(line, []byte("diff ")):
		p.hunk = false
		return p.On.Paint(Bold, shown)
	case first == '@':
		p.hunk = true
		_, after, _ := strings.Cut(string(line), " +")
		// What does not begin with a number is not a header of git.
		_, _ = fmt.Sscanf(after, "%d", &p.next)
		head, rest, _ := strings.Cut(strings.TrimPrefix(shown, "@@ "), " @@")
		return p.On.Paint(Cyan, "@@ "+head+" @@") + rest
	// Lines of a header begin with --- and +++, which are no changes.
	case !p.hunk:
		return p.On.Paint(Bold, shown)
	case first == '+':
		return p.On.Paint(Green, shown)
	case first == '-':
		return p.On.Paint(Red, shown)
	}
	return shown
}
