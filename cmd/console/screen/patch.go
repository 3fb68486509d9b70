package screen

import (
	"bytes"
	"strings"

	"chant/text"
)

// Patch gives the lines of a patch the styles that git gives them.
type Patch struct {
	On   Canvas
	hunk bool // the line is one of a file, not of a header
}

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
	switch {
	case bytes.HasPrefix(line, []byte("diff ")):
		p.hunk = false
		return p.On.Paint(Bold, shown)
	case first == '@':
		p.hunk = true
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
