package picture

import (
	"strings"

	"chant/engine/spec"
)

// Line is a spec of a graph drawn as text: one line for each, what it needs above it.
type Line struct {
	Spec  Spec
	Lanes string   // the drawing before the spec: lanes of what is needed, and the spec's own mark
	Needs []string // ids of what it needs that have no lane
	Back  []string // ids of earlier lines that need it, which closes a cycle
	Ended bool     // the last line of specs that are connected
	Alone bool     // nothing needs it and it needs nothing
}

// Glyphs are the characters of a drawing.
type Glyphs struct {
	lanes [7]rune            // by mark
	turn  map[[2]bool][]rune // for a lane that joins, and one that ends: by whether the line comes from the left, and goes on to the right
	line  string             // between two places
	marks map[string]string  // by State of a spec
	other string             // the mark of other states
}

// Unicode returns line-drawing characters.
func Unicode() Glyphs {
	return Glyphs{
		lanes: [7]rune{empty: ' ', passes: '│', across: '─', over: '│'},
		turn:  map[[2]bool][]rune{{false, true}: []rune("├└"), {true, false}: []rune("┤┘"), {true, true}: []rune("┼┴")},
		line:  "─",
		marks: map[string]string{
			string(spec.Completed): "●", "ready": "◆", string(spec.InProgress): "▶", string(spec.Paused): "‖", string(spec.Failed): "✗",
			string(spec.NeedsAttention): "!", string(spec.Cancelled): "−", Archived: "●", Missing: "?", Invalid: "✗",
		},
		other: "○",
	}
}

// ASCII returns characters that every terminal and every file has.
func ASCII() Glyphs {
	return Glyphs{
		lanes: [7]rune{empty: ' ', passes: '|', across: '-', over: '|'},
		turn:  map[[2]bool][]rune{{false, true}: []rune("+`"), {true, false}: []rune("+'"), {true, true}: []rune("++")},
		line:  "-",
		marks: map[string]string{
			string(spec.Completed): "*", "ready": "o", string(spec.InProgress): ">", string(spec.Paused): "=", string(spec.Failed): "x",
			string(spec.NeedsAttention): "!", string(spec.Cancelled): "~", Archived: "*", Missing: "?", Invalid: "x",
		},
		other: ".",
	}
}

// Lines draws a graph with at most so many lanes side by side.
func (g Graph) Lines(lanes int, glyphs Glyphs) []Line {
	out := make([]Line, 0, len(g.Specs))
	for _, l := range lanesOf(len(g.Specs), g.edges(), lanes) {
		line := Line{Spec: g.Specs[l.vertex], Lanes: glyphs.draw(l, g.Specs[l.vertex]), Ended: l.ended, Alone: l.alone}
		for _, v := range l.rest {
			line.Needs = append(line.Needs, g.Specs[v].ID)
		}
		for _, v := range l.back {
			line.Back = append(line.Back, g.Specs[v].ID)
		}
		out = append(out, line)
	}
	return out
}

// draw returns the lanes of a line, two columns for each.
func (y Glyphs) draw(l laneLine, s Spec) string {
	first, last := -1, -1 // between these, a line leads to the vertex
	for i, m := range l.marks {
		if m == vertex || m == joins || m == ends {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	var b strings.Builder
	for i, m := range l.marks {
		switch left, right := i > first, i < last; m {
		case vertex:
			mark, ok := y.marks[s.State()]
			if !ok {
				mark = y.other
			}
			b.WriteString(mark)
		case joins:
			b.WriteRune(y.turn[[2]bool{left, right}][0])
		case ends:
			b.WriteRune(y.turn[[2]bool{left, right}][1])
		default:
			b.WriteRune(y.lanes[m])
		}
		if i+1 == len(l.marks) {
			break
		}
		if i >= first && i < last {
			b.WriteString(y.line)
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}
